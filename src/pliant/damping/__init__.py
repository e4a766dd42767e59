"""What each damping adds to a step, and the control law as pure functions."""

from .base import Damping, Undamped
from .energy_minimising import EnergyMinimising
from .law import Law, longest_dt, solve_law
from .rayleigh import Rayleigh
from .settle import Settle
from .strain_rate import StrainRate

__all__ = [
    "Damping",
    "EnergyMinimising",
    "Law",
    "Rayleigh",
    "Settle",
    "StrainRate",
    "Undamped",
    "longest_dt",
    "solve_law",
]
