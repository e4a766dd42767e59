# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Where two cells of four points together are closest, as weights w:  apart = sum_i w_i x_i."""

from functools import cache
from typing import Any

import warp as wp


@cache
def segments(dim: int, dtype: Any) -> Any:
    """Return the Warp function for two segments, x0 x1 and x2 x3. Source: [ericson2005] 5.1.9."""
    vec = wp.types.vector(length=dim, dtype=dtype)
    four = wp.types.vector(length=4, dtype=dtype)
    zero, one, half = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5))
    slight = wp.constant(dtype(1e-12))

    @wp.func(module="unique")
    def segments_closest(x0: vec, x1: vec, x2: vec, x3: vec):
        u, v, r = x1 - x0, x3 - x2, x0 - x2
        a, e, b = wp.dot(u, u), wp.dot(v, v), wp.dot(u, v)
        c, f = wp.dot(u, r), wp.dot(v, r)
        s, t = zero, zero
        if a > zero and e > zero:
            across = a * e - b * b
            if across > slight * a * e:
                s = wp.clamp((b * f - c * e) / across, zero, one)
            else:  # side by side: the middle of where they are
                low, high = -c / a, -c / a + b / a
                s = half * (
                    wp.clamp(wp.min(low, high), zero, one) + wp.clamp(wp.max(low, high), zero, one)
                )
            t = (b * s + f) / e
            if t < zero:
                t = zero
                s = wp.clamp(-c / a, zero, one)
            elif t > one:
                t = one
                s = wp.clamp((b - c) / a, zero, one)
        return four(one - s, s, t - one, -t)

    return segments_closest


@cache
def point_triangle(dim: int, dtype: Any) -> Any:
    """Return the Warp function for the point x0 and the triangle x1 x2 x3.

    Source: [ericson2005] 5.1.5.
    """
    vec = wp.types.vector(length=dim, dtype=dtype)
    four = wp.types.vector(length=4, dtype=dtype)
    zero, one = wp.constant(dtype(0.0)), wp.constant(dtype(1.0))

    @wp.func(module="unique")
    def point_triangle_closest(p: vec, a: vec, b: vec, c: vec):
        ab, ac = b - a, c - a
        d1, d2 = wp.dot(ab, p - a), wp.dot(ac, p - a)
        d3, d4 = wp.dot(ab, p - b), wp.dot(ac, p - b)
        d5, d6 = wp.dot(ab, p - c), wp.dot(ac, p - c)
        va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
        v, w = zero, zero
        if d1 <= zero and d2 <= zero:  # at a
            v = zero
        elif d3 >= zero and d4 <= d3:  # at b
            v = one
        elif d6 >= zero and d5 <= d6:  # at c
            w = one
        elif vc <= zero and d1 >= zero and d3 <= zero:  # on ab
            v = d1 / (d1 - d3)
        elif vb <= zero and d2 >= zero and d6 <= zero:  # on ac
            w = d2 / (d2 - d6)
        elif va <= zero and d4 - d3 >= zero and d5 - d6 >= zero:  # on bc
            w = (d4 - d3) / (d4 - d3 + d5 - d6)
            v = one - w
        elif va + vb + vc > zero:
            v = vb / (va + vb + vc)
            w = vc / (va + vb + vc)
        return four(one, v + w - one, -v, -w)

    return point_triangle_closest
