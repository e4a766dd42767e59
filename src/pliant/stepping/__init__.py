"""The step as a minimisation, the explicit family, and quasi-static motion."""

from .average_velocity import AverageVelocity
from .bdf2 import BDF2
from .beginning import host_reason
from .checkpoint import pack, pack_known, unpack, unpack_known
from .explicit import Explicit
from .explicit_euler import ExplicitEuler
from .filtering import filter_points
from .impact import Impact
from .impact_turning import Turning
from .implicit import Implicit, QuasiStatic
from .island import Island
from .island_system import IslandSystem
from .known import Known
from .linearised import LinearisedImplicit
from .loads import Loads
from .newmark import Newmark
from .parts import Parts
from .problem import BodyProblem, Problem
from .rest import Rest
from .runge_kutta import RungeKutta4
from .state import History, State
from .step import SceneState, step
from .stepper import Stepper, accept_stepper
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
    "Known",
    "LinearisedImplicit",
    "Loads",
    "Newmark",
    "Parts",
    "Problem",
    "QuasiStatic",
    "Rest",
    "RungeKutta4",
    "SceneState",
    "State",
    "Stepper",
    "SymplecticEuler",
    "System",
    "Turning",
    "accept_stepper",
    "filter_points",
    "host_reason",
    "pack",
    "pack_known",
    "step",
    "unpack",
    "unpack_known",
]
