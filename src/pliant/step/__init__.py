"""Steppers: one file for each way to make a time step.

`step` moves all bodies of a scene. `Implicit` minimises, and so do those built on it; the explicit
family reads the same energies through their gradient; `QuasiStatic` leaves inertia out. A stepper
has `step(problem, state, loads, dt)`, which returns the new state and a report and changes nothing
that it is given.
"""

from .average_velocity import AverageVelocity as AverageVelocity
from .bdf2 import BDF2 as BDF2
from .beginning import host_reason as host_reason
from .checkpoint import (
    pack as pack,
    pack_known as pack_known,
    unpack as unpack,
    unpack_known as unpack_known,
)
from .explicit import Explicit as Explicit
from .explicit_euler import ExplicitEuler as ExplicitEuler
from .filtering import filter_points as filter_points
from .impact import Impact as Impact
from .impact_turning import Turning as Turning
from .implicit import Implicit as Implicit
from .linearised import LinearisedImplicit as LinearisedImplicit
from .newmark import Newmark as Newmark
from .quasi_static import QuasiStatic as QuasiStatic
from .resting import (
    require_stable_in_contact as require_stable_in_contact,
    rest_in_contact as rest_in_contact,
)
from .runge_kutta import RungeKutta4 as RungeKutta4
from .step import SceneState as SceneState, step as step
from .stepper import accept_stepper as accept_stepper
from .symplectic import SymplecticEuler as SymplecticEuler
from .xpbd import XPBD as XPBD
