# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Where two cells of four points together are closest, as weights w:  apart = sum_i w_i x_i."""

from functools import cache
from typing import Any

import warp as wp

from .closest import POINT_EDGE, POINT_TRIANGLE, closest


@cache
def segments(dim: int) -> Any:
    """Return the Warp function for two segments, x0 x1 and x2 x3. Source: [ericson2005] 5.1.9."""
    vec, four = closest(dim).vec, closest(dim).four
    zero, one, half, slight = (wp.constant(wp.float64(v)) for v in (0.0, 1.0, 0.5, 1e-12))

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
def point_triangle(dim: int) -> Any:
    """Return the Warp function for the point x0 and the triangle x1 x2 x3, or in the plane x1 x2."""
    vec, look_at = closest(dim).vec, closest(dim).look_at
    kind = wp.constant(POINT_TRIANGLE if dim == 3 else POINT_EDGE)

    @wp.func(module="unique")
    def point_triangle_closest(x0: vec, x1: vec, x2: vec, x3: vec):
        return look_at(kind, x0, x1, x2, x3).w

    return point_triangle_closest
