# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of arithmetic on arrays of vectors."""

from functools import cache
from typing import Any

import warp as wp

from .array_types import Doubles, Doubles2, Ints
from .reductions import OPTIONS, adder, kernels_named, topper


@cache
def vector_kernels(dim: int, cuda: bool) -> Any:
    """Return the kernels, as attributes. Reductions are launched over whole blocks."""
    vec = wp.types.vector(dim, wp.float64)
    zero = wp.constant(wp.float64(0.0))
    add, top = adder(cuda), topper(cuda)
    Vecs = wp.array(dtype=vec)

    @wp.func
    def size(a: vec):
        most = zero
        for k in range(dim):
            if not (wp.abs(a[k]) <= most):  # not a number counts as the largest
                most = wp.abs(a[k])
        return most

    @wp.kernel(module="unique", module_options=OPTIONS)
    def dot(a: Vecs, b: Vecs, total: Doubles):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = wp.dot(a[i], b[i])
        add(total, 0, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def weighted(weights: Doubles, a: Vecs, t: wp.float64, b: Vecs, total: Doubles):
        # the sum of w |a - t b|^2
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            u = a[i] - t * b[i]
            part = weights[i] * wp.dot(u, u)
        add(total, 0, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def both(
        weights: Doubles, x: Vecs, a: Vecs, b: Vecs, first: Doubles, second: Doubles, none: Doubles
    ):
        # the sums of w |x - a|^2 and w |x - b|^2
        i = wp.tid()
        part, other = zero, zero
        if i < x.shape[0]:
            u, v = x[i] - a[i], x[i] - b[i]
            part = weights[i] * wp.dot(u, u)
            other = weights[i] * wp.dot(v, v)
        add(first, 0, part)
        add(second, 0, other)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def apart(a: Vecs, t: wp.float64, b: Vecs, total: Doubles):
        # the largest entry of |a - t b|
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = size(a[i] - t * b[i])
        top(total, i, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def exceeds(a: Vecs, bounds: Vecs, total: Doubles):
        i = wp.tid()
        above = zero
        if i < a.shape[0]:
            for k in range(dim):
                if not (wp.abs(a[i][k]) <= bounds[i][k]):
                    above = wp.float64(1.0)
        top(total, i, above)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def norms(g: Vecs, x: Vecs, origin: Vecs, total: Doubles, most: Doubles, far: Doubles):
        i = wp.tid()
        square, entry, way = zero, zero, zero
        if i < g.shape[0]:
            square = wp.dot(g[i], g[i])
            entry = size(g[i])
            way = size(x[i] - origin[i])
        add(total, 0, square)
        top(most, i, entry)
        top(far, i, way)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def rest_products(
        masses: Doubles, x: Vecs, rest: Vecs, g: Vecs, away: Doubles, work: Doubles, total: Doubles
    ):
        i = wp.tid()
        part, along, square = zero, zero, zero
        if i < x.shape[0]:
            u = x[i] - rest[i]
            part = masses[i] * wp.dot(u, u)
            along = wp.dot(u, g[i])
            square = wp.dot(g[i], g[i])
        add(away, 0, part)
        add(work, 0, along)
        add(total, 0, square)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def mix(s: wp.float64, a: Vecs, t: wp.float64, b: Vecs, out: Vecs):
        i = wp.tid()
        out[i] = s * a[i] + t * b[i]

    @wp.kernel(module="unique", module_options=OPTIONS)
    def longest(a: Vecs, total: Doubles):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = wp.length(a[i])
        top(total, i, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def lead(x: Vecs, s: wp.float64, to: Vecs, t: wp.float64, v: Vecs, out: Vecs):
        i = wp.tid()
        out[i] = x[i] + s * (to[i] - x[i]) + t * v[i]

    @wp.kernel(module="unique", module_options=OPTIONS)
    def lead_each(x: Vecs, gains: Doubles2, groups: Ints, to: Vecs, v: Vecs, out: Vecs):
        i = wp.tid()
        k = groups[i]
        out[i] = x[i] + gains[k, 0] * (to[i] - x[i]) + gains[k, 1] * v[i]

    @wp.kernel(module="unique", module_options=OPTIONS)
    def extend(
        x: Vecs, s: wp.float64, a: Vecs, t: wp.float64, b: Vecs, u: wp.float64, c: Vecs, out: Vecs
    ):
        i = wp.tid()
        out[i] = x[i] + s * a[i] + t * b[i] + u * c[i]

    sums = (dot, weighted, both, norms, rest_products)
    return kernels_named(*sums, apart, exceeds, longest, mix, lead, lead_each, extend)
