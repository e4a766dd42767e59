# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that list the contacts which rub, and that make one bristle of those of one contact."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, kernel_types, kernels_named
from pliant.energies import TERM_OPTIONS

from .barrier_functions import barrier_functions, mollifier
from .bristle_kernels import bristle_kernels
from .closest import EDGE_EDGE, POINT_EDGE, POINT_PLANE, POINT_POINT, POINT_TRIANGLE, closest
from .contact_keys import CLASSES, EDGE, GIVEN

Longs = wp.array(dtype=wp.int64)


@cache
def grip_types(dim: int) -> Any:
    """Return the Warp struct of what is known of bodies, edges and friction."""

    @wp.struct
    class Known:
        body: Ints  # of each point
        friction: wp.array2d(dtype=wp.float64)
        bend: Doubles  # of bodies and planes [m]
        edges: Longs  # keys of edges, sorted, and the edges that they are of
        order: Ints
        bodies: int
        others: int  # bodies and planes
        unknown: int  # points that are not given, which come first

    return Known


@cache
def grip_kernels(dim: int) -> Any:
    """Return the kernels that friction finds contacts with.

    rubs: which pairs push with friction. fill: writes these, with the bristles that their contacts had,
    behind `at`. append, differ: by how much values of equal keys differ. begins: where the contacts of
    sorted pairs begin. mean: the bristle of each contact, by forces, along the mean normal.
    """
    real, of, near = wp.float64, kernel_types(dim), closest(dim)
    vec, Pairs, Grips, Known = of.vec, near.Pairs, bristle_kernels(dim).Grips, grip_types(dim)
    b, mollify = barrier_functions(), mollifier(dim).mollify
    zero, one, two, tiny = (wp.constant(real(v)) for v in (0.0, 1.0, 2.0, 1e-300))
    EDGES, PLANE = wp.constant(EDGE_EDGE), wp.constant(POINT_PLANE)
    FLAT, classes = (
        wp.constant(POINT_TRIANGLE if dim == 3 else POINT_EDGE),
        wp.constant(wp.int64(CLASSES)),
    )
    of_edges, of_given = wp.constant(wp.int64(EDGE)), wp.constant(wp.int64(GIVEN))
    POINTS = wp.constant(POINT_POINT)
    upwards = _upwards(dim)

    @wp.func(module="unique")
    def push(x: of.Vecs, pairs: Pairs, i: int, d: real):
        law, out = pairs.laws[i], real(0.0)
        y = (d - law[0]) / law[1]
        if y > zero and y < one:
            z = mollify(x, pairs.kinds[i], pairs.stencils[i], law[3])
            out = -law[2] * z * (two - z) * b.slope(y) / law[1]
        return out

    @wp.func(module="unique")
    def second_of(pairs: Pairs, known: Known, i: int):
        s = pairs.stencils[i]
        if pairs.kinds[i] == PLANE:
            return known.bodies - 2 - s[1]
        if pairs.kinds[i] == EDGES:
            return known.body[s[2]]
        return known.body[s[1]]

    @wp.func(module="unique")
    def place_of(keys: Longs, key: wp.int64):
        # The first that is not below the key.
        low, high = wp.int32(0), keys.shape[0]
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low

    @wp.func(module="unique")
    def edge_of(known: Known, p: int, q: int, points: int):
        key = wp.int64(wp.min(p, q)) * wp.int64(points) + wp.int64(wp.max(p, q))
        return wp.int64(known.order[place_of(known.edges, key)])

    @wp.func(module="unique")
    def key_of(x: of.Vecs, pairs: Pairs, known: Known, i: int, own: int, other: int, n: vec):
        s, points, label = pairs.stencils[i], known.body.shape[0], wp.int64(0)
        first, second = wp.int64(s[0]), wp.int64(other)
        if pairs.kinds[i] == EDGES:
            first = edge_of(known, s[0], s[1], points)
            label = of_edges
            if own == 1:
                second = wp.int64(known.others) + edge_of(known, s[2], s[3], points)
        elif s[0] >= known.unknown:
            second = wp.int64(known.body[s[0]])
            if pairs.kinds[i] == POINTS:
                first = wp.int64(s[1])
            else:
                first = edge_of(known, s[1], s[2], points)
                label = of_given
        if own == 1 and pairs.kinds[i] == FLAT:
            up = upwards(x[s[1]], x[s[2]], x[wp.max(s[3], 0)])
            label = wp.where(wp.dot(up, n) < zero, wp.int64(1), wp.int64(0))
        width = wp.int64(known.others + known.edges.shape[0])
        return (first * width + second) * classes + label

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def rubs(x: of.Vecs, pairs: Pairs, known: Known, kept: Ints):
        i = wp.tid()
        kept[i] = 0
        mu = known.friction[known.body[pairs.stencils[i][0]], second_of(pairs, known, i)]
        if mu > zero and mu * push(x, pairs, i, near.look(x, pairs, i).d) > zero:
            kept[i] = 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def fill(
        x: of.Vecs,
        pairs: Pairs,
        known: Known,
        own: int,
        kept: Ints,
        places: Ints,
        at: int,
        keys: Longs,
        bends: of.Vecs,
        grips: Grips,
        kinds: Ints,
        forces: Doubles,
        numbers: Longs,
    ):
        i = wp.tid()
        if kept[i] == 0:
            return
        to, look, first = at + places[i], near.look(x, pairs, i), known.body[pairs.stencils[i][0]]
        second, force = second_of(pairs, known, i), push(x, pairs, i, look.d)
        key = key_of(x, pairs, known, i, own, second, look.n)
        grips.stencils[to] = pairs.stencils[i]
        grips.weights[to] = look.w
        grips.normals[to] = look.n
        grips.strengths[to] = known.friction[first, second] * force
        grips.lengths[to] = wp.min(known.bend[first], known.bend[second])
        grips.bristles[to] = vec()
        k = place_of(keys, key)
        if k < keys.shape[0]:  # noqa: SIM102
            if keys[k] == key:
                grips.bristles[to] = bends[k]
        kinds[to] = pairs.kinds[i]
        forces[to] = force
        numbers[to] = key

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def number(order: Ints):
        order[wp.tid()] = wp.tid()

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def append(keys: Longs, values: Doubles, at: int, sign: real, to_keys: Longs, to: Doubles):
        i = wp.tid()
        to_keys[at + i] = keys[i]
        to[at + i] = sign * values[i]

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def differ(keys: Longs, order: Ints, values: Doubles, out: Doubles):
        # The absolute sum of the values of each key, where that begins, else zero.
        i, count = wp.tid(), out.shape[0]
        out[i] = zero
        if i > 0:  # noqa: SIM102
            if keys[i] == keys[i - 1]:
                return
        total, j, key = real(0.0), wp.int32(i), keys[i]
        while j < count and keys[j] == key:
            total += values[order[j]]
            j += 1
        out[i] = wp.abs(total)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def begins(keys: Longs, out: Ints):
        i = wp.tid()
        out[i] = 0
        if i == 0 or keys[i] != keys[i - 1]:
            out[i] = 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def mean(
        keys: Longs,
        order: Ints,
        first: Ints,
        places: Ints,
        count: int,
        forces: Doubles,
        bent: of.Vecs,
        grips: Grips,
        out_keys: Longs,
        out: of.Vecs,
    ):
        i = wp.tid()
        if first[i] == 0:
            return
        total, u, n, eps = real(0.0), vec(), vec(), real(0.0)
        j = wp.int32(i)
        going = wp.int32(1)
        while going == 1:
            k = order[j]
            w = forces[k]
            total += w
            u += w * bent[k]
            n += w * grips.normals[k]
            eps += w * grips.lengths[k]
            j += 1
            going = 0
            if j < count:  # noqa: SIM102
                if keys[j] == keys[i]:
                    going = 1
        total = wp.max(total, tiny)
        u, n, eps = u / total, n / total, eps / total
        n = n / wp.max(wp.length(n), tiny)
        u -= wp.dot(u, n) * n
        out_keys[places[i]] = keys[i]
        out[places[i]] = wp.min(one, eps / wp.max(wp.length(u), tiny)) * u

    return kernels_named(rubs, fill, number, append, differ, begins, mean)


def _upwards(dim: int) -> Any:
    """Return the Warp function of a vector across a triangle, or in the plane across an edge."""
    vec = kernel_types(dim).vec
    if dim == 2:

        @wp.func(module="unique")
        def upwards(a: vec, b: vec, c: vec):
            return vec(b[1] - a[1], a[0] - b[0])

        return upwards

    @wp.func(module="unique")
    def upwards(a: vec, b: vec, c: vec):
        return wp.cross(b - a, c - a)

    return upwards
