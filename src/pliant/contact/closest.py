# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Distances between points, edges, triangles and planes, with closest points and normals.

A pair is a kind and up to four points. Its distance is d = n . sum_i w_i x_i with weights w of the
closest points, which sum to zero (to one for a plane), and the unit normal n. So grad_i d = w_i n.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

#: Kinds of pairs, and the points of their stencils: a point and a triangle (p, a, b, c), two edges
#: (a, b, c, d), a point and an edge (p, a, b), two points (p, q), a point and a plane (p, plane).
POINT_TRIANGLE, EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_PLANE = range(5)
#: Two directions are parallel if the square of the sine of their angle is below this.
PARALLEL = 1e-20


@cache
def closest(dim: int) -> Any:
    """Return Warp types and functions of pairs in 2 or 3 dimensions, as attributes.

    Near: weights w, normal n and distance d of a pair; Pairs: pairs and planes; `look(x, pairs, i)`
    returns the Near of pair i at positions x; `look_at(kind, x0, x1, x2, x3)` that of points.
    """
    vec, real = wp.types.vector(length=dim, dtype=wp.float64), wp.float64
    four = wp.types.vector(length=4, dtype=wp.float64)
    zero, one = wp.constant(real(0.0)), wp.constant(real(1.0))
    PLANE, POINT = wp.constant(POINT_PLANE), wp.constant(POINT_POINT)

    @wp.struct
    class Near:
        w: four
        n: vec
        d: real

    @wp.struct
    class Pairs:
        stencils: wp.array(dtype=wp.vec4i)  # entries that are not used are negative
        kinds: wp.array(dtype=wp.int32)
        laws: wp.array(dtype=four)  # thickness, reach, stiffness, threshold of the mollifier
        origins: wp.array(dtype=vec)  # of planes
        normals: wp.array(dtype=vec)

    @wp.func(module="unique")
    def share(p: vec, a: vec, b: vec):
        # Where on the edge a b the point p is closest, from 0 to 1.
        e = b - a
        square = wp.dot(e, e)
        if square > zero:
            return wp.clamp(wp.dot(p - a, e) / square, zero, one)
        return zero

    features = _in_space(vec, four, share) if dim == 3 else _in_plane(vec, four, share)

    @wp.func(module="unique")
    def look_at(kind: int, x0: vec, x1: vec, x2: vec, x3: vec):
        out = Near()
        if kind == POINT:
            out.w = four(one, -one, zero, zero)
        else:
            out.w = features(kind, x0, x1, x2, x3)
        w = out.w
        # Weights sum to zero: far from the origin no digits are lost.
        apart = w[1] * (x1 - x0) + w[2] * (x2 - x0) + w[3] * (x3 - x0)
        out.d = wp.length(apart)
        out.n[dim - 1] = one
        if out.d > zero:
            out.n = apart / out.d
        return out

    @wp.func(module="unique")
    def look_in(x: wp.array(dtype=vec), kind: int, s: wp.vec4i, pairs: Pairs):
        if kind == PLANE:
            out = Near()
            k = -s[1] - 2
            out.w = four(one, zero, zero, zero)
            out.n = pairs.normals[k]
            out.d = wp.dot(x[s[0]] - pairs.origins[k], out.n)
            return out
        return look_at(kind, x[s[0]], x[s[1]], x[wp.max(s[2], 0)], x[wp.max(s[3], 0)])

    @wp.func(module="unique")
    def look(x: wp.array(dtype=vec), pairs: Pairs, i: int):
        return look_in(x, pairs.kinds[i], pairs.stencils[i], pairs)

    return SimpleNamespace(
        vec=vec, four=four, Near=Near, Pairs=Pairs, look=look, look_in=look_in, look_at=look_at
    )


def _in_plane(vec: Any, four: Any, share: Any) -> Any:
    """Return the weights of a point and an edge: in the plane there are no others."""
    zero, one = wp.constant(wp.float64(0.0)), wp.constant(wp.float64(1.0))

    @wp.func(module="unique")
    def features_in_plane(kind: int, x0: vec, x1: vec, x2: vec, x3: vec):
        t = share(x0, x1, x2)
        return four(one, t - one, -t, zero)

    return features_in_plane


def _in_space(vec: Any, four: Any, share: Any) -> Any:
    """Return the weights of a point and a triangle, of two edges, and of a point and an edge.

    Where the closest points lie inside of both, cross products give them to rounding of the lengths,
    however small angles are. Else they are the closest of all edges and corners.
    """
    real = wp.float64
    zero, one = wp.constant(real(0.0)), wp.constant(real(1.0))
    slight = wp.constant(real(PARALLEL))
    TRIANGLE, EDGES = wp.constant(POINT_TRIANGLE), wp.constant(EDGE_EDGE)

    @wp.func(module="unique")
    def far(p: vec, a: vec, b: vec, t: real):
        return wp.length_sq(p - a - t * (b - a))

    @wp.func(module="unique")
    def point_triangle(p: vec, a: vec, b: vec, c: vec):
        u, v, r = b - a, c - a, p - a
        n = wp.cross(u, v)
        nn = wp.dot(n, n)
        if nn > slight * wp.dot(u, u) * wp.dot(v, v):
            s = wp.dot(n, wp.cross(r, v)) / nn
            t = wp.dot(n, wp.cross(u, r)) / nn
            s += wp.dot(u, r - s * u - t * v) / wp.dot(u, u)  # of a needle both are inexact
            if s >= zero and t >= zero and s + t <= one:
                return four(one, s + t - one, -s, -t)
        t = share(p, a, b)
        least = far(p, a, b, t)
        w = four(one, t - one, -t, zero)
        t = share(p, b, c)
        d = far(p, b, c, t)
        if d < least:
            least = d
            w = four(one, zero, t - one, -t)
        t = share(p, c, a)
        if far(p, c, a, t) < least:
            w = four(one, -t, zero, t - one)
        return w

    @wp.func(module="unique")
    def edges(x0: vec, x1: vec, x2: vec, x3: vec):
        u, v, r = x1 - x0, x3 - x2, x0 - x2
        n = wp.cross(u, v)
        nn = wp.dot(n, n)
        if nn > slight * wp.dot(u, u) * wp.dot(v, v):
            s = wp.dot(n, wp.cross(v, r)) / nn
            t = wp.dot(v, r + s * u) / wp.dot(v, v)  # not by n: an error of s must not count twice
            if s >= zero and s <= one and t >= zero and t <= one:
                return four(one - s, s, t - one, -t)
        t = share(x0, x2, x3)
        least = far(x0, x2, x3, t)
        w = four(one, zero, t - one, -t)
        t = share(x1, x2, x3)
        d = far(x1, x2, x3, t)
        if d < least:
            least = d
            w = four(zero, one, t - one, -t)
        t = share(x2, x0, x1)
        d = far(x2, x0, x1, t)
        if d < least:
            least = d
            w = four(one - t, t, -one, zero)
        t = share(x3, x0, x1)
        if far(x3, x0, x1, t) < least:
            w = four(one - t, t, zero, -one)
        return w

    @wp.func(module="unique")
    def features_in_space(kind: int, x0: vec, x1: vec, x2: vec, x3: vec):
        if kind == TRIANGLE:
            return point_triangle(x0, x1, x2, x3)
        if kind == EDGES:
            return edges(x0, x1, x2, x3)
        t = share(x0, x1, x2)
        return four(one, t - one, -t, zero)

    return features_in_space
