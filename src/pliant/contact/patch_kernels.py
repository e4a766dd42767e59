# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that tell which bodies may come near to themselves, to others or to planes on a way."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .box_kernels import search_types
from .closest import EDGE_EDGE, closest

#: Rounding of the eigenvalues of what maps a patch.
EXACT = 1e-6


@cache
def patch_types(dim: int) -> Any:
    """Return the Warp structs Patches and Fits, as attributes."""
    real, vec = wp.float64, closest(dim).vec
    mat = wp.types.matrix((dim, dim), real)

    @wp.struct
    class Patches:
        begin: wp.array(dtype=wp.int32)
        points: wp.array(dtype=wp.int32)
        away: wp.array(dtype=vec)  # of each point, from the mean at rest
        weights: wp.array(dtype=vec)  # A = sum x w^T, in directions that the patch extends in
        basis: wp.array(dtype=mat)  # columns: those directions, and others behind them
        rank: wp.array(dtype=wp.int32)
        mean: wp.array(dtype=vec)
        radius: wp.array(dtype=real)
        reach: wp.array(dtype=real)
        apart: wp.array(dtype=real)
        low: wp.array(dtype=vec)  # the box around it at rest
        high: wp.array(dtype=vec)
        edge: wp.array(dtype=real)  # its longest edge at rest
        stop: wp.array(dtype=wp.int32)  # behind the last patch that may touch it, of its body

    @wp.struct
    class Fits:
        # At both ends of a way: x = mean + A (X - mean at rest) + at most `off`.
        at_x: wp.array(dtype=vec)
        at_y: wp.array(dtype=vec)
        map_x: wp.array(dtype=mat)
        map_y: wp.array(dtype=mat)
        off: wp.array(dtype=real)
        least: wp.array(dtype=real)  # the least stretch of A on the way, at most 1
        radius: wp.array(dtype=real)
        low: wp.array(dtype=vec)
        high: wp.array(dtype=vec)

    return SimpleNamespace(vec=vec, mat=mat, Patches=Patches, Fits=Fits)


