# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernel that finds how far pairs may move before they touch."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .closest import EDGE_EDGE, POINT_PLANE, POINT_POINT, POINT_TRIANGLE, closest

#: Advances of one pair at most. Each is safe, so that a pair which needs more only goes less far.
MOST = 20_000
#: The share of the gap to be kept by which a pair may stay away from it.
NEAR = 0.1


@cache
def impact_functions(dim: int) -> Any:
    """Return Warp functions of how far sides of pairs come closer, and when points meet planes."""
    real, vec = wp.float64, closest(dim).vec
    zero, half, one, two, four = (wp.constant(real(v)) for v in (0.0, 0.5, 1.0, 2.0, 4.0))
    third = wp.constant(real(1.0 / 3.0))
    TRIANGLE, EDGES = wp.constant(POINT_TRIANGLE), wp.constant(EDGE_EDGE)
    POINTS = wp.constant(POINT_POINT)

    @wp.func(module="unique")
    def approach(kind: int, v0: vec, v1: vec, v2: vec, v3: vec):
        # How far the sides can come closer, at most, when the points go these ways.
        if kind == POINTS:
            return wp.length(v0 - v1)
        first, second = v0, half * (v1 + v2)
        if kind == TRIANGLE:
            second = third * (v1 + v2 + v3)
        elif kind == EDGES:
            first, second = half * (v0 + v1), half * (v2 + v3)
        c = half * (first + second)
        l0, l1, l2, l3 = wp.length(v0 - c), wp.length(v1 - c), wp.length(v2 - c), wp.length(v3 - c)
        if kind == TRIANGLE:
            return l0 + wp.max(l1, wp.max(l2, l3))
        if kind == EDGES:
            return wp.max(l0, l1) + wp.max(l2, l3)
        return l0 + wp.max(l1, l2)

    @wp.func(module="unique")
    def first_root(a: real, b: real, c: real):
        # The smallest positive root of a t^2 + b t + c with c > 0; 2 if there is none before.
        square = b * b - four * a * c
        if square < zero:
            return two
        q = wp.sqrt(square)
        if b < zero:
            return two * c / (q - b)
        if a < zero:
            return -half * (b + q) / a
        return two

    @wp.func(module="unique")
    def plane_time(r: vec, v: vec, n: vec, turn: vec, offset: real):
        # A normal that turns is shorter than one on its way, so that the distance is not less.
        a, b, c = wp.dot(v, turn), wp.dot(v, n) + wp.dot(r, turn), wp.dot(r, n) - offset
        return wp.min(first_root(a, b, c), one)

    return SimpleNamespace(approach=approach, plane_time=plane_time)


@cache
def impact_kernel(dim: int) -> Any:
    """Return the kernel of additive continuous collision detection.

    A pair at distance d whose sides approach each other by at most l while all points go along dx
    cannot touch before t = d/l. From there it is asked again, until less than `keep` of the gap at the
    start, or of the reach if that is smaller, would be left. Points and planes are solved in closed
    form; `turns` are the ways of the planes' normals. Source: [li2021].

    times: the share of dx for every pair; least: the smallest. With `alone` = 0 pairs that are known
    not to be the first stop early.
    """
    real, of, by = wp.float64, closest(dim), impact_functions(dim)
    vec, Pairs, look_at = of.vec, of.Pairs, of.look_at
    approach, plane_time = by.approach, by.plane_time
    zero, one, near = (wp.constant(real(v)) for v in (0.0, 1.0, 1.0 + NEAR))
    most, PLANE = wp.constant(MOST), wp.constant(POINT_PLANE)

    @wp.func(module="unique")
    def pair_time(
        x: wp.array(dtype=vec),
        dx: wp.array(dtype=vec),
        kind: int,
        s: wp.vec4i,
        thickness: real,
        reach: real,
        keep: real,
        limit: real,
    ):
        i2, i3 = wp.max(s[2], 0), wp.max(s[3], 0)
        x0, x1, x2, x3 = x[s[0]], x[s[1]], x[i2], x[i3]
        v0, v1, v2, v3 = dx[s[0]], dx[s[1]], dx[i2], dx[i3]
        gap = look_at(kind, x0, x1, x2, x3).d - thickness
        if gap <= zero:
            return zero
        stop = keep * wp.min(gap, reach)
        length, t = approach(kind, v0, v1, v2, v3), real(0.0)
        if gap - stop > limit * length:
            return one
        for _ in range(most):
            t += (gap - stop) / length
            if t >= limit:
                t = one
                break
            now = look_at(kind, x0 + t * v0, x1 + t * v1, x2 + t * v2, x3 + t * v3)
            gap = now.d - thickness
            if gap <= near * stop:
                break
        return wp.min(t, one)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def impact(
        x: wp.array(dtype=vec),
        dx: wp.array(dtype=vec),
        pairs: Pairs,
        moves: wp.array(dtype=vec),
        turns: wp.array(dtype=vec),
        keep: real,
        alone: int,
        times: wp.array(dtype=real),
        least: wp.array(dtype=real),
    ):
        i = wp.tid()
        kind, s, law = pairs.kinds[i], pairs.stencils[i], pairs.laws[i]
        limit, t = one, one
        if alone == 0:
            limit = least[0]
        if kind == PLANE:
            k = -s[1] - 2
            r, n = x[s[0]] - pairs.origins[k], pairs.normals[k]
            gap = wp.dot(r, n) - law[0]
            t = zero
            if gap > zero:
                offset = law[0] + keep * wp.min(gap, law[1])
                t = plane_time(r, dx[s[0]] - moves[k], n, turns[k], offset)
        else:
            t = pair_time(x, dx, kind, s, law[0], law[1], keep, limit)
        if alone == 1:
            times[i] = t
        if t < limit:
            wp.atomic_min(least, 0, t)

    return impact
