"""The step as a minimisation, the explicit family, and quasi-static motion."""

from .average_velocity import AverageVelocity
from .bdf2 import BDF2
from .explicit import Explicit
from .explicit_euler import ExplicitEuler
from .filtering import filtered
from .impact import Impact
from .implicit import Implicit, QuasiStatic
from .linearised import LinearisedImplicit
from .newmark import Newmark
from .outside import keep_out
from .rest import Rest
from .runge_kutta import RungeKutta4
from .state import State, Surroundings
from .symplectic import SymplecticEuler
from .system import System
from .xpbd import XPBD

__all__ = [
    "BDF2",
    "XPBD",
    "AverageVelocity",
    "Explicit",
    "ExplicitEuler",
    "Impact",
    "Implicit",
    "LinearisedImplicit",
    "Newmark",
    "QuasiStatic",
    "Rest",
    "RungeKutta4",
    "State",
    "Surroundings",
    "SymplecticEuler",
    "System",
    "filtered",
    "keep_out",
]
