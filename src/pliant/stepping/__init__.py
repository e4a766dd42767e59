"""The step as a minimisation, the explicit family, and quasi-static motion."""

from .average_velocity import AverageVelocity
from .bdf2 import BDF2
from .beginning import host_reason
from .explicit import Explicit
from .explicit_euler import ExplicitEuler
from .impact import Impact
from .implicit import Implicit, QuasiStatic
from .island import Island
from .island_system import IslandSystem
from .linearised import LinearisedImplicit
from .loads import Loads
from .newmark import Newmark
from .problem import BodyProblem, Problem
from .rest import Rest
from .runge_kutta import RungeKutta4
from .state import History, State
from .step import SceneState, step
from .symplectic import SymplecticEuler
from .system import System
from .xpbd import XPBD

__all__ = [
    "BDF2",
    "XPBD",
    "AverageVelocity",
    "BodyProblem",
    "Explicit",
    "ExplicitEuler",
    "History",
    "Impact",
    "Implicit",
    "Island",
    "IslandSystem",
    "LinearisedImplicit",
    "Loads",
    "Newmark",
    "Problem",
    "QuasiStatic",
    "Rest",
    "RungeKutta4",
    "SceneState",
    "State",
    "SymplecticEuler",
    "System",
    "host_reason",
    "step",
]
