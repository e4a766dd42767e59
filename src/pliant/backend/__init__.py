"""Where arrays live and how kernels are launched: the only room that knows CPU from CUDA.

What belongs here: starting Warp and telling of its compilations (`runtime`, `compiling`), launches that
are recorded and replayed (`recorded`), sums over the threads of a launch (`reductions`), copies in
another precision (`casts`), facts about a device (`devices`), and spaces: arrays of one vector per point
on the host (`HostSpace`, numpy) or on a device (`DeviceSpace`, Warp), with the arithmetic that a
minimiser, an objective and rigid motion need of them. `Spaces.of(x)` says in which of a body's spaces an
array lives; nobody else asks. Code above this room is written once, over a `Space`.

What does not: meshes, energies, anything that knows what the vectors mean.
"""

from .casts import scaled
from .compiling import compilation
from .device_space import DeviceSpace
from .devices import BLOCK, keeps_arrays, parallel, resident, whole_blocks
from .exchange import Exchange, device_of, overwrite, spread, to_device, to_host, vector_length
from .host_groups import axial, cross_matrix
from .host_space import HostSpace
from .recorded import Command, Launches, Recorded
from .reductions import OPTIONS, Mailbox, adder, kernels_named, topper
from .runtime import check_device, cores, one_thread, start
from .space import Groups, Space, norm
from .spaces import Spaces

__all__ = [
    "BLOCK",
    "OPTIONS",
    "Command",
    "DeviceSpace",
    "Exchange",
    "Groups",
    "HostSpace",
    "Launches",
    "Mailbox",
    "Recorded",
    "Space",
    "Spaces",
    "adder",
    "axial",
    "check_device",
    "compilation",
    "cores",
    "cross_matrix",
    "device_of",
    "keeps_arrays",
    "kernels_named",
    "norm",
    "one_thread",
    "overwrite",
    "parallel",
    "resident",
    "scaled",
    "spread",
    "start",
    "to_device",
    "to_host",
    "topper",
    "vector_length",
    "whole_blocks",
]