@cache
def patch_kernels(dim: int) -> Any:
    """Return the kernels `fit` and `meet` of patches, `approach` of pairs, `planes` of points."""
    real, of, near = wp.float64, patch_types(dim), closest(dim)
    vec, mat, Patches, Fits, Pairs = of.vec, of.mat, of.Patches, of.Fits, near.Pairs
    Surface = search_types(dim).Surface
    zero, one, half = (wp.constant(real(v)) for v in (0.0, 1.0, 0.5))
    quarter, exact = wp.constant(real(0.25)), wp.constant(real(EXACT))
    EDGES = wp.constant(EDGE_EDGE)
    completed, lowest = _completed(dim, vec, mat), _lowest(dim, mat)

    @wp.func(module="unique")
    def off(x: wp.array(dtype=vec), p: int, mean: vec, A: mat, away: vec):
        return wp.length(x[p] - mean - A * away)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def fit(x: wp.array(dtype=vec), y: wp.array(dtype=vec), patches: Patches, fits: Fits):
        i = wp.tid()
        begin, end = patches.begin[i], patches.begin[i + 1]
        a, b, A, B = vec(), vec(), mat(), mat()
        first = patches.points[begin]
        low, high = wp.min(x[first], y[first]), wp.max(x[first], y[first])
        for k in range(begin, end):
            p = patches.points[k]
            w = patches.weights[k]
            a += x[p]
            b += y[p]
            A += wp.outer(x[p], w)
            B += wp.outer(y[p], w)
            low = wp.min(low, wp.min(x[p], y[p]))
            high = wp.max(high, wp.max(x[p], y[p]))
        a = a / real(end - begin)
        b = b / real(end - begin)
        A = completed(A, patches.basis[i], patches.rank[i])
        B = completed(B, patches.basis[i], patches.rank[i])
        most, radius = real(0.0), real(0.0)
        for k in range(begin, end):
            p = patches.points[k]
            away = patches.away[k]
            most = wp.max(most, wp.max(off(x, p, a, A, away), off(y, p, b, B, away)))
            radius = wp.max(radius, wp.max(wp.length_sq(x[p] - a), wp.length_sq(y[p] - b)))
        C = wp.transpose(A) * B
        least = wp.min(lowest(wp.transpose(A) * A), lowest(wp.transpose(B) * B))
        least = wp.min(least, lowest(half * (C + wp.transpose(C))))
        fits.at_x[i] = a
        fits.at_y[i] = b
        fits.map_x[i] = A
        fits.map_y[i] = B
        fits.off[i] = most
        fits.least[i] = wp.sqrt(wp.clamp(least - exact, zero, one))
        fits.radius[i] = wp.sqrt(radius)
        fits.low[i] = low
        fits.high[i] = high

    @wp.func(module="unique")
    def square(A: mat):
        return wp.ddot(A, A)

    @wp.func(module="unique")
    def clear(
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        patches: Patches,
        fits: Fits,
        i: int,
        j: int,
        apart: real,
        reach: real,
    ):
        # Whether the points of j, as patch i is mapped, are off by less than how far they are apart.
        A, B, shift = fits.map_x[i], fits.map_y[i], patches.mean[j] - patches.mean[i]
        at_x = wp.length(fits.at_x[j] - fits.at_x[i] - A * shift)
        at_x += wp.sqrt(square(fits.map_x[j] - A)) * patches.radius[j]
        at_y = wp.length(fits.at_y[j] - fits.at_y[i] - B * shift)
        at_y += wp.sqrt(square(fits.map_y[j] - B)) * patches.radius[j]
        if wp.max(at_x, at_y) + fits.off[j] < fits.least[i] * apart - reach - fits.off[i]:
            return True  # wherever they are
        for k in range(patches.begin[j], patches.begin[j + 1]):
            p = patches.points[k]
            at = patches.away[k] + patches.mean[j]
            away = at - patches.mean[i]
            outside = wp.length(at - wp.min(wp.max(at, patches.low[i]), patches.high[i]))
            spare = fits.least[i] * wp.max(apart, outside - patches.edge[j]) - reach - fits.off[i]
            if not (off(x, p, fits.at_x[i], fits.map_x[i], away) < spare):
                return False
            if not (off(y, p, fits.at_y[i], fits.map_y[i], away) < spare):
                return False
        return True

    @wp.func(module="unique")
    def gap_of(fits: Fits, i: int, j: int):
        # The least gap of the balls that two patches are in, on their way.
        begin, end = fits.at_x[j] - fits.at_x[i], fits.at_y[j] - fits.at_y[i]
        way = end - begin
        square, share = wp.dot(way, way), zero
        if square > zero:
            share = wp.clamp(-wp.dot(begin, way) / square, zero, one)
        return wp.length(begin + share * way) - fits.radius[i] - fits.radius[j]

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def meet(
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        patches: Patches,
        fits: Fits,
        spare: real,
        found: wp.array(dtype=wp.int32),
    ):
        # Whether features of this patch and of one that is not before it may come within reach.
        i = wp.tid()
        found[i] = 0
        for j in range(i, patches.stop[i]):
            reach = wp.max(patches.reach[i], patches.reach[j]) + spare
            apart = wp.max(patches.apart[i], patches.apart[j])
            # Each answer is False for what is not a number.
            if i == j and fits.least[i] * apart - reach > real(2.0) * fits.off[i]:
                continue
            if i != j and gap_of(fits, i, j) > reach:
                continue
            if i != j:
                if clear(x, y, patches, fits, i, j, apart, reach):
                    continue
                if clear(x, y, patches, fits, j, i, apart, reach):
                    continue
            found[i] = 1
            return

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def approach(
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        pairs: Pairs,
        found: wp.array(dtype=wp.int32),
    ):
        # Whether the two sides of a pair may come within reach on their way.
        i = wp.tid()
        s, law, sides = pairs.stencils[i], pairs.laws[i], wp.int32(1)
        if pairs.kinds[i] == EDGES:
            sides = 2
        way = real(0.0)
        for a in range(sides):
            for b in range(sides, 4):
                if s[b] >= 0:
                    way = wp.max(way, wp.length(y[s[a]] - x[s[a]] - y[s[b]] + x[s[b]]))
        d = half * (near.look(x, pairs, i).d + near.look(y, pairs, i).d - way)
        found[i] = wp.where(d > law[0] + law[1], 0, 1)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def planes(
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        points: wp.array(dtype=wp.int32),
        surface: Surface,
        count: int,
        begin: wp.array2d(dtype=vec),
        end: wp.array2d(dtype=vec),
        found: wp.array2d(dtype=wp.int32),
    ):
        # begin, end: of all planes a point, and the normal.
        t, k = wp.tid()
        p = points[t]
        b = surface.body[p]
        if p < count and surface.held[p] == 0 and surface.allowed[b, found.shape[0] + k] == 1:
            u, v = x[p] - begin[k, 0], y[p] - end[k, 0]
            d = wp.min(wp.dot(u, begin[k, 1]), wp.dot(v, end[k, 1]))
            d -= quarter * wp.length(end[k, 1] - begin[k, 1]) * wp.length(v - u)
            if not (d > surface.radius[p] + surface.gap[p]):
                found[b, k] = 1

    return SimpleNamespace(fit=fit, meet=meet, approach=approach, planes=planes)


