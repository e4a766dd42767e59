"""Dampings: what each adds to a step, and the law of `Settle` with its states.

A damping is one file here and one line below; scene files, docs, laboratory and law tests find it.
Its author needs `Damping` or `VelocityFilter` and the types that these speak, which are offered
here too.
"""

from typing import TYPE_CHECKING

from pliant.declared import exported
from pliant.problem import (
    ControlState as ControlState,
    Damping as Damping,
    Difference as Difference,
    Dissipation as Dissipation,
    Inertia as Inertia,
    NotApplicable as NotApplicable,
    Points as Points,
    Quadratic as Quadratic,
    StepContext as StepContext,
    Trial as Trial,
    Undamped as Undamped,
    VelocityFilter as VelocityFilter,
    trials_of as trials_of,
)

from .beats import Beats as Beats
from .condition import ConditionDamping as ConditionDamping
from .descent import descent as descent
from .energy_minimising import EnergyMinimising as EnergyMinimising
from .hop_limits import HopLimits as HopLimits
from .hops import (
    MOST_RESTITUTION as MOST_RESTITUTION,
    Hop as Hop,
    Landing as Landing,
    hop_until as hop_until,
    next_hop as next_hop,
    resting_sides as resting_sides,
)
from .landing_state import (
    Hit as Hit,
    LandingStage as LandingStage,
    LandingState as LandingState,
    TakeOff as TakeOff,
)
from .law import (
    Law as Law,
    Release as Release,
    decay_rate as decay_rate,
    longest_dt as longest_dt,
    sampled as sampled,
    solve_law as solve_law,
)
from .per_body import PerBody as PerBody
from .point import PointDamping as PointDamping
from .rayleigh import Rayleigh as Rayleigh
from .relative import RelativeDamping as RelativeDamping
from .settle import Settle as Settle
from .settle_state import SettleState as SettleState
from .spring import IterativeSpringDamping as IterativeSpringDamping, SpringDamping as SpringDamping
from .strain_energies import solid_strain as solid_strain, strain_energies as strain_energies
from .strain_inertia import StrainInertia as StrainInertia
from .strain_rate import StrainRate as StrainRate

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = exported(globals())
