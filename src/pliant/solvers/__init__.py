"""Minimisers, linear solvers and eigenvalues: they know nothing of physics."""

from .blocks import BlockPattern, Restriction
from .constraint import Complement
from .eigen import is_stable, lowest_modes
from .linear import KeptPreconditioner
from .newton import Newton, Objective, Report

__all__ = [
    "BlockPattern",
    "Complement",
    "KeptPreconditioner",
    "Newton",
    "Objective",
    "Report",
    "Restriction",
    "is_stable",
    "lowest_modes",
]
