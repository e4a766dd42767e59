# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of springs. `order` is the share of the springs that a launch visits."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS


@cache
def spring_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes."""
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    zero, one, half, quarter, three = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5, 0.25, 3.0))

    barely = wp.constant(dtype(1.0 + 1e-7))

    @wp.func(module="unique")
    def stretched(length: dtype, rest: dtype, pulls_only: int):
        d = length - rest
        if pulls_only == 1 and d < zero:
            d = zero
        return d

    @wp.kernel(module="unique", module_options=OPTIONS)
    def spring_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        pairs: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        rests: wp.array(dtype=dtype),
        stiffening: dtype,
        pulls_only: int,
        energies: wp.array(dtype=wp.float64),
    ):
        s = order[wp.tid()]
        d = stretched(wp.length(x[pairs[s, 1]] - x[pairs[s, 0]]), rests[s], pulls_only)
        e = d / rests[s]
        energies[s] = wp.float64(k[s] * d * d * (half + quarter * stiffening * e * e))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def spring_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        pairs: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        rests: wp.array(dtype=dtype),
        stiffening: dtype,
        pulls_only: int,
        g: wp.array(dtype=vec),
    ):
        s = order[wp.tid()]
        u = x[pairs[s, 1]] - x[pairs[s, 0]]
        length = wp.length(u)
        d = stretched(length, rests[s], pulls_only)
        e = d / rests[s]
        if length > zero:  # two points in one place push each other nowhere
            f = k[s] * d * (one + stiffening * e * e) / length * u
            wp.atomic_sub(g, pairs[s, 0], f)
            wp.atomic_add(g, pairs[s, 1], f)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def spring_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        pairs: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        rests: wp.array(dtype=dtype),
        stiffening: dtype,
        pulls_only: int,
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        s = order[wp.tid()]
        u = x[pairs[s, 1]] - x[pairs[s, 0]]
        length = wp.length(u)
        d = stretched(length, rests[s], pulls_only)
        e = d / rests[s]
        along = k[s] * (one + three * stiffening * e * e)
        if pulls_only == 1:
            # Just taut, a string resists one way only: for a search it does, for stability it does not.
            slack = rests[s]
            if project == 0:
                slack = barely * rests[s]
            if length < slack:
                along = zero
        across = zero
        n = vec()
        if length > zero:
            n = u / length
            across = k[s] * d * (one + stiffening * e * e) / length
        # The eigenvalues of a spring's Hessian are twice these two and zeros.
        if project == 1:
            across = wp.max(across, zero)
        own = across * wp.identity(n=dim, dtype=dtype) + (along - across) * wp.outer(n, n)
        for a in range(2):
            for b in range(2):
                at = slots[s, a, b]
                if at >= 0:
                    if a == b:
                        wp.atomic_add(blocks, at, own)
                    else:
                        wp.atomic_sub(blocks, at, own)

    return SimpleNamespace(value=spring_value, gradient=spring_gradient, hessian=spring_hessian)
