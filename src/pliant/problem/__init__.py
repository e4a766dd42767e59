"""The types that a step is written in: what is given to it, and what it changes.

    state, report = step(problem, state, loads, dt)

`Problem` is all that stays while topology, pins and matter stay; each body in it is a `System`
(energies, masses, pins, rigid motions, solvers) that minimises the objective of a step. Bodies that
are tied together form an `Island`. `State` is all that changes, `Loads` is what acts from outside,
and a `StepContext` is what a damping sees. `Damping`, `VelocityFilter` and `Stepper` say what a
damping and a stepper can do; `control` and `step` have those that there are.
"""

from .context import StepContext
from .control_state import ControlState
from .damping import Damping, Undamped
from .difference import Difference
from .filter import Points, VelocityFilter
from .inertia import Dissipation, Inertia, Quadratic
from .island import Island
from .island_system import IslandSystem
from .known import Known
from .loads import Loads
from .parts import Parts
from .problem import BodyProblem, Problem
from .rest import Rest
from .state import Guess, History, Past, State
from .stepper import Stepper
from .system import System
from .trials import NotApplicable, Trial, Vibration, trials_of

__all__ = [
    "BodyProblem",
    "ControlState",
    "Damping",
    "Difference",
    "Dissipation",
    "Guess",
    "History",
    "Inertia",
    "Island",
    "IslandSystem",
    "Known",
    "Loads",
    "NotApplicable",
    "Parts",
    "Past",
    "Points",
    "Problem",
    "Quadratic",
    "Rest",
    "State",
    "StepContext",
    "Stepper",
    "System",
    "Trial",
    "Undamped",
    "VelocityFilter",
    "Vibration",
    "trials_of",
]
