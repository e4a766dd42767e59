# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernel that counts edges which go through triangles, in the plane through edges."""

from functools import cache
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .box_kernels import search_types
from .closest import closest
from .pair_laws import law_functions

#: Volumes are zero below this share of the product of three edges, areas of that of two.
ROUNDING = 1e-12


@cache
def crossing_kernel(dim: int) -> Any:
    """Return the kernel that counts crossings of bodies, (bodies, bodies)."""
    vec, of, crosses = closest(dim).vec, search_types(dim), _crosses(dim)
    Features, Surface, never = of.Features, of.Surface, law_functions(dim).never

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def crossings(
        x: wp.array(dtype=vec),
        surface: Surface,
        first: Features,
        second: Features,
        tree: wp.uint64,
        counts: wp.array2d(dtype=wp.int32),
    ):
        i = wp.tid()
        a, body = first.nodes[i], first.body[i]
        for g in range(surface.allowed.shape[0]):
            if surface.allowed[body, g] == 0 or second.present[g] == 0:
                continue
            root = wp.bvh_get_group_root(tree, g)
            query = wp.bvh_query_aabb(tree, first.low[i], first.high[i], root)
            j = wp.int32(0)
            while wp.bvh_query_next(query, j):
                b = second.nodes[j]
                if not never(surface, a, b) and crosses(x, a, b):
                    wp.atomic_add(counts, body, g, 1)

    return crossings


def _crosses(dim: int) -> Any:
    """Return the Warp function that tells whether an edge and a triangle, or two edges, cross."""
    real, vec = wp.float64, closest(dim).vec
    zero, rounding = wp.constant(real(0.0)), wp.constant(real(ROUNDING))
    if dim == 2:

        @wp.func(module="unique")
        def side(a: vec, b: vec, c: vec):
            u, v = b - a, c - a
            out = u[0] * v[1] - u[1] * v[0]
            if wp.abs(out) <= rounding * wp.length(u) * wp.length(v):
                out = zero  # on one line
            return out

        @wp.func(module="unique")
        def crosses(x: wp.array(dtype=vec), a: wp.vec3i, b: wp.vec3i):
            p, q, r, s = x[a[0]], x[a[1]], x[b[0]], x[b[1]]
            return side(p, q, r) * side(p, q, s) < zero and side(r, s, p) * side(r, s, q) < zero

        return crosses

    @wp.func(module="unique")
    def volume(a: vec, b: vec, c: vec, d: vec):
        u, v, w = b - a, c - a, d - a
        out = wp.dot(u, wp.cross(v, w))
        if wp.abs(out) <= rounding * wp.length(u) * wp.length(v) * wp.length(w):
            out = zero  # in one plane
        return out

    @wp.func(module="unique")
    def crosses(x: wp.array(dtype=vec), a: wp.vec3i, b: wp.vec3i):
        p, q = x[a[0]], x[a[1]]
        r, s, t = x[b[0]], x[b[1]], x[b[2]]
        if volume(p, r, s, t) * volume(q, r, s, t) >= zero:
            return False
        u, v, w = volume(p, q, r, s), volume(p, q, s, t), volume(p, q, t, r)
        return wp.min(u, wp.min(v, w)) >= zero or wp.max(u, wp.max(v, w)) <= zero

    return crosses
