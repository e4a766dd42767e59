# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Arrays of numbers, vectors or matrices in another precision or size."""

from functools import cache
from typing import Any

import warp as wp

from .reductions import OPTIONS


@cache
def cast_kernel(given: type, wanted: type) -> Any:
    """Return the kernel that copies vectors or matrices of one scalar type into another's.

    Recorded and launched again it takes a third of the time of `wp.utils.array_cast`.
    """
    scalar = wanted._wp_scalar_type_
    Given, Wanted = wp.array(dtype=given), wp.array(dtype=wanted)
    if len(wanted._shape_) == 1:
        (n,) = wanted._shape_

        @wp.kernel(module="unique", module_options=OPTIONS)
        def cast_vectors(a: Given, out: Wanted):
            i = wp.tid()
            v = wanted()
            for k in range(n):
                v[k] = scalar(a[i][k])
            out[i] = v

        return cast_vectors

    n, m = wanted._shape_

    @wp.kernel(module="unique", module_options=OPTIONS)
    def cast_matrices(a: Given, out: Wanted):
        i = wp.tid()
        v = wanted()
        for j in range(n):
            for k in range(m):
                v[j, k] = scalar(a[i][j, k])
        out[i] = v

    return cast_matrices


def scaled(a: Any, factor: float) -> Any:
    """An array times a factor, as a new array of the device."""
    out = wp.empty_like(a)
    wp.launch(_scale_kernel(a.dtype), a.shape, [float(factor), a, out], device=a.device)
    return out


@cache
def _scale_kernel(dtype: Any) -> Any:
    scalar = getattr(dtype, "_wp_scalar_type_", dtype)
    Reals = wp.array(dtype=dtype)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def scale(factor: wp.float64, a: Reals, out: Reals):
        i = wp.tid()
        out[i] = scalar(factor) * a[i]

    return scale
