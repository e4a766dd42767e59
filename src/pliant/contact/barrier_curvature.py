# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The Hessian of the barrier of one pair."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from .barrier_functions import barrier_functions, mollifier
from .closest import EDGE_EDGE, POINT_PLANE, closest

#: Directions are taken as parallel if the square of the sine of their angle is below this.
PARALLEL = 1e-12


@cache
def barrier_curvature(dim: int) -> Any:
    """Return Warp functions of the Hessian of a pair, as attributes.

    `of` gives a Curvature and `block` the matrix (a, c) of it. With y = (d - thickness)/reach and
    z = c/e, the semi-definite Hessian of k m(z) b(y) is Gauss and Newton's: a matrix of 2 x 2 along the
    gradients of y and z, taken as orthogonal, which they are where the closest points lie inside of both
    edges. Its positive part is kept: one product h h^T. The positive part of the curvature of the
    distance comes on top: without it a face would turn into a ball that it is pressed on. So does, where
    edges are nearly parallel, 2 k b dm/dc J^T J of the product J = d(u x v)/dx. The exact Hessian has
    all of the curvature of the distance, and that of c.
    """
    real, of, b, edges = wp.float64, closest(dim), barrier_functions(), mollifier(dim)
    vec, four = of.vec, of.four
    mat = wp.types.matrix(shape=(dim, dim), dtype=real)
    rows = wp.types.matrix(shape=(4, dim), dtype=real)
    zero, half, one, two = (wp.constant(real(v)) for v in (0.0, 0.5, 1.0, 2.0))
    tiny, turning, bending = wp.constant(real(1e-200)), _turning(dim), _bending(dim)
    Bending, Rises, bends = bending.Bending, bending.Rises, bending.bends
    PLANE = wp.constant(POINT_PLANE)

    @wp.struct
    class Curvature:
        acts: int
        exact: int
        size: real  # of h h^T
        h: rows
        twist: real  # of J^T J
        u: vec
        v: vec
        slope: real  # dB/dd, of the curvature of the distance
        bending: Bending
        rises: Rises
        mixed: real  # of grad d grad c^T and its transpose
        tilt: real  # of grad c grad c^T
        d: rows  # grad d
        c: rows  # grad c

    @wp.func(module="unique")
    def positive_part(
        x: wp.array(dtype=vec), s: wp.vec4i, law: four, near: of.Near, y: real, z: real, p: real
    ):
        # Of the matrix of 2 x 2: its size, and the parts of h along grad d and grad c.
        value = law[2] * b.value(y)
        first, third = edges.gradient(x, s, 1), edges.gradient(x, s, 3)
        steep = wp.length(near.w) / law[1]
        slant = wp.sqrt(two * (wp.dot(first, first) + wp.dot(third, third))) / law[3]
        p = p * steep * steep
        q = law[2] * two * (one - z) * b.slope(y) * steep * slant
        r = -two * value * slant * slant
        size = half * (p + r) + wp.sqrt(half * (p - r) * half * (p - r) + q * q)
        length = wp.sqrt((size - r) * (size - r) + q * q)
        out = wp.vec3d(size, one, zero)
        if length > zero:
            out[1] = (size - r) / (length * steep)
            out[2] = q / (length * wp.max(slant, tiny)) / law[3]
        return out

    @wp.func(module="unique")
    def curvature_of(
        x: wp.array(dtype=vec),
        kind: int,
        s: wp.vec4i,
        law: four,
        near: of.Near,
        y: real,
        project: int,
    ):
        out = Curvature()
        out.acts = 1
        z = edges.mollify(x, kind, s, law[3])
        m = z * (two - z)
        out.size = law[2] * m * b.bend(y)
        along, tilting = one, zero
        if kind != PLANE:
            out.slope = law[2] * m * b.slope(y) / law[1]
            out.bending = bends(x, kind, s, near)
        if project == 0:
            out.exact = 1
        elif kind != PLANE:
            out.rises = bending.rises(out.bending)
        if z < one:
            out.twist = two * law[2] * b.value(y) * two * (one - z) / law[3]
            out.u = x[s[1]] - x[s[0]]
            out.v = x[s[3]] - x[s[2]]
            if project == 0:
                out.mixed = law[2] * b.slope(y) * two * (one - z) / (law[1] * law[3])
                out.tilt = -two * law[2] * b.value(y) / (law[3] * law[3])
            else:
                found = positive_part(x, s, law, near, y, z, out.size)
                out.size = found[0]
                along = found[1]
                tilting = found[2]
        for a in range(4):
            way = (along * near.w[a] / law[1]) * near.n
            tilted = vec()
            if z < one:
                tilted = edges.gradient(x, s, a)
            for k in range(dim):
                out.h[a, k] = way[k] + tilting * tilted[k]
                out.d[a, k] = near.w[a] * near.n[k]
                out.c[a, k] = tilted[k]
        return out

    @wp.func(module="unique")
    def block(h: Curvature, a: int, c: int):
        out = h.size * wp.outer(h.h[a], h.h[c])
        if h.twist > zero:
            out += h.twist * turning(h.u, h.v, a, c, h.exact)
        if h.exact == 0:
            first, second = h.rises.first, h.rises.second
            out -= h.slope * (wp.outer(first[a], first[c]) + wp.outer(second[a], second[c]))
        else:
            out += h.slope * bending.block(h.bending, a, c)
            if h.twist > zero:
                out += h.mixed * (wp.outer(h.d[a], h.c[c]) + wp.outer(h.c[a], h.d[c]))
                out += h.tilt * wp.outer(h.c[a], h.c[c])
        return mat(out)

    return SimpleNamespace(Curvature=Curvature, of=curvature_of, block=block)


