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
    Given, Wanted = wp.array(dtype=given), wp.array(dtype=wanted)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def cast(a: Given, out: Wanted):
        i = wp.tid()
        out[i] = wanted(a[i])

    return cast


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
