# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Small pieces that second derivatives of conditions are put together from."""

from functools import cache
from typing import Any

import warp as wp


@cache
def cross_matrix(dtype: Any) -> Any:
    """Return the Warp function a -> [a] with [a] b = a x b."""
    vec = wp.types.vector(length=3, dtype=dtype)
    mat = wp.types.matrix(shape=(3, 3), dtype=dtype)

    @wp.func(module="unique")
    def cross(a: vec):
        o = dtype(0.0)
        return mat(o, -a[2], a[1], a[2], o, -a[0], -a[1], a[0], o)

    return cross


@cache
def put_block(edges: int, dim: int, dtype: Any) -> Any:
    """Return the Warp function that writes B as block (a, b) of H, and its transpose as (b, a)."""
    square = wp.types.matrix(shape=(edges * dim, edges * dim), dtype=dtype)
    block = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    @wp.func(module="unique")
    def put(H: square, a: int, b: int, B: block):
        for i in range(dim):
            for j in range(dim):
                H[a * dim + i, b * dim + j] = B[i, j]
                H[b * dim + j, a * dim + i] = B[i, j]
        return H

    return put
