# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of obstacles."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, Ints2, kernel_types

from .term_kernels import TERM_OPTIONS, term_kernels


@cache
def obstacle_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, and `find`, as attributes.

    An obstacle is its kind (0: half space of point a and normal b, 1: capsule from a to b), a, b,
    and its sizes: radius, margin, and a factor of the stiffness k of points.
    """
    of = kernel_types(dim, dtype)
    vec = of.vec
    three = wp.types.vector(length=3, dtype=dtype)
    zero, one, half = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5))

    @wp.struct
    class Obstacles:
        k: wp.array(dtype=dtype)  # of points
        kinds: wp.array(dtype=wp.int32)
        a: wp.array(dtype=vec)
        b: wp.array(dtype=vec)
        sizes: wp.array(dtype=three)

    @wp.func(module="unique")
    def away(x: vec, kind: int, a: vec, b: vec):
        # From the nearest point of the middle of it; of a half space along its normal.
        u = x - a
        if kind == 0:
            return wp.dot(u, b) * b
        along = b - a
        length = wp.dot(along, along)
        if length > zero:
            u -= wp.clamp(wp.dot(u, along) / length, zero, one) * along
        return u

    @wp.func(module="unique")
    def depth(x: vec, kind: int, a: vec, b: vec, size: three):
        # Below zero within the margin
        if kind == 0:
            return wp.dot(x - a, b) - size[1]
        return wp.length(away(x, kind, a, b)) - size[0] - size[1]

    @wp.func(module="unique")
    def outward(x: vec, kind: int, a: vec, b: vec):
        if kind == 0:
            return b
        u = away(x, kind, a, b)
        n = vec()
        n[1] = one
        if wp.length(u) > zero:
            n = wp.normalize(u)
        return n

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Obstacles):
        total = zero
        for o in range(c.kinds.shape[0]):
            d = wp.min(depth(x[t], c.kinds[o], c.a[o], c.b[o], c.sizes[o]), zero)
            total += half * (c.k[t] * c.sizes[o][2]) * d * d
        return total

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Obstacles, g: of.Vecs):
        for o in range(c.kinds.shape[0]):
            d = depth(x[t], c.kinds[o], c.a[o], c.b[o], c.sizes[o])
            if d < zero:
                k = c.k[t] * c.sizes[o][2]
                wp.atomic_add(g, t, k * d * outward(x[t], c.kinds[o], c.a[o], c.b[o]))

    @wp.func(module="unique")
    def hessian(
        x: of.Vecs, s: Ints, t: int, c: Obstacles, project: int, slots: Ints2, blocks: of.Mats
    ):
        at = slots[0, 0]
        if at >= 0:
            for o in range(c.kinds.shape[0]):
                a, b = c.a[o], c.b[o]
                d = depth(x[t], c.kinds[o], a, b, c.sizes[o])
                if d < zero:
                    n = outward(x[t], c.kinds[o], a, b)
                    H = wp.outer(n, n)
                    far = wp.length(away(x[t], c.kinds[o], a, b))
                    # Round an obstacle a point slides off; a search must not count on that.
                    if project == 0 and c.kinds[o] == 1 and far > zero:
                        turns = wp.identity(n=dim, dtype=dtype) - wp.outer(n, n)
                        along = b - a
                        length = wp.length(along)
                        if length > zero:
                            axis = along / length
                            up = wp.dot(x[t] - a, axis)
                            if up > zero and up < length:  # beside it, not at an end
                                turns -= wp.outer(axis, axis)
                        H += d / far * turns
                    wp.atomic_add(blocks, at, (c.k[t] * c.sizes[o][2]) * H)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def find(x: of.Vecs, c: Obstacles, found: Doubles):
        # Whether any point is within a margin.
        t = wp.tid()
        for o in range(c.kinds.shape[0]):
            if depth(x[t], c.kinds[o], c.a[o], c.b[o], c.sizes[o]) < zero:
                found[0] = wp.float64(1.0)

    kernels = term_kernels(Obstacles, dim, dtype, value=value, gradient=gradient, hessian=hessian)
    kernels.find = find
    return kernels
