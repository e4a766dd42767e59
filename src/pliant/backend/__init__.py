"""Where arrays live and how kernels are launched: the only room that knows CPU from CUDA.

What belongs here: starting Warp and telling of its compilations (`runtime`, `compiling`), launches that
are recorded and replayed (`recorded`), sums over the threads of a launch (`reductions`), copies in
another precision (`casts`), facts about a device (`devices`), and spaces: arrays of one vector per point
on the host (`HostSpace`, numpy) or on a device (`DeviceSpace`, Warp), with the arithmetic that a
minimiser, an objective and rigid motion need of them. `Spaces.of(x)` says in which of a body's spaces an
array lives; nobody else asks. Code above this room is written once, over a `Space`.

What does not: meshes, energies, anything that knows what the vectors mean.
"""

from .array_types import (
    Doubles as Doubles,
    Doubles2 as Doubles2,
    Ints as Ints,
    Ints2 as Ints2,
    Ints3 as Ints3,
    kernel_types as kernel_types,
    on_device as on_device,
)
from .casts import scaled as scaled
from .compiling import compilation as compilation
from .device_space import DeviceSpace as DeviceSpace
from .devices import (
    BLOCK as BLOCK,
    keeps_arrays as keeps_arrays,
    parallel as parallel,
    resident as resident,
    whole_blocks as whole_blocks,
)
from .exchange import (
    Exchange as Exchange,
    Recent as Recent,
    device_of as device_of,
    joined as joined,
    overwrite as overwrite,
    spread as spread,
    to_device as to_device,
    to_host as to_host,
    vector_length as vector_length,
)
from .host_groups import axial as axial, cross_matrix as cross_matrix
from .host_space import HostSpace as HostSpace
from .labels import Labels as Labels
from .recorded import Command as Command, Launches as Launches, Recorded as Recorded
from .reductions import (
    OPTIONS as OPTIONS,
    HostNumbers as HostNumbers,
    adder as adder,
    kernels_named as kernels_named,
    topper as topper,
)
from .runtime import (
    check_device as check_device,
    cores as cores,
    one_thread as one_thread,
    start as start,
)
from .space import Groups as Groups, Space as Space, norm as norm
from .spaces import Spaces as Spaces
from .threads import computing as computing
