"""Many runs: sweeps over fields of a scene, fits of parameters, on all cores or on a cluster.

A variant is a job, a job leaves a take, and the take is the memory: whatever ends a sweep, it goes on
where it was. `engine` knows dask.distributed, and nothing else here does; it is imported when a sweep
runs.
"""

from .engine import (
    JobEngine as JobEngine,
    Workers as Workers,
    client_at as client_at,
    workers_of as workers_of,
)
from .fitting import fit as fit
from .folder import SUFFIX as SUFFIX
from .found import Fit as Fit
from .methods import (
    CMAES as CMAES,
    LBFGS as LBFGS,
    Annealing as Annealing,
    GaussNewton as GaussNewton,
    Method as Method,
)
from .outcome import Outcome as Outcome, VariantState as VariantState
from .pictures import check_picture as check_picture
from .scene_maker import SceneMaker as SceneMaker
from .security import Security as Security
from .sweep import Sweep as Sweep, VariantResult as VariantResult
from .targets import PointTracks as PointTracks, read_target as read_target
from .variants import Variant as Variant
from .versions import require_same_versions as require_same_versions
from .wish import FoundWish as FoundWish, fit_wish as fit_wish
from .written import fields_of as fields_of, has_several as has_several
