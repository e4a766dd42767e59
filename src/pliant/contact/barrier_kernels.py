# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of the barrier between surfaces."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import OPTIONS

from .closest import EDGE_EDGE, closest

#: Blocks above the diagonal of a pair of four points.
ABOVE = 6


@cache
def barrier_functions() -> Any:
    """Return b(y) = -(y - 1)^2 ln y and two derivatives for 0 < y < 1, as Warp functions."""
    real = wp.float64
    one, two, four = (wp.constant(real(v)) for v in (1.0, 2.0, 4.0))

    @wp.func(module="unique")
    def barrier(y: real):
        return -(y - one) * (y - one) * wp.log(y)

    @wp.func(module="unique")
    def barrier_slope(y: real):
        return (one - y) * (two * wp.log(y) - (one - y) / y)

    @wp.func(module="unique")
    def barrier_bend(y: real):
        z = (one - y) / y
        return -two * wp.log(y) + four * z + z * z

    return SimpleNamespace(value=barrier, slope=barrier_slope, bend=barrier_bend)


@cache
def mollifier(dim: int) -> Any:
    """Return Warp functions of the mollifier of two edges, as attributes.

        m(c) = c/e (2 - c/e) for c < e, else 1,      c = |(x1 - x0) x (x3 - x2)|^2

    It makes the barrier of edges smooth where they are parallel: there the closest points jump.
    `mollify(x, kind, s, e)` is y = c/e, or 1 for all other pairs; `gradient(x, s, a)` is dc/dx_a. In
    the plane there are no pairs of edges. Source: [li2020] (24).
    """
    real, vec = wp.float64, closest(dim).vec
    one, two = wp.constant(real(1.0)), wp.constant(real(2.0))
    EDGES = wp.constant(EDGE_EDGE)
    if dim == 2:

        @wp.func(module="unique")
        def mollify(x: wp.array(dtype=vec), kind: int, s: wp.vec4i, e: real):
            return one

        @wp.func(module="unique")
        def gradient(x: wp.array(dtype=vec), s: wp.vec4i, a: int):
            return vec()

        return SimpleNamespace(mollify=mollify, gradient=gradient)

    @wp.func(module="unique")
    def mollify(x: wp.array(dtype=vec), kind: int, s: wp.vec4i, e: real):
        y = one
        if kind == EDGES:
            c = wp.length_sq(wp.cross(x[s[1]] - x[s[0]], x[s[3]] - x[s[2]]))
            if c < e:
                y = c / e
        return y

    @wp.func(module="unique")
    def gradient(x: wp.array(dtype=vec), s: wp.vec4i, a: int):
        u, v = x[s[1]] - x[s[0]], x[s[3]] - x[s[2]]
        n = two * wp.cross(u, v)
        out = wp.cross(v, n)
        if a >= 2:
            out = wp.cross(n, u)
        if a % 2 == 0:
            out = -out
        return out

    return SimpleNamespace(mollify=mollify, gradient=gradient)


