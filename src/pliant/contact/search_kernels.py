# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that find pairs: boxes around features, and what overlaps in a tree of boxes."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .closest import EDGE_EDGE, POINT_POINT, closest

#: kappa over the Young's modulus of the softer body.
STIFFNESS = 0.1
#: Edges are nearly parallel below this share of the product of the squares of their lengths.
SLANT = 1e-3
#: Rounding of boxes, which are in single precision.
ROUNDING = 2.5e-7
#: How a launch of `search` writes: at the end of a list, not at all but how many, at given places.
APPEND, COUNT, FILL = range(3)


@cache
def search_types(dim: int) -> Any:
    """Return the Warp structs Features and Surface, as attributes."""
    vec = closest(dim).vec

    @wp.struct
    class Features:
        nodes: wp.array(dtype=wp.vec3i)  # points of each; entries that are not used are negative
        body: wp.array(dtype=wp.int32)
        area: wp.array(dtype=wp.float64)
        low: wp.array(dtype=wp.vec3)
        high: wp.array(dtype=wp.vec3)
        present: wp.array(dtype=wp.int32)  # whether a body has any

    @wp.struct
    class Surface:
        rest: wp.array(dtype=vec)
        body: wp.array(dtype=wp.int32)
        radius: wp.array(dtype=wp.float64)
        gap: wp.array(dtype=wp.float64)
        young: wp.array(dtype=wp.float64)
        area: wp.array(dtype=wp.float64)
        allowed: wp.array2d(dtype=wp.int32)

    return SimpleNamespace(Features=Features, Surface=Surface)


@cache
def box_kernels(dim: int) -> Any:
    """Return the kernels of centres, of boxes, and of how far points have left them."""
    real, vec, of = wp.float64, closest(dim).vec, search_types(dim)
    Features, Surface = of.Features, of.Surface
    half, rounding = wp.constant(real(0.5)), wp.constant(real(ROUNDING))
    zero, one = wp.constant(real(0.0)), wp.constant(real(1.0))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def centres(
        x: wp.array(dtype=vec), samples: wp.array2d(dtype=wp.int32), out: wp.array(dtype=vec)
    ):
        b = wp.tid()
        c = vec()
        for k in range(samples.shape[1]):
            c += x[samples[b, k]]
        out[b] = c / real(samples.shape[1])

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def boxes(
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        at_x: wp.array(dtype=vec),
        at_y: wp.array(dtype=vec),
        surface: Surface,
        margin: real,
        features: Features,
    ):
        i = wp.tid()
        nodes, b = features.nodes[i], features.body[i]
        p = nodes[0]
        low = wp.min(x[p] - at_x[b], y[p] - at_y[b])
        high = wp.max(x[p] - at_x[b], y[p] - at_y[b])
        reach = surface.radius[p] + half * surface.gap[p]
        for k in range(1, 3):
            p = nodes[k]
            if p >= 0:
                low = wp.min(low, wp.min(x[p] - at_x[b], y[p] - at_y[b]))
                high = wp.max(high, wp.max(x[p] - at_x[b], y[p] - at_y[b]))
                reach = wp.max(reach, surface.radius[p] + half * surface.gap[p])
        a, c = wp.vec3(), wp.vec3()
        for k in range(dim):
            pad = margin + reach + rounding * (wp.abs(low[k]) + wp.abs(high[k]) + reach)
            a[k] = wp.float32(low[k] - pad)
            c[k] = wp.float32(high[k] + pad)
        features.low[i] = a
        features.high[i] = c

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def drifts(
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        at_x: wp.array(dtype=vec),
        at_y: wp.array(dtype=vec),
        surface: Surface,
        spare: real,
        out: wp.array(dtype=real),
    ):
        p = wp.tid()
        b = surface.body[p]
        out[p] = wp.length(y[p] - at_y[b] - x[p] + at_x[b]) + spare

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def excess(
        z: wp.array(dtype=vec),
        x: wp.array(dtype=vec),
        y: wp.array(dtype=vec),
        at_z: wp.array(dtype=vec),
        at_x: wp.array(dtype=vec),
        at_y: wp.array(dtype=vec),
        surface: Surface,
        points: wp.array(dtype=wp.int32),
        most: wp.array(dtype=real),
    ):
        p = points[wp.tid()]
        b = surface.body[p]
        u = x[p] - at_x[b]
        way, off = y[p] - at_y[b] - u, z[p] - at_z[b] - u
        square, share = wp.dot(way, way), zero
        if square > zero:
            share = wp.clamp(wp.dot(off, way) / square, zero, one)
        out = wp.length(off - share * way)
        if out > most[0]:
            wp.atomic_max(most, 0, out)

    return SimpleNamespace(centres=centres, boxes=boxes, drifts=drifts, excess=excess)


