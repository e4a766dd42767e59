"""The types that a step is written in: what is given to it, and what it changes.

    state, report = step(problem, state, loads, dt)

`Problem` is all that stays while topology, pins and matter stay; each body in it is a `System`
(energies, masses, pins, rigid motions, solvers) that minimises the objective of a step. Bodies that
are tied together or may touch form an `Island`. `State` is all that changes, `Loads` is what acts
from outside, and a `StepContext` is what a damping sees. `Damping`, `VelocityFilter` and `Stepper` say
what a damping and a stepper can do; `control` and `step` have those that there are.
"""

from .confinement import (
    Confinement as Confinement,
    CoordinateEnergy as CoordinateEnergy,
)
from .context import StepContext as StepContext
from .control_state import ControlState as ControlState
from .damping import Damping as Damping, Undamped as Undamped
from .difference import Difference as Difference
from .filter import Points as Points, VelocityFilter as VelocityFilter
from .history import (
    Flow as Flow,
    History as History,
    IslandHistory as IslandHistory,
    flows as flows,
)
from .inertia import (
    Dissipation as Dissipation,
    Inertia as Inertia,
    IslandInertia as IslandInertia,
    MotionInertia as MotionInertia,
    Quadratic as Quadratic,
)
from .island import Island as Island
from .island_damping import (
    IslandControl as IslandControl,
    IslandDamping as IslandDamping,
    joined_inertia as joined_inertia,
)
from .island_system import IslandSystem as IslandSystem
from .known import Known as Known
from .loads import Loads as Loads
from .parts import Parts as Parts
from .problem import BodyProblem as BodyProblem, Meeting as Meeting, Problem as Problem
from .rest import Rest as Rest
from .rigid import (
    Part as Part,
    fit_rotation as fit_rotation,
    rigid_motions as rigid_motions,
    rotation_matrix as rotation_matrix,
)
from .state import (
    Guess as Guess,
    Past as Past,
    State as State,
)
from .stepper import Stepper as Stepper
from .system import STILL as STILL, System as System
from .trials import (
    NotApplicable as NotApplicable,
    Trial as Trial,
    Vibration as Vibration,
    trials_of as trials_of,
)