@cache
def barrier_kernels(dim: int) -> Any:
    """Return kernels of value, gradient and force, and of blocks on and above the diagonal.

        B = k m b((d - thickness)/reach),      k = kappa reach A [J]

    Points from `count` on are given, not unknown: nothing is added for them.
    """
    real, of, b, edges = wp.float64, closest(dim), barrier_functions(), mollifier(dim)
    vec, four, Pairs, look = of.vec, of.four, of.Pairs, of.look
    mat = wp.types.matrix(shape=(dim, dim), dtype=real)
    zero, one, two = (wp.constant(real(v)) for v in (0.0, 1.0, 2.0))
    mollify, tilt, curvature = edges.mollify, edges.gradient, _curvature(dim)
    pair_block = curvature.block

    @wp.kernel(module="unique", module_options=OPTIONS)
    def barrier_value(x: wp.array(dtype=vec), pairs: Pairs, energies: wp.array(dtype=real)):
        i = wp.tid()
        law, energy = pairs.laws[i], zero
        y = (look(x, pairs, i).d - law[0]) / law[1]
        if y <= zero:
            energy = real(wp.inf)
        elif y < one:
            z = mollify(x, pairs.kinds[i], pairs.stencils[i], law[3])
            energy = law[2] * z * (two - z) * b.value(y)
        energies[i] = energy

    @wp.kernel(module="unique", module_options=OPTIONS)
    def barrier_gradient(x: wp.array(dtype=vec), pairs: Pairs, count: int, g: wp.array(dtype=vec)):
        i = wp.tid()
        law, near, s = pairs.laws[i], look(x, pairs, i), pairs.stencils[i]
        y = (near.d - law[0]) / law[1]
        if y > zero and y < one:
            z = mollify(x, pairs.kinds[i], s, law[3])
            f = law[2] * z * (two - z) * b.slope(y) / law[1] * near.n
            for a in range(4):
                if s[a] >= 0 and s[a] < count:
                    wp.atomic_add(g, s[a], near.w[a] * f)
            if z < one:
                push = law[2] * b.value(y) * two * (one - z) / law[3]
                for a in range(4):
                    if s[a] < count:
                        wp.atomic_add(g, s[a], push * tilt(x, s, a))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def barrier_diagonal(
        x: wp.array(dtype=vec),
        pairs: Pairs,
        count: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        i = wp.tid()
        near, s, law = look(x, pairs, i), pairs.stencils[i], pairs.laws[i]
        y = (near.d - law[0]) / law[1]
        if y > zero and y < one:
            h = curvature.of(x, pairs.kinds[i], s, law, near, y)
            for a in range(4):
                if s[a] >= 0 and s[a] < count:
                    slot = slots[s[a], 0, 0]
                    if slot >= 0:
                        wp.atomic_add(blocks, slot, pair_block(h, a, a))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def barrier_above(
        x: wp.array(dtype=vec),
        pairs: Pairs,
        count: int,
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        above: wp.array(dtype=mat),
    ):
        i = wp.tid()
        near, s, law = look(x, pairs, i), pairs.stencils[i], pairs.laws[i]
        y, at = (near.d - law[0]) / law[1], ABOVE * i
        touches = y > zero and y < one
        h = curvature.Curvature()
        if touches:
            h = curvature.of(x, pairs.kinds[i], s, law, near, y)
        for a in range(4):
            for c in range(a + 1, 4):
                rows[at] = 0
                columns[at] = 0
                above[at] = mat()
                if touches and wp.min(s[a], s[c]) >= 0 and wp.max(s[a], s[c]) < count:
                    rows[at] = s[a]
                    columns[at] = s[c]
                    above[at] = pair_block(h, a, c)
                at += 1

    @wp.kernel(module="unique", module_options=OPTIONS)
    def barrier_force(
        x: wp.array(dtype=vec),
        pairs: Pairs,
        forces: wp.array(dtype=real),
        weights: wp.array(dtype=four),
        normals: wp.array(dtype=vec),
        distances: wp.array(dtype=real),
    ):
        i = wp.tid()
        near, law = look(x, pairs, i), pairs.laws[i]
        y = (near.d - law[0]) / law[1]
        forces[i] = zero
        if y > zero and y < one:
            z = mollify(x, pairs.kinds[i], pairs.stencils[i], law[3])
            forces[i] = -law[2] * z * (two - z) * b.slope(y) / law[1]
        weights[i] = near.w
        normals[i] = near.n
        distances[i] = near.d

    return SimpleNamespace(
        value=barrier_value,
        gradient=barrier_gradient,
        diagonal=barrier_diagonal,
        above=barrier_above,
        force=barrier_force,
    )


def _curvature(dim: int) -> Any:
    """Return Warp functions of the semi-definite Hessian of a pair, as attributes.

    With y = (d - thickness)/reach and z = c/e the Hessian of k m(z) b(y) is, after Gauss and Newton, a
    matrix of 2 x 2 along the gradients of y and z, taken as orthogonal, which they are where the closest
    points lie inside of both edges. Its positive part is kept: one product h h^T. Where edges are nearly
    parallel, 2 k b dm/dc J^T J of the product J = d(u x v)/dx comes on top.
    """
    real, of, b, edges = wp.float64, closest(dim), barrier_functions(), mollifier(dim)
    vec, four = of.vec, of.four
    mat = wp.types.matrix(shape=(dim, dim), dtype=real)
    rows = wp.types.matrix(shape=(4, dim), dtype=real)
    zero, half, one, two = (wp.constant(real(v)) for v in (0.0, 0.5, 1.0, 2.0))
    tiny, turning = wp.constant(real(1e-200)), _turning(dim)

    @wp.struct
    class Curvature:
        size: real
        h: rows
        twist: real
        u: vec
        v: vec

    @wp.func(module="unique")
    def curvature_of(
        x: wp.array(dtype=vec), kind: int, s: wp.vec4i, law: four, near: of.Near, y: real
    ):
        out = Curvature()
        z = edges.mollify(x, kind, s, law[3])
        p = law[2] * z * (two - z) * b.bend(y)
        out.size = p
        along, tilting = one, zero
        if z < one:
            value = law[2] * b.value(y)
            first, third = edges.gradient(x, s, 1), edges.gradient(x, s, 3)
            steep = wp.length(near.w) / law[1]
            slant = wp.sqrt(two * (wp.dot(first, first) + wp.dot(third, third))) / law[3]
            p = p * steep * steep
            q = law[2] * two * (one - z) * b.slope(y) * steep * slant
            r = -two * value * slant * slant
            out.size = half * (p + r) + wp.sqrt(half * (p - r) * half * (p - r) + q * q)
            length = wp.sqrt((out.size - r) * (out.size - r) + q * q)
            if length > zero:
                along = (out.size - r) / (length * steep)
                tilting = q / (length * wp.max(slant, tiny))
            out.twist = two * value * two * (one - z) / law[3]
            out.u = x[s[1]] - x[s[0]]
            out.v = x[s[3]] - x[s[2]]
        for a in range(4):
            way = (along * near.w[a] / law[1]) * near.n
            if z < one:
                way += tilting / law[3] * edges.gradient(x, s, a)
            for k in range(dim):
                out.h[a, k] = way[k]
        return out

    @wp.func(module="unique")
    def block(h: Curvature, a: int, c: int):
        out = h.size * wp.outer(h.h[a], h.h[c])
        if h.twist > zero:
            out += h.twist * wp.transpose(turning(h.u, h.v, a)) * turning(h.u, h.v, c)
        return mat(out)

    return SimpleNamespace(Curvature=Curvature, of=curvature_of, block=block)


def _turning(dim: int) -> Any:
    """Return the Warp function of d(u x v)/dx_a, for u = x1 - x0 and v = x3 - x2."""
    vec = wp.types.vector(length=dim, dtype=wp.float64)
    mat = wp.types.matrix(shape=(dim, dim), dtype=wp.float64)
    if dim == 2:

        @wp.func(module="unique")
        def turning(u: vec, v: vec, a: int):
            return mat()

        return turning

    @wp.func(module="unique")
    def turning(u: vec, v: vec, a: int):
        way = v
        if a >= 2:
            way = -u
        if a % 2 == 1:
            way = -way
        return wp.skew(way)

    return turning
