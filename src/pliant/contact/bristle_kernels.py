# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of friction with bristles."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, kernel_types
from pliant.energies import TERM_OPTIONS

from .block_kernels import block_kernels
from .closest import EDGE_EDGE, POINT_PLANE, POINT_POINT, POINT_TRIANGLE


@cache
def bristle_kernels(dim: int) -> Any:
    """Return kernels of value, gradient, blocks and new bristles, and the type Grips.

        D = mu N f(|u|),    u = (1 - n n^T)(s + sum_i w_i (x_i - before_i))
        f(y) = y^2 (1 - y/(3 eps))/eps + eps/3  for y < eps, else y

    Points from `count` on are given, not unknown: nothing is added for them.
    """
    real, four, of = wp.float64, wp.vec4d, kernel_types(dim)
    vec, mat = of.vec, of.mat
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

    @wp.struct
    class Stiffness:
        acts: int
        strength: real
        w: four
        k: mat

    @wp.func(module="unique")
    def way(x: of.Vecs, grips: Grips, i: int):
        s, w = grips.stencils[i], grips.weights[i]
        u = vec()
        u += grips.bristles[i]
        for a in range(4):
            if s[a] >= 0:
                u += w[a] * (x[s[a]] - grips.before[s[a]])
        return u

    @wp.func(module="unique")
    def slip(x: of.Vecs, grips: Grips, i: int):
        u, n = way(x, grips, i), grips.normals[i]
        return u - wp.dot(u, n) * n

    @wp.func(module="unique")
    def slope_over(y: real, eps: real):
        # f'(y)/y
        if y < eps:
            return (two - y / eps) / eps
        return one / y

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def friction_value(x: of.Vecs, grips: Grips, energies: Doubles):
        i = wp.tid()
        y, eps = wp.length(slip(x, grips, i)), grips.lengths[i]
        f = y
        if y < eps:
            f = y * y * (one - y / (three * eps)) / eps + eps / three
        energies[i] = grips.strengths[i] * f

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def friction_gradient(x: of.Vecs, grips: Grips, count: int, g: of.Vecs):
        i = wp.tid()
        u, s, w = slip(x, grips, i), grips.stencils[i], grips.weights[i]
        f = grips.strengths[i] * slope_over(wp.length(u), grips.lengths[i]) * u
        for a in range(4):
            if s[a] >= 0 and s[a] < count:
                wp.atomic_add(g, s[a], w[a] * f)

    @wp.func(module="unique")
    def curvature(u: vec, n: vec, eps: real):
        # Semi-definite: f is convex.
        y = wp.length(u)
        first = slope_over(y, eps)
        out = first * (wp.identity(n=dim, dtype=real) - wp.outer(n, n))
        if y >= eps:
            out -= first / (y * y) * wp.outer(u, u)
        elif y > zero:
            out -= one / (eps * eps * y) * wp.outer(u, u)
        return out

    @wp.func(module="unique")
    def stiffness(x: of.Vecs, grips: Grips, i: int, project: int):
        out = Stiffness()
        out.acts = 1
        out.strength = grips.strengths[i]
        out.w = grips.weights[i]
        out.k = curvature(slip(x, grips, i), grips.normals[i], grips.lengths[i])
        return out

    @wp.func(module="unique")
    def block(h: Stiffness, a: int, c: int):
        return h.strength * h.w[a] * h.w[c] * h.k

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def bend_bristles(x: of.Vecs, grips: Grips, kinds: Ints, out: of.Vecs):
        # What slid, and what came closer, turned with the second side of the pair.
        i = wp.tid()
        u = way(x, grips, i)
        out[i] = turned(x, grips.before, kinds[i], grips.stencils[i], u)

    diagonal, above = block_kernels(dim, Grips, stiffness, block)
    return SimpleNamespace(
        Grips=Grips,
        value=friction_value,
        gradient=friction_gradient,
        diagonal=diagonal,
        above=above,
        bend=bend_bristles,
    )


def _turned(dim: int) -> Any:
    """Return the Warp function that turns a vector with the second side of a pair.

    The side moves from `before` to x. Vectors turn with the direction of its edge, the shortest way, and
    then with the normal of its triangle.
    """
    real, of = wp.float64, kernel_types(dim)
    vec = of.vec
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
    def turned(x: of.Vecs, before: of.Vecs, kind: int, s: wp.vec4i, u: vec):
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
    vec = kernel_types(dim).vec
    if dim == 2:

        @wp.func(module="unique")
        def normal(a: vec, b: vec, c: vec):
            return vec()

        return normal

    @wp.func(module="unique")
    def normal(a: vec, b: vec, c: vec):
        return wp.cross(b - a, c - a)

    return normal
