"""Minimisers, linear solvers and eigenvalues: they know nothing of physics.

`Newton` minimises an objective that has a value, a gradient and a linear solver. A `LinearSolver`
solves one Newton system and keeps what serves the next: a factor, multigrid on grids or on
aggregates, or conjugate gradients. Only `backend` is imported.
"""

from .blocks import BlockPattern as BlockPattern, Restriction as Restriction, shaped as shaped
from .bounded import one_sided as one_sided
from .coarsened import Coarsened as Coarsened
from .coarsening import interpolations as interpolations
from .confined import Confined as Confined
from .constraint import Complement as Complement
from .dissection import Ordered as Ordered
from .eigen import (
    has_positive_pivots as has_positive_pivots,
    is_stable as is_stable,
    lowest_modes as lowest_modes,
)
from .factored import Factored as Factored
from .galerkin import Galerkin as Galerkin
from .grid_objective import Sample as Sample, Terms as Terms
from .gridded import Gridded as Gridded
from .grids import COARSEST as COARSEST, Grids as Grids
from .least_distance import shortest as shortest
from .linear import KeptPreconditioner as KeptPreconditioner
from .low_rank import LowRankUpdate as LowRankUpdate, updated as updated
from .multigrid import Multigrid as Multigrid
from .newton import (
    LIMIT as LIMIT,
    LinearSolver as LinearSolver,
    Newton as Newton,
    Objective as Objective,
    Report as Report,
)
from .pair_blocks import (
    PairBlocks as PairBlocks,
    pair_matrix as pair_matrix,
    with_pairs as with_pairs,
)
from .single import Single as Single
from .tied import Tied as Tied
from .time_budget import time_budget as time_budget
from .unknowns import Unknowns as Unknowns
from .ways import Ways as Ways
