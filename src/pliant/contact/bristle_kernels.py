# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of friction with bristles."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import OPTIONS

from .barrier_kernels import ABOVE
from .closest import EDGE_EDGE, POINT_PLANE, POINT_POINT, closest


@cache
def bristle_kernels(dim: int) -> Any:
    """Return value, gradient and Hessian kernels, that of new bristles, and the type Grips.

        D = mu N f(|u|),    u = (1 - n n^T)(s + sum_i w_i (x_i - before_i))
        f(y) = y^2 (1 - y/(3 eps))/eps + eps/3  for y < eps, else y

    Points from `count` on are given, not unknown: nothing is added for them.
    """
    real, of = wp.float64, closest(dim)
    vec, four, Pairs = of.vec, of.four, of.Pairs
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
    def slip(x: wp.array(dtype=vec), grips: Grips, i: int):
        s, w, n = grips.stencils[i], grips.weights[i], grips.normals[i]
        u = vec()
        u += grips.bristles[i]
        for a in range(4):
            if s[a] >= 0:
                u += w[a] * (x[s[a]] - grips.before[s[a]])
        return u - wp.dot(u, n) * n

    @wp.func(module="unique")
    def slope_over(y: real, eps: real):
        # f'(y)/y
        if y < eps:
            return (two - y / eps) / eps
        return one / y

    @wp.kernel(module="unique", module_options=OPTIONS)
    def friction_value(x: wp.array(dtype=vec), grips: Grips, energies: wp.array(dtype=real)):
        i = wp.tid()
        y, eps = wp.length(slip(x, grips, i)), grips.lengths[i]
        f = y
        if y < eps:
            f = y * y * (one - y / (three * eps)) / eps + eps / three
        energies[i] = grips.strengths[i] * f

    @wp.kernel(module="unique", module_options=OPTIONS)
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

    @wp.kernel(module="unique", module_options=OPTIONS)
    def friction_hessian(
        x: wp.array(dtype=vec),
        grips: Grips,
        count: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        above: wp.array(dtype=mat),
    ):
        i = wp.tid()
        s, w, at = grips.stencils[i], grips.weights[i], ABOVE * i
        k = stiffness(slip(x, grips, i), grips.normals[i], grips.lengths[i])
        k = grips.strengths[i] * k
        for a in range(4):
            if s[a] >= 0 and s[a] < count:
                slot = slots[s[a], 0, 0]
                if slot >= 0:
                    wp.atomic_add(blocks, slot, w[a] * w[a] * k)
            for c in range(a + 1, 4):
                rows[at] = 0
                columns[at] = 0
                above[at] = mat()
                if wp.min(s[a], s[c]) >= 0 and wp.max(s[a], s[c]) < count:
                    rows[at] = s[a]
                    columns[at] = s[c]
                    above[at] = w[a] * w[c] * k
                at += 1

    @wp.kernel(module="unique", module_options=OPTIONS)
    def bend_bristles(x: wp.array(dtype=vec), grips: Grips, pairs: Pairs, out: wp.array(dtype=vec)):
        # What slid, at most eps long, turned with the second side of the pair.
        i = wp.tid()
        u, eps = slip(x, grips, i), grips.lengths[i]
        y = wp.length(u)
        if y > eps:
            u = eps / y * u
        out[i] = turned(x, grips.before, grips.stencils[i], pairs, i, grips.normals[i], u)

    return SimpleNamespace(
        Grips=Grips,
        value=friction_value,
        gradient=friction_gradient,
        hessian=friction_hessian,
        bend=bend_bristles,
    )


def _turned(dim: int) -> Any:
    """Return the Warp function that turns a tangent with a pair which moves from `before` to x."""
    real, of = wp.float64, closest(dim)
    vec, Pairs = of.vec, of.Pairs
    zero = wp.constant(real(0.0))
    EDGES, POINTS = wp.constant(EDGE_EDGE), wp.constant(POINT_POINT)
    PLANE = wp.constant(POINT_PLANE)
    if dim == 2:

        @wp.func(module="unique")
        def turn(u: vec, e: vec, f: vec, n: vec, m: vec):
            return (u[0] * n[1] - u[1] * n[0]) * vec(m[1], -m[0])

    else:

        @wp.func(module="unique")
        def turn(u: vec, e: vec, f: vec, n: vec, m: vec):
            p, q = e - wp.dot(e, n) * n, f - wp.dot(f, m) * m
            if wp.dot(p, p) > zero and wp.dot(q, q) > zero:
                p = wp.normalize(p)
                q = wp.normalize(q)
                u = wp.dot(u, p) * q + wp.dot(u, wp.cross(n, p)) * wp.cross(m, q)
            return u - wp.dot(u, m) * m

    @wp.func(module="unique")
    def turned(
        x: wp.array(dtype=vec),
        before: wp.array(dtype=vec),
        s: wp.vec4i,
        pairs: Pairs,
        i: int,
        n: vec,
        u: vec,
    ):
        kind = pairs.kinds[i]
        if kind == PLANE:
            return u
        m = of.look_in(x, kind, s, pairs).n
        a, b = s[1], wp.max(s[2], 0)
        if kind == EDGES:
            a, b = s[2], s[3]
        e, f = before[b] - before[a], x[b] - x[a]
        if kind == POINTS:
            e, f = vec(), vec()
        return turn(u, e, f, n, m)

    return turned
