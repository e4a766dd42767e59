"""What each damping adds to a step, and the control law as pure functions."""

from .base import Damping, Undamped
from .condition import ConditionDamping
from .energy_minimising import EnergyMinimising
from .filter import Points, VelocityFilter
from .law import Law, longest_dt, solve_law
from .point import PointDamping
from .rayleigh import Rayleigh
from .relative import RelativeDamping
from .settle import Settle
from .spring import IterativeSpringDamping, SpringDamping
from .strain_rate import StrainRate

__all__ = [
    "ConditionDamping",
    "Damping",
    "EnergyMinimising",
    "IterativeSpringDamping",
    "Law",
    "PointDamping",
    "Points",
    "Rayleigh",
    "RelativeDamping",
    "Settle",
    "SpringDamping",
    "StrainRate",
    "Undamped",
    "VelocityFilter",
    "longest_dt",
    "solve_law",
]
