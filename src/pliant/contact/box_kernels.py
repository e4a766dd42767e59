# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of boxes around features, and of how far points have moved."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .closest import closest

#: Rounding of boxes, which are in single precision.
ROUNDING = 2.5e-7


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
        family: wp.array(dtype=wp.int32)
        body: wp.array(dtype=wp.int32)
        radius: wp.array(dtype=wp.float64)
        gap: wp.array(dtype=wp.float64)
        young: wp.array(dtype=wp.float64)
        area: wp.array(dtype=wp.float64)
        held: wp.array(dtype=wp.int32)  # whether a point is pinned or given
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