def _bending(dim: int) -> Any:
    """Return Warp functions of the Hessian of the distance, as attributes.

    With r the way between the closest points, and r_k its derivatives by the coordinates of those that
    lie inside of an edge or a triangle, d^2/2 has the Hessian

        W^T W - B^T (r_k . r_l)^-1 B,      W = dr/dx,   B_k = W^T r_k + (dr_k/dx)^T r
    """
    real, of = wp.float64, closest(dim)
    vec, four = of.vec, of.four
    rows = wp.types.matrix(shape=(4, dim), dtype=real)
    zero, half, one = (wp.constant(real(v)) for v in (0.0, 0.5, 1.0))
    parallel, EDGES = wp.constant(real(PARALLEL)), wp.constant(EDGE_EDGE)

    @wp.struct
    class Bending:
        d: real
        n: vec
        w: four
        p: four  # of which points r_1 is the sum, and r_2
        q: four
        r: vec
        t: vec
        pp: real  # the inverse of their products
        pq: real
        qq: real

    @wp.struct
    class Rises:
        first: rows
        second: rows

    @wp.func(module="unique")
    def sum(x: wp.array(dtype=vec), s: wp.vec4i, c: four):
        out = vec()
        for a in range(4):
            if s[a] >= 0:
                out += c[a] * x[s[a]]
        return out

    @wp.func(module="unique")
    def bends(x: wp.array(dtype=vec), kind: int, s: wp.vec4i, near: of.Near):
        out = Bending()
        out.d = near.d
        out.n = near.n
        out.w = near.w
        w = near.w
        if kind == EDGES:
            if w[0] != zero and w[1] != zero:
                out.p = four(one, -one, zero, zero)
            if w[2] != zero and w[3] != zero:
                out.q = four(zero, zero, one, -one)
        else:
            if w[1] != zero and w[2] != zero:
                out.p = four(zero, one, -one, zero)
                if w[3] != zero:
                    out.q = four(zero, one, zero, -one)
            elif w[2] != zero and w[3] != zero:
                out.p = four(zero, zero, one, -one)
            elif w[1] != zero and w[3] != zero:
                out.p = four(zero, one, zero, -one)
        out.r = sum(x, s, out.p)
        out.t = sum(x, s, out.q)
        rr, tt, rt = wp.dot(out.r, out.r), wp.dot(out.t, out.t), wp.dot(out.r, out.t)
        across = rr * tt - rt * rt
        if rr > zero and tt > zero and across > parallel * rr * tt:
            out.pp = tt / across
            out.pq = -rt / across
            out.qq = rr / across
        elif rr > zero:
            out.pp = one / rr
        elif tt > zero:
            out.qq = one / tt
        return out

    @wp.func(module="unique")
    def bending_block(h: Bending, a: int, c: int):
        if h.d <= zero:
            return wp.identity(n=dim, dtype=real) * zero
        normal = wp.outer(h.n, h.n)
        out = h.w[a] * h.w[c] * (wp.identity(n=dim, dtype=real) - normal)
        pa, qa = h.w[a] * h.r + h.p[a] * h.d * h.n, h.w[a] * h.t + h.q[a] * h.d * h.n
        pc, qc = h.w[c] * h.r + h.p[c] * h.d * h.n, h.w[c] * h.t + h.q[c] * h.d * h.n
        out -= wp.outer(pa, h.pp * pc + h.pq * qc) + wp.outer(qa, h.pq * pc + h.qq * qc)
        return out / h.d

    @wp.func(module="unique")
    def risen(w: four, r: vec, p: four, d: real, n: vec):
        # The positive part of a b^T + b a^T + d b b^T, a = w r and b = p n, with |r| = 1: one product.
        out = rows()
        e, c = d * wp.dot(p, p), wp.length(w) * wp.length(p)
        size = half * (e + wp.sqrt(e * e + real(4.0) * c * c))
        if size > zero:
            length = wp.sqrt(size / (c * c + size * size))
            for i in range(4):
                way = length * (c * w[i] / wp.length(w) * r + size * p[i] / wp.length(p) * n)
                for k in range(dim):
                    out[i, k] = way[k]
        return out

    @wp.func(module="unique")
    def rises(h: Bending):
        # The positive part of minus the Hessian of the distance, at most: the sum of two products.
        out = Rises()
        size, r, p = wp.length(h.r), vec(), four()
        if size > zero:
            r = h.r / size
            p = h.p / size
            out.first = risen(h.w, r, p, h.d, h.n)
        along = wp.dot(h.t, r)
        t, q = h.t - along * r, h.q - along * p
        across = wp.length(t)
        if across * across > parallel * wp.dot(h.t, h.t):
            out.second = risen(h.w, t / across, q / across, h.d, h.n)
        return out

    return SimpleNamespace(
        Bending=Bending, bends=bends, block=bending_block, Rises=Rises, rises=rises
    )


def _turning(dim: int) -> Any:
    """Return the Warp function of half the Hessian of c = |u x v|^2, u = x1 - x0 and v = x3 - x2.

    J_a^T J_c of J = d(u x v)/dx; where it shall be exact, the part with the second derivatives too.
    """
    vec = wp.types.vector(length=dim, dtype=wp.float64)
    mat = wp.types.matrix(shape=(dim, dim), dtype=wp.float64)
    if dim == 2:

        @wp.func(module="unique")
        def turning(u: vec, v: vec, a: int, c: int, exact: int):
            return mat()

        return turning

    @wp.func(module="unique")
    def slope(u: vec, v: vec, a: int):
        way = v
        if a >= 2:
            way = -u
        if a % 2 == 1:
            way = -way
        return wp.skew(way)

    @wp.func(module="unique")
    def turning(u: vec, v: vec, a: int, c: int, exact: int):
        out = wp.transpose(slope(u, v, a)) * slope(u, v, c)
        if exact == 1 and (a < 2) != (c < 2):
            n = wp.skew(wp.cross(u, v))
            if c < 2:
                n = -n
            if (a + c) % 2 == 1:
                n = -n
            out -= n
        return out

    return turning
