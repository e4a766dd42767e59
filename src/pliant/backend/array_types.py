# mypy: ignore-errors
# Values are types here, as Warp reads the signatures of kernels.
"""Types of arrays in the signatures of kernels; a figure is the number of indices."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import warp as wp

Ints, Ints2, Ints3 = (wp.array(dtype=wp.int32, ndim=k) for k in (1, 2, 3))
Doubles, Doubles2 = (wp.array(dtype=wp.float64, ndim=k) for k in (1, 2))


class KernelTypes(NamedTuple):
    """The Warp types of points in a dimension and a precision, and of arrays of them."""

    vec: Any
    mat: Any
    Vecs: Any
    Mats: Any


@cache
def kernel_types(dim: int, dtype: Any = wp.float64) -> KernelTypes:
    """Return the types of vectors and square matrices, and of their arrays."""
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    return KernelTypes(vec, mat, wp.array(dtype=vec), wp.array(dtype=mat))


def on_device(struct: Any, values: Mapping[str, Any], device: Any) -> dict[str, Any]:
    """Values for a Warp struct: arrays of numpy become arrays of the device, of its types."""

    def placed(name: str, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        dtype = struct.vars[name].type.dtype
        return wp.array(np.ascontiguousarray(value), dtype=dtype, device=device)

    return {name: placed(name, value) for name, value in values.items()}