def _completed(dim: int, vec: Any, mat: Any) -> Any:
    """Return the function that says where a map leads directions in which a patch does not extend."""
    if dim == 2:

        @wp.func(module="unique")
        def completed_in_plane(A: mat, basis: mat, rank: int):
            if rank == 1:
                u = wp.normalize(A * vec(basis[0, 0], basis[1, 0]))
                return A + wp.outer(vec(-u[1], u[0]), vec(basis[0, 1], basis[1, 1]))
            if rank == 0:
                return basis * wp.transpose(basis)
            return A

        return completed_in_plane

    @wp.func(module="unique")
    def completed_in_space(A: mat, basis: mat, rank: int):
        a = vec(basis[0, 0], basis[1, 0], basis[2, 0])
        b = vec(basis[0, 1], basis[1, 1], basis[2, 1])
        c = vec(basis[0, 2], basis[1, 2], basis[2, 2])
        if rank == 2:
            return A + wp.outer(wp.normalize(wp.cross(A * a, A * b)), c)
        if rank == 1:
            u = wp.normalize(A * a)
            v = wp.normalize(b - wp.dot(b, u) * u)
            return A + wp.outer(v, b) + wp.outer(wp.cross(u, v), c)
        if rank == 0:
            return basis * wp.transpose(basis)
        return A

    return completed_in_space


def _lowest(dim: int, mat: Any) -> Any:
    """Return the function of the lowest eigenvalue of a symmetric matrix."""
    real = wp.float64
    zero, one, half, two, six = (wp.constant(real(v)) for v in (0.0, 1.0, 0.5, 2.0, 6.0))
    three, third = wp.constant(real(3.0)), wp.constant(real(2.0 * 3.141592653589793 / 3.0))

    if dim == 2:

        @wp.func(module="unique")
        def lowest_of_two(S: mat):
            d = half * (S[0, 0] - S[1, 1])
            return half * (S[0, 0] + S[1, 1]) - wp.sqrt(d * d + S[0, 1] * S[0, 1])

        return lowest_of_two

    @wp.func(module="unique")
    def lowest_of_three(S: mat):
        q = wp.trace(S) / three
        D = S - q * wp.identity(n=3, dtype=real)
        p = wp.sqrt(wp.ddot(D, D) / six)
        if p <= zero:
            return q
        r = wp.clamp(half * wp.determinant(D / p), -one, one)
        return q + two * p * wp.cos(wp.acos(r) / three + third)

    return lowest_of_three
