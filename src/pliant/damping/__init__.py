"""What each damping adds to a step, and the control law as pure functions.

A damping is one file here and one line below; scene files, docs, laboratory and law tests find it.
"""

from typing import TYPE_CHECKING

from pliant.declared import exported

from .base import Damping as Damping, Undamped as Undamped
from .condition import ConditionDamping as ConditionDamping
from .context import StepContext as StepContext
from .control_state import ControlState as ControlState
from .difference import Difference as Difference
from .energy_minimising import EnergyMinimising as EnergyMinimising
from .filter import Points as Points, VelocityFilter as VelocityFilter
from .inertia import Dissipation as Dissipation, Inertia as Inertia, Quadratic as Quadratic
from .law import (
    Law as Law,
    Release as Release,
    decay_rate as decay_rate,
    longest_dt as longest_dt,
    solve_law as solve_law,
)
from .per_body import PerBody as PerBody
from .point import PointDamping as PointDamping
from .rayleigh import Rayleigh as Rayleigh
from .relative import RelativeDamping as RelativeDamping
from .settle import Settle as Settle
from .settle_state import SettleState as SettleState
from .spring import IterativeSpringDamping as IterativeSpringDamping, SpringDamping as SpringDamping
from .strain_inertia import StrainInertia as StrainInertia, strain_energies as strain_energies
from .strain_rate import StrainRate as StrainRate
from .trials import NotApplicable as NotApplicable, Trial as Trial, trials_of as trials_of

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = exported(globals())