@cache
def law_functions(dim: int) -> Any:
    """Return Warp functions of the law of a pair, from what the surface says of its points."""
    real, near, of = wp.float64, closest(dim), search_types(dim)
    vec, four, Surface = near.vec, near.four, of.Surface
    zero, quarter, half = (wp.constant(real(v)) for v in (0.0, 0.25, 0.5))
    stiffness, slant = wp.constant(real(STIFFNESS)), wp.constant(real(SLANT))
    EDGES = wp.constant(EDGE_EDGE)

    @wp.func(module="unique")
    def side(values: wp.array(dtype=real), nodes: wp.vec3i):
        out = values[nodes[0]]
        for k in range(1, 3):
            if nodes[k] >= 0:
                out = wp.max(out, values[nodes[k]])
        return out

    @wp.func(module="unique")
    def stencil_of(kind: int, a: wp.vec3i, b: wp.vec3i):
        if kind == EDGES:
            return wp.vec4i(a[0], a[1], b[0], b[1])
        return wp.vec4i(a[0], b[0], b[1], b[2])

    @wp.func(module="unique")
    def distance(kind: int, x: wp.array(dtype=vec), s: wp.vec4i):
        return near.look_at(kind, x[s[0]], x[s[1]], x[wp.max(s[2], 0)], x[wp.max(s[3], 0)]).d

    @wp.func(module="unique")
    def area_of(kind: int, first: real, second: real):
        if first <= zero:
            return second
        if kind == EDGES and second > zero:
            return quarter * (first + second)
        return first

    @wp.func(module="unique")
    def law_of(
        kind: int,
        s: wp.vec4i,
        surface: Surface,
        a: wp.vec3i,
        b: wp.vec3i,
        area: real,
        own: int,
    ):
        # The reach is zero if the pair can never part: it touches in the rest shape.
        thickness = side(surface.radius, a) + side(surface.radius, b)
        reach = wp.min(surface.gap[a[0]], surface.gap[b[0]])
        if own == 1:
            apart = distance(kind, surface.rest, s)
            thickness = wp.min(thickness, half * apart)  # a fine sheet may be pressed together
            reach = wp.min(reach, apart - thickness)
        young = wp.min(surface.young[a[0]], surface.young[b[0]])
        parallel = zero
        if kind == EDGES:
            u, v = (
                surface.rest[s[1]] - surface.rest[s[0]],
                surface.rest[s[3]] - surface.rest[s[2]],
            )
            parallel = slant * wp.dot(u, u) * wp.dot(v, v)
        return four(thickness, reach, stiffness * young * reach * area, parallel)

    return SimpleNamespace(
        side=side, stencil=stencil_of, distance=distance, area=area_of, law=law_of
    )


