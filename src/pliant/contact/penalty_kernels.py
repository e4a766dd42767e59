# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of penalties between cells: each contact takes the closest of its pairs."""

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS


@cache
def pair_kernels(touching: Callable[[int, Any], Any], dim: int, dtype: Any) -> Any:
    """Return value, gradient and diagonal kernels, and those of contacts, as attributes."""
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    four = wp.types.vector(length=4, dtype=dtype)
    closest = touching(dim, dtype)
    zero, half, two = (wp.constant(dtype(v)) for v in (0.0, 0.5, 2.0))

    @wp.func(module="unique")
    def where(x: wp.array(dtype=vec), s: wp.array(dtype=wp.int32)):
        return closest(x[s[0]], x[s[1]], x[s[2]], x[s[3]])

    @wp.func(module="unique")
    def between(x: wp.array(dtype=vec), s: wp.array(dtype=wp.int32), w: four):
        d = vec()
        for i in range(4):
            d += w[i] * (x[s[i]] - x[s[0]])  # weights sum to zero: far from the origin digits stay
        return d

    @wp.func(module="unique")
    def nearest(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        begin: int,
        end: int,
    ):
        best = begin
        least = wp.length(between(x, stencils[begin], where(x, stencils[begin])))
        for p in range(begin + 1, end):
            apart = wp.length(between(x, stencils[p], where(x, stencils[p])))
            if apart < least:
                least = apart
                best = p
        return best

    @wp.kernel(module="unique", module_options=OPTIONS)
    def pair_distance(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        out: wp.array(dtype=dtype),
    ):
        p = wp.tid()
        s = stencils[p]
        out[p] = wp.length(between(x, s, where(x, s)))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def pair_value(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        thickness: wp.array(dtype=dtype),
        k: wp.array(dtype=dtype),
        side: wp.array(dtype=dtype),
        energies: wp.array(dtype=wp.float64),
    ):
        c = wp.tid()
        s = stencils[nearest(x, stencils, starts[c], starts[c + 1])]
        gap = side[c] * wp.length(between(x, s, where(x, s))) - thickness[c]
        gap = wp.min(gap, zero)
        energies[c] = wp.float64(half * k[c] * gap * gap)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def pair_gradient(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        thickness: wp.array(dtype=dtype),
        k: wp.array(dtype=dtype),
        side: wp.array(dtype=dtype),
        g: wp.array(dtype=vec),
    ):
        c = wp.tid()
        s = stencils[nearest(x, stencils, starts[c], starts[c + 1])]
        w = where(x, s)
        d = between(x, s, w)
        apart = wp.length(d)
        gap = side[c] * apart - thickness[c]
        if gap < zero and apart > zero:  # what lies in one place is pushed nowhere
            f = side[c] * k[c] * gap / apart * d
            for i in range(4):
                wp.atomic_add(g, s[i], w[i] * f)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def pair_diagonal(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        thickness: wp.array(dtype=dtype),
        k: wp.array(dtype=dtype),
        side: wp.array(dtype=dtype),
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        c = wp.tid()
        s = stencils[nearest(x, stencils, starts[c], starts[c + 1])]
        w = where(x, s)
        d = between(x, s, w)
        apart = wp.length(d)
        if side[c] * apart < thickness[c] and apart > zero:
            n = d / apart
            for i in range(4):
                slot = slots[s[i], 0, 0]
                if slot >= 0:
                    # Sizes of all weights of a pair sum to two.
                    wp.atomic_add(blocks, slot, two * k[c] * wp.abs(w[i]) * wp.outer(n, n))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def pair_contact(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        thickness: wp.array(dtype=dtype),
        k: wp.array(dtype=dtype),
        side: wp.array(dtype=dtype),
        chosen: wp.array(dtype=wp.int32),
        weights: wp.array(dtype=four),
        normals: wp.array(dtype=vec),
    ):
        c = wp.tid()
        p = nearest(x, stencils, starts[c], starts[c + 1])
        w = where(x, stencils[p])
        d = between(x, stencils[p], w)
        apart = wp.length(d)
        chosen[c] = -1
        if side[c] * apart < thickness[c] and apart > zero:
            chosen[c] = p
            weights[c] = w
            normals[c] = d / apart

    return SimpleNamespace(
        distance=pair_distance,
        value=pair_value,
        gradient=pair_gradient,
        diagonal=pair_diagonal,
        contact=pair_contact,
    )
