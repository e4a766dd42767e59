"""Many runs: sweeps over fields of a scene, fits of parameters, on all cores or on a cluster.

A variant is a job, a job leaves a take, and the take is the memory: whatever ends a sweep, it goes on
where it was. `engine` knows dask.distributed, and nothing else here does; it is imported when a sweep
runs.
"""

from .folder import SUFFIX as SUFFIX
from .pictures import check_picture as check_picture
from .security import Security as Security
from .sweep import Sweep as Sweep, VariantResult as VariantResult
from .variants import Variant as Variant
from .written import fields_of as fields_of, has_several as has_several