@cache
def search_kernels(dim: int) -> Any:
    """Return the kernels that search pairs of features, and of points and planes."""
    real, near, of, law = wp.float64, closest(dim), search_types(dim), law_functions(dim)
    vec, four, Features, Surface = near.vec, near.four, of.Features, of.Surface
    zero, stiffness = wp.constant(real(0.0)), wp.constant(real(STIFFNESS))
    EDGES, POINTS = wp.constant(EDGE_EDGE), wp.constant(POINT_POINT)
    append, count_only = wp.constant(APPEND), wp.constant(COUNT)
    side, area_of, law_of = law.side, law.area, law.law

    @wp.func(module="unique")
    def shares(a: wp.vec3i, b: wp.vec3i):
        for i in range(3):
            for j in range(3):
                if a[i] >= 0 and a[i] == b[j]:
                    return True
        return False

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def search(
        begin: int,
        kind: int,
        own: int,
        x: wp.array(dtype=vec),
        drift: wp.array(dtype=real),
        surface: Surface,
        first: Features,
        second: Features,
        tree: wp.uint64,
        most: int,
        mode: int,
        places: wp.array(dtype=wp.int32),
        counts: wp.array(dtype=wp.int32),
        stencils: wp.array(dtype=wp.vec4i),
        laws: wp.array(dtype=four),
    ):
        # With `append` counts has one entry, else one for every feature of the first set.
        i = begin + wp.tid()
        a, body = first.nodes[i], first.body[i]
        twice = wp.where(kind == EDGES, True, kind == POINTS)
        start, stop, found = wp.int32(0), surface.allowed.shape[0], wp.int32(0)
        if own == 1:
            start = body
            stop = body + 1
        elif twice:
            start = body + 1
        away, gap = side(drift, a) + side(surface.radius, a), surface.gap[a[0]]
        for g in range(start, stop):
            if surface.allowed[body, g] == 0 or second.present[g] == 0 or (own == 0 and g == body):
                continue
            root = wp.bvh_get_group_root(tree, g)
            query = wp.bvh_query_aabb(tree, first.low[i], first.high[i], root)
            j = wp.int32(0)
            while wp.bvh_query_next(query, j):
                if mode == append and counts[0] > most:
                    break  # too many: nobody will use them
                b = second.nodes[j]
                if (own == 1 and twice and j <= i) or shares(a, b):
                    continue
                s = law.stencil(kind, a, b)
                reach = away + side(drift, b) + side(surface.radius, b)
                reach += wp.min(gap, surface.gap[b[0]])
                if not (law.distance(kind, x, s) < reach):  # or is not a number
                    continue
                area = area_of(kind, first.area[i], second.area[j])
                m = law_of(kind, s, surface, a, b, area, own)
                if m[1] <= zero:
                    continue
                at = wp.int32(0)
                if mode == append:
                    at = wp.atomic_add(counts, 0, 1)
                if mode != append:
                    at = places[i] + found
                found += 1
                if mode != count_only and at < stencils.shape[0]:
                    stencils[at] = s
                    laws[at] = m
        if mode != append:
            counts[i] = found

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def planes_near(
        points: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        drift: wp.array(dtype=real),
        surface: Surface,
        origins: wp.array(dtype=vec),
        normals: wp.array(dtype=vec),
        count: int,
        near_by: wp.array(dtype=wp.int32),
        stencils: wp.array(dtype=wp.vec4i),
        laws: wp.array(dtype=four),
    ):
        q, k = wp.tid()
        p, i = points[q], q * normals.shape[0] + k
        gap, r = surface.gap[p], surface.radius[p]
        near_by[i] = 0
        if p < count and wp.dot(x[p] - origins[k], normals[k]) < r + gap + drift[p]:
            near_by[i] = 1
        stencils[i] = wp.vec4i(p, -2 - k, -1, -1)
        laws[i] = four(r, gap, stiffness * surface.young[p] * gap * surface.area[p], zero)

    return SimpleNamespace(search=search, planes=planes_near)


@cache
def filter_kernels(dim: int) -> Any:
    """Return the kernels that tell which pairs are near, and that gather some of them."""
    real, near = wp.float64, closest(dim)
    vec, four, Pairs = near.vec, near.four, near.Pairs

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pairs_near(
        x: wp.array(dtype=vec), pairs: Pairs, spare: real, near_by: wp.array(dtype=wp.int32)
    ):
        i = wp.tid()
        law = pairs.laws[i]
        near_by[i] = 0
        if near.look(x, pairs, i).d - law[0] < law[1] + spare:
            near_by[i] = 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def gather(
        kept: wp.array(dtype=wp.int32),
        places: wp.array(dtype=wp.int32),
        stencils: wp.array(dtype=wp.vec4i),
        kinds: wp.array(dtype=wp.int32),
        laws: wp.array(dtype=four),
        to_stencils: wp.array(dtype=wp.vec4i),
        to_kinds: wp.array(dtype=wp.int32),
        to_laws: wp.array(dtype=four),
    ):
        i = wp.tid()
        if kept[i] == 1:
            at = places[i]
            to_stencils[at] = stencils[i]
            to_kinds[at] = kinds[i]
            to_laws[at] = laws[i]

    return SimpleNamespace(near=pairs_near, gather=gather)
