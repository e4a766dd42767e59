"""What each damping adds to a step, and the control law as pure functions.

A damping is one file here and one line below; scene files, docs, laboratory and law tests find it.
"""

from typing import TYPE_CHECKING

from pliant.declared import exported

from .base import Damping as Damping, Undamped as Undamped
from .condition import ConditionDamping as ConditionDamping
from .energy_minimising import EnergyMinimising as EnergyMinimising
from .filter import Points as Points, VelocityFilter as VelocityFilter
from .law import Law as Law, longest_dt as longest_dt, solve_law as solve_law
from .point import PointDamping as PointDamping
from .rayleigh import Rayleigh as Rayleigh
from .relative import RelativeDamping as RelativeDamping
from .settle import Settle as Settle
from .spring import IterativeSpringDamping as IterativeSpringDamping, SpringDamping as SpringDamping
from .strain_rate import StrainRate as StrainRate

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = exported(globals())
