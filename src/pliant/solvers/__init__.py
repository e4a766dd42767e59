"""Minimisers, linear solvers and eigenvalues: they know nothing of physics."""

from .blocks import BlockPattern, Restriction, shaped
from .coarsened import Coarsened
from .coarsening import interpolations
from .constraint import Complement
from .eigen import is_stable, lowest_modes
from .factored import Factored
from .galerkin import Galerkin
from .gridded import Gridded, Sample, Terms
from .grids import Grids
from .linear import KeptPreconditioner
from .multigrid import Multigrid
from .newton import Linear, Newton, Objective, Report
from .tied import Tied
from .updated import Updated, updated

__all__ = [
    "BlockPattern",
    "Coarsened",
    "Complement",
    "Factored",
    "Galerkin",
    "Gridded",
    "Grids",
    "KeptPreconditioner",
    "Linear",
    "Multigrid",
    "Newton",
    "Objective",
    "Report",
    "Restriction",
    "Sample",
    "Terms",
    "Tied",
    "Updated",
    "interpolations",
    "is_stable",
    "lowest_modes",
    "shaped",
    "updated",
]
