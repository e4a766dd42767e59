# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of ties."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .term_kernels import term_kernels


@cache
def tie_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes."""
    of = kernel_types(dim, dtype)
    vec, half = of.vec, wp.constant(dtype(0.5))

    @wp.struct
    class Ties:
        k: wp.array(dtype=dtype)
        weights: wp.array2d(dtype=dtype)

    @wp.func(module="unique")
    def gap(x: of.Vecs, s: Ints, t: int, c: Ties):
        d = vec()
        for i in range(s.shape[0]):
            d += c.weights[t, i] * x[s[i]]
        return d

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Ties):
        d = gap(x, s, t, c)
        return half * c.k[t] * wp.dot(d, d)

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Ties, g: of.Vecs):
        f = c.k[t] * gap(x, s, t, c)
        for i in range(s.shape[0]):
            wp.atomic_add(g, s[i], c.weights[t, i] * f)

    @wp.func(module="unique")
    def hessian(x: of.Vecs, s: Ints, t: int, c: Ties, project: int, slots: Ints2, blocks: of.Mats):
        one = wp.identity(n=dim, dtype=dtype)
        for i in range(s.shape[0]):
            for j in range(s.shape[0]):
                slot = slots[i, j]
                if slot >= 0:
                    wp.atomic_add(blocks, slot, c.k[t] * c.weights[t, i] * c.weights[t, j] * one)

    return term_kernels(Ties, dim, dtype, value=value, gradient=gradient, hessian=hessian)
