# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The law of a pair: how thick its sides are, how far its barrier reaches, and how stiff it is."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from .box_kernels import search_types
from .closest import EDGE_EDGE, closest

#: kappa over the Young's modulus of the softer body.
STIFFNESS = 0.1
#: Edges are nearly parallel below this share of the product of the squares of their lengths.
SLANT = 1e-3


@cache
def law_functions(dim: int) -> Any:
    """Return Warp functions of pairs of features and of their law."""
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
    def shares(a: wp.vec3i, b: wp.vec3i):
        for i in range(3):
            for j in range(3):
                if a[i] >= 0 and a[i] == b[j]:
                    return True
        return False

    @wp.func(module="unique")
    def never(surface: Surface, a: wp.vec3i, b: wp.vec3i):
        # Whether features share a point, or all points of both are pinned or given.
        moving = wp.int32(0)
        for k in range(3):
            if a[k] >= 0:
                moving += 1 - surface.held[a[k]]
            if b[k] >= 0:
                moving += 1 - surface.held[b[k]]
        return moving == 0 or shares(a, b)

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
        family = surface.family[a[0]]
        if own == 1 or (family >= 0 and family == surface.family[b[0]]):
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
        side=side,
        never=never,
        stencil=stencil_of,
        distance=distance,
        area=area_of,
        law=law_of,
    )
