"""Steppers: one file for each way to make a time step.

`step` moves all bodies of a scene. `Implicit` minimises, and so do those built on it; the explicit
family reads the same energies through their gradient; `QuasiStatic` leaves inertia out. A stepper
has `step(problem, state, loads, dt)`, which returns the new state and a report and changes nothing
that it is given.
"""

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
from .linearised import LinearisedImplicit
from .newmark import Newmark
from .runge_kutta import RungeKutta4
from .step import SceneState, step
from .stepper import accept_stepper
from .symplectic import SymplecticEuler
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
    "RungeKutta4",
    "SceneState",
    "SymplecticEuler",
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
