"""Minimisers, linear solvers and eigenvalues: they know nothing of physics."""

from .blocks import BlockPattern, Restriction
from .constraint import Complement
from .eigen import is_stable, lowest_modes
from .factored import Factored
from .linear import KeptPreconditioner
from .newton import Linear, Newton, Objective, Report
from .vectors import HostVectors, Vectors

__all__ = [
    "BlockPattern",
    "Complement",
    "Factored",
    "HostVectors",
    "KeptPreconditioner",
    "Linear",
    "Newton",
    "Objective",
    "Report",
    "Restriction",
    "Vectors",
    "is_stable",
    "lowest_modes",
]
