"""Minimisers, linear solvers and eigenvalues: they know nothing of physics.

`Newton` minimises an objective that has a value, a gradient and a linear solver. A `LinearSolver`
solves one Newton system and keeps what serves the next: a factor, multigrid on grids or on
aggregates, or conjugate gradients. Only `backend` is imported.
"""

from .blocks import BlockPattern, Restriction, shaped
from .coarsened import Coarsened
from .coarsening import interpolations
from .constraint import Complement
from .dissection import Ordered
from .eigen import is_stable, lowest_modes
from .factored import Factored
from .galerkin import Galerkin
from .gridded import Gridded, Sample, Terms
from .grids import Grids
from .linear import KeptPreconditioner
from .low_rank import LowRankUpdate, updated
from .multigrid import Multigrid
from .newton import LinearSolver, Newton, Objective, Report
from .tied import Tied

__all__ = [
    "BlockPattern",
    "Coarsened",
    "Complement",
    "Factored",
    "Galerkin",
    "Gridded",
    "Grids",
    "KeptPreconditioner",
    "LinearSolver",
    "LowRankUpdate",
    "Multigrid",
    "Newton",
    "Objective",
    "Ordered",
    "Report",
    "Restriction",
    "Sample",
    "Terms",
    "Tied",
    "interpolations",
    "is_stable",
    "lowest_modes",
    "shaped",
    "updated",
]
