# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of friction with bristles."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .barrier_kernels import ABOVE
from .closest import EDGE_EDGE, POINT_PLANE, POINT_POINT, POINT_TRIANGLE, closest


@cache
def bristle_kernels(dim: int) -> Any:
    """Return kernels of value, gradient, blocks and new bristles, and the type Grips.

        D = mu N f(|u|),    u = (1 - n n^T)(s + sum_i w_i (x_i - before_i))
        f(y) = y^2 (1 - y/(3 eps))/eps + eps/3  for y < eps, else y

    Points from `count` on are given, not unknown: nothing is added for them.
    """
    real, of = wp.float64, closest(dim)
    vec, four = of.vec, of.four
    mat = wp.types.matrix(shape=(dim, dim), dtype=real)
    zero, one, two, three = (wp.constant(real(v)) for v in (0.0, 1.0, 2.0, 3.0))
    turned = _turned(dim)

    @wp.struct
    class Grips:
        stencils: wp.array(dtype=wp.vec4i)
        weights: wp.array(dtype=four)
        normals: wp.array(dtype=vec)
        bristles: wp.array(dtype=vec)
        strengths: wp.array(dtype=real)  # mu N [N]
        lengths: wp.array(dtype=real)  # eps [m]
        before: wp.array(dtype=vec)  # positions of points at the start of the step

    @wp.func(module="unique")
    def way(x: wp.array(dtype=vec), grips: Grips, i: int):
        s, w = grips.stencils[i], grips.weights[i]
        u = vec()
        u += grips.bristles[i]
        for a in range(4):
            if s[a] >= 0:
                u += w[a] * (x[s[a]] - grips.before[s[a]])
        return u

    @wp.func(module="unique")
    def slip(x: wp.array(dtype=vec), grips: Grips, i: int):
        u, n = way(x, grips, i), grips.normals[i]
        return u - wp.dot(u, n) * n

    @wp.func(module="unique")
    def slope_over(y: real, eps: real):
        # f'(y)/y
        if y < eps:
            return (two - y / eps) / eps
        return one / y

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def friction_value(x: wp.array(dtype=vec), grips: Grips, energies: wp.array(dtype=real)):
        i = wp.tid()
        y, eps = wp.length(slip(x, grips, i)), grips.lengths[i]
        f = y
        if y < eps:
            f = y * y * (one - y / (three * eps)) / eps + eps / three
        energies[i] = grips.strengths[i] * f

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def friction_gradient(x: wp.array(dtype=vec), grips: Grips, count: int, g: wp.array(dtype=vec)):
        i = wp.tid()
        u, s, w = slip(x, grips, i), grips.stencils[i], grips.weights[i]
        f = grips.strengths[i] * slope_over(wp.length(u), grips.lengths[i]) * u
        for a in range(4):
            if s[a] >= 0 and s[a] < count:
                wp.atomic_add(g, s[a], w[a] * f)

    @wp.func(module="unique")
    def stiffness(u: vec, n: vec, eps: real):
        # Semi-definite: f is convex.
        y = wp.length(u)
        first = slope_over(y, eps)
        out = first * (wp.identity(n=dim, dtype=real) - wp.outer(n, n))
        if y >= eps:
            out -= first / (y * y) * wp.outer(u, u)
        elif y > zero:
            out -= one / (eps * eps * y) * wp.outer(u, u)
        return out

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def friction_diagonal(
        x: wp.array(dtype=vec),
        grips: Grips,
        count: int,
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        i = wp.tid()
        s, w = grips.stencils[i], grips.weights[i]
        k = stiffness(slip(x, grips, i), grips.normals[i], grips.lengths[i])
        for a in range(4):
            if s[a] >= 0 and s[a] < count:
                slot = slots[s[a], 0, 0]
                if slot >= 0:
                    wp.atomic_add(blocks, slot, grips.strengths[i] * w[a] * w[a] * k)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def friction_above(
        x: wp.array(dtype=vec),
        grips: Grips,
        count: int,
        project: int,
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        above: wp.array(dtype=mat),
    ):
        i = wp.tid()
        s, w, at = grips.stencils[i], grips.weights[i], ABOVE * i
        k = stiffness(slip(x, grips, i), grips.normals[i], grips.lengths[i])
        for a in range(4):
            for c in range(a + 1, 4):
                rows[at] = 0
                columns[at] = 0
                above[at] = mat()
                if wp.min(s[a], s[c]) >= 0 and wp.max(s[a], s[c]) < count:
                    rows[at] = s[a]
                    columns[at] = s[c]
                    above[at] = grips.strengths[i] * w[a] * w[c] * k
                at += 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def bend_bristles(
        x: wp.array(dtype=vec),
        grips: Grips,
        kinds: wp.array(dtype=wp.int32),
        out: wp.array(dtype=vec),
    ):
        # What slid, and what came closer, turned with the second side of the pair.
        i = wp.tid()
        u = way(x, grips, i)
        out[i] = turned(x, grips.before, kinds[i], grips.stencils[i], u)

    return SimpleNamespace(
        Grips=Grips,
        value=friction_value,
        gradient=friction_gradient,
        diagonal=friction_diagonal,
        above=friction_above,
        bend=bend_bristles,
    )


def _turned(dim: int) -> Any:
    """Return the Warp function that turns a vector with the second side of a pair.

    The side moves from `before` to x. Vectors turn with the direction of its edge, the shortest way, and
    then with the normal of its triangle.
    """
    real, vec = wp.float64, closest(dim).vec
    zero, one, two, slight = (wp.constant(real(v)) for v in (0.0, 1.0, 2.0, 1e-9))
    TRIANGLE, EDGES = wp.constant(POINT_TRIANGLE), wp.constant(EDGE_EDGE)
    POINTS, PLANE = wp.constant(POINT_POINT), wp.constant(POINT_PLANE)
    normal = _normal(dim)

    @wp.func(module="unique")
    def along(u: vec, a: vec, b: vec):
        # Turned as a is turned into b.
        if wp.dot(a, a) <= zero or wp.dot(b, b) <= zero:
            return u
        p, q = wp.normalize(a), wp.normalize(b)
        c = one + wp.dot(p, q)
        if c <= slight:
            return u
        return u - wp.dot(u, p + q) / c * (p + q) + two * wp.dot(u, p) * q

    @wp.func(module="unique")
    def turned(x: wp.array(dtype=vec), before: wp.array(dtype=vec), kind: int, s: wp.vec4i, u: vec):
        out = u
        if kind == EDGES:
            out = along(u, before[s[3]] - before[s[2]], x[s[3]] - x[s[2]])
        elif kind != POINTS and kind != PLANE:
            e, f = before[s[2]] - before[s[1]], x[s[2]] - x[s[1]]
            out = along(u, e, f)
            if kind == TRIANGLE:
                n = normal(before[s[1]], before[s[2]], before[s[3]])
                out = along(out, along(n, e, f), normal(x[s[1]], x[s[2]], x[s[3]]))
        return out

    return turned


def _normal(dim: int) -> Any:
    """Return the Warp function of the normal of a triangle; in the plane there is none."""
    vec = closest(dim).vec
    if dim == 2:

        @wp.func(module="unique")
        def normal(a: vec, b: vec, c: vec):
            return vec()

        return normal

    @wp.func(module="unique")
    def normal(a: vec, b: vec, c: vec):
        return wp.cross(b - a, c - a)

    return normal
