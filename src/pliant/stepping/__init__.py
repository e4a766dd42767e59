"""The step as a minimisation, the explicit step, and quasi-static motion."""

from .implicit import Implicit, QuasiStatic
from .rest import Rest
from .state import State, Surroundings
from .symplectic import SymplecticEuler
from .system import System

__all__ = ["Implicit", "QuasiStatic", "Rest", "State", "Surroundings", "SymplecticEuler", "System"]
