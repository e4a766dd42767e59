# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of obstacles. `order` is the share of the points that a launch visits."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS


@cache
def obstacle_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes.

    An obstacle is its kind (0: half space of point a and normal b, 1: capsule from a to b), a, b,
    radius and margin.
    """
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    pair = wp.types.vector(length=2, dtype=dtype)
    zero, one, half = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5))

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
    def depth(x: vec, kind: int, a: vec, b: vec, size: pair):
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

    @wp.kernel(module="unique", module_options=OPTIONS)
    def obstacle_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        k: wp.array(dtype=dtype),
        kinds: wp.array(dtype=wp.int32),
        a: wp.array(dtype=vec),
        b: wp.array(dtype=vec),
        sizes: wp.array(dtype=pair),
        energies: wp.array(dtype=wp.float64),
    ):
        i = order[wp.tid()]
        total = zero
        for o in range(kinds.shape[0]):
            d = wp.min(depth(x[i], kinds[o], a[o], b[o], sizes[o]), zero)
            total += half * k[i] * d * d
        energies[i] = wp.float64(total)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def obstacle_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        k: wp.array(dtype=dtype),
        kinds: wp.array(dtype=wp.int32),
        a: wp.array(dtype=vec),
        b: wp.array(dtype=vec),
        sizes: wp.array(dtype=pair),
        g: wp.array(dtype=vec),
    ):
        i = order[wp.tid()]
        for o in range(kinds.shape[0]):
            d = depth(x[i], kinds[o], a[o], b[o], sizes[o])
            if d < zero:
                wp.atomic_add(g, i, k[i] * d * outward(x[i], kinds[o], a[o], b[o]))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def obstacle_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        k: wp.array(dtype=dtype),
        kinds: wp.array(dtype=wp.int32),
        a: wp.array(dtype=vec),
        b: wp.array(dtype=vec),
        sizes: wp.array(dtype=pair),
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        i = order[wp.tid()]
        at = slots[i, 0, 0]
        if at >= 0:
            for o in range(kinds.shape[0]):
                d = depth(x[i], kinds[o], a[o], b[o], sizes[o])
                if d < zero:
                    n = outward(x[i], kinds[o], a[o], b[o])
                    H = wp.outer(n, n)
                    far = wp.length(away(x[i], kinds[o], a[o], b[o]))
                    # Round an obstacle a point slides off; a search must not count on that.
                    if project == 0 and kinds[o] == 1 and far > zero:
                        turns = wp.identity(n=dim, dtype=dtype) - wp.outer(n, n)
                        along = b[o] - a[o]
                        length = wp.length(along)
                        if length > zero:
                            t = along / length
                            s = wp.dot(x[i] - a[o], t)
                            if s > zero and s < length:  # beside it, not at an end
                                turns -= wp.outer(t, t)
                        H += d / far * turns
                    wp.atomic_add(blocks, at, k[i] * H)

    return SimpleNamespace(
        value=obstacle_value, gradient=obstacle_gradient, hessian=obstacle_hessian
    )
