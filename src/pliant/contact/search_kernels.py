# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that find pairs: features whose boxes overlap, and points near planes."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .box_kernels import search_types
from .closest import EDGE_EDGE, POINT_POINT, closest
from .pair_laws import STIFFNESS, law_functions

#: How a launch of `search` writes: at the end of a list, not at all but how many, at given places.
APPEND, COUNT, FILL = range(3)


@cache
def search_kernels(dim: int) -> Any:
    """Return the kernels that search pairs of features, and of points and planes."""
    real, near, of, law = wp.float64, closest(dim), search_types(dim), law_functions(dim)
    vec, four, Features, Surface = near.vec, near.four, of.Features, of.Surface
    zero, stiffness = wp.constant(real(0.0)), wp.constant(real(STIFFNESS))
    EDGES, POINTS = wp.constant(EDGE_EDGE), wp.constant(POINT_POINT)
    append, count_only = wp.constant(APPEND), wp.constant(COUNT)
    side, never, area_of, law_of = law.side, law.never, law.area, law.law

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
                if (own == 1 and twice and j <= i) or never(surface, a, b):
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
        moves = p < count and surface.held[p] == 0
        behind = surface.allowed.shape[0] + k
        moves = moves and surface.allowed[surface.body[p], behind] == 1
        if moves and wp.dot(x[p] - origins[k], normals[k]) < r + gap + drift[p]:
            near_by[i] = 1
        stencils[i] = wp.vec4i(p, -2 - k, -1, -1)
        laws[i] = four(r, gap, stiffness * surface.young[p] * gap * surface.area[p], zero)

    return SimpleNamespace(search=search, planes=planes_near)
