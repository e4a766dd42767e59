# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of penalties between cells: each contact takes the closest of its pairs."""

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, Ints2, Ints3, kernel_types
from pliant.energies import TERM_OPTIONS


@cache
def pair_kernels(touching: Callable[[int, Any], Any], dim: int, dtype: Any) -> Any:
    """Return value, gradient and diagonal kernels, and those of contacts, as attributes."""
    of = kernel_types(dim, dtype)
    vec = of.vec
    four = wp.types.vector(length=4, dtype=dtype)
    closest = touching(dim, dtype)
    zero, half, two = (wp.constant(dtype(v)) for v in (0.0, 0.5, 2.0))

    @wp.struct
    class Pairs:
        stencils: wp.array2d(dtype=wp.int32)
        starts: wp.array(dtype=wp.int32)
        thickness: wp.array(dtype=dtype)
        k: wp.array(dtype=dtype)
        side: wp.array(dtype=dtype)

    @wp.func(module="unique")
    def where(x: of.Vecs, s: Ints):
        return closest(x[s[0]], x[s[1]], x[s[2]], x[s[3]])

    @wp.func(module="unique")
    def between(x: of.Vecs, s: Ints, w: four):
        d = vec()
        for i in range(4):
            d += w[i] * (x[s[i]] - x[s[0]])  # weights sum to zero: far from the origin digits stay
        return d

    @wp.func(module="unique")
    def nearest(x: of.Vecs, pairs: Pairs, c: int):
        best = pairs.starts[c]
        first = pairs.stencils[best]
        least = wp.length(between(x, first, where(x, first)))
        for p in range(best + 1, pairs.starts[c + 1]):
            s = pairs.stencils[p]
            apart = wp.length(between(x, s, where(x, s)))
            if apart < least:
                least = apart
                best = p
        return best

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_distance(x: wp.array(dtype=vec), stencils: Ints2, out: wp.array(dtype=dtype)):
        p = wp.tid()
        s = stencils[p]
        out[p] = wp.length(between(x, s, where(x, s)))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_value(x: of.Vecs, pairs: Pairs, energies: Doubles):
        c = wp.tid()
        s = pairs.stencils[nearest(x, pairs, c)]
        gap = pairs.side[c] * wp.length(between(x, s, where(x, s))) - pairs.thickness[c]
        gap = wp.min(gap, zero)
        energies[c] = wp.float64(half * pairs.k[c] * gap * gap)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_gradient(x: of.Vecs, pairs: Pairs, g: of.Vecs):
        c = wp.tid()
        s = pairs.stencils[nearest(x, pairs, c)]
        w = where(x, s)
        d = between(x, s, w)
        apart = wp.length(d)
        gap = pairs.side[c] * apart - pairs.thickness[c]
        if gap < zero and apart > zero:  # what lies in one place is pushed nowhere
            f = pairs.side[c] * pairs.k[c] * gap / apart * d
            for i in range(4):
                wp.atomic_add(g, s[i], w[i] * f)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_diagonal(x: of.Vecs, pairs: Pairs, slots: Ints3, blocks: of.Mats):
        c = wp.tid()
        s = pairs.stencils[nearest(x, pairs, c)]
        w = where(x, s)
        d = between(x, s, w)
        apart = wp.length(d)
        if pairs.side[c] * apart < pairs.thickness[c] and apart > zero:
            n = d / apart
            for i in range(4):
                slot = slots[s[i], 0, 0]
                if slot >= 0:
                    # Sizes of all weights of a pair sum to two.
                    wp.atomic_add(blocks, slot, two * pairs.k[c] * wp.abs(w[i]) * wp.outer(n, n))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_contact(
        x: of.Vecs, pairs: Pairs, chosen: Ints, weights: wp.array(dtype=four), normals: of.Vecs
    ):
        c = wp.tid()
        p = nearest(x, pairs, c)
        w = where(x, pairs.stencils[p])
        d = between(x, pairs.stencils[p], w)
        apart = wp.length(d)
        chosen[c] = -1
        if pairs.side[c] * apart < pairs.thickness[c] and apart > zero:
            chosen[c] = p
            weights[c] = w
            normals[c] = d / apart

    return SimpleNamespace(
        constants=Pairs,
        distance=pair_distance,
        value=pair_value,
        gradient=pair_gradient,
        diagonal=pair_diagonal,
        contact=pair_contact,
    )
