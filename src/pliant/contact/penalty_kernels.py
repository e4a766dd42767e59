# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of penalties: what is closest of two cells, and how contacts push."""

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Doubles, Doubles2, Ints2, Ints3, kernel_types
from pliant.energies import TERM_OPTIONS


@cache
def penalty_kernels(dim: int) -> Any:
    """Return the struct of contacts and the kernels of value, gradient and diagonal.

    A contact has the gap  offset + n . sum_i w_i x_i  over the points of its stencil.
    """
    of = kernel_types(dim)
    vec = of.vec
    zero, half = wp.constant(wp.float64(0.0)), wp.constant(wp.float64(0.5))

    @wp.struct
    class Contacts:
        stencils: wp.array2d(dtype=wp.int32)
        weights: wp.array2d(dtype=wp.float64)
        normals: wp.array(dtype=vec)
        offsets: wp.array(dtype=wp.float64)
        thickness: wp.array(dtype=wp.float64)
        k: wp.array(dtype=wp.float64)

    @wp.func(module="unique")
    def overlap(x: of.Vecs, at: Contacts, c: int):
        d = vec()
        for i in range(at.stencils.shape[1]):
            # Weights sum to zero: far from the origin digits stay.
            d += at.weights[c, i] * (x[at.stencils[c, i]] - x[at.stencils[c, 0]])
        return wp.min(wp.dot(at.normals[c], d) + at.offsets[c] - at.thickness[c], zero)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def contact_value(x: of.Vecs, at: Contacts, energies: Doubles):
        c = wp.tid()
        gap = overlap(x, at, c)
        energies[c] = half * at.k[c] * gap * gap

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def contact_gradient(x: of.Vecs, at: Contacts, g: of.Vecs):
        c = wp.tid()
        gap = overlap(x, at, c)
        if gap < zero:
            f = at.k[c] * gap * at.normals[c]
            for i in range(at.stencils.shape[1]):
                wp.atomic_add(g, at.stencils[c, i], at.weights[c, i] * f)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def contact_diagonal(x: of.Vecs, at: Contacts, slots: Ints3, blocks: of.Mats):
        c = wp.tid()
        if overlap(x, at, c) < zero:
            sizes = zero
            for i in range(at.stencils.shape[1]):
                sizes += wp.abs(at.weights[c, i])
            nn = sizes * at.k[c] * wp.outer(at.normals[c], at.normals[c])
            for i in range(at.stencils.shape[1]):
                slot = slots[at.stencils[c, i], 0, 0]
                if slot >= 0:
                    wp.atomic_add(blocks, slot, wp.abs(at.weights[c, i]) * nn)

    return SimpleNamespace(
        Contacts=Contacts, value=contact_value, gradient=contact_gradient, diagonal=contact_diagonal
    )


@cache
def box_kernel(dim: int) -> Any:
    """Return the kernel that tells where the first point of a stencil is in the box of the others."""
    of = kernel_types(dim)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def in_box(x: of.Vecs, stencils: Ints2, found: wp.array(dtype=wp.bool)):
        c = wp.tid()
        p = x[stencils[c, 0]]
        low = x[stencils[c, 1]]
        high = low
        for i in range(2, stencils.shape[1]):
            low = wp.min(low, x[stencils[c, i]])
            high = wp.max(high, x[stencils[c, i]])
        within = wp.bool(True)
        for a in range(dim):
            within = within and low[a] <= p[a] and p[a] <= high[a]
        found[c] = within

    return in_box


@cache
def closest_kernel(touching: Callable[[int], Any], dim: int) -> Any:
    """Return the kernel that finds where two cells are closest.

    Writes the weights of four points, the unit normal and the distance of each stencil; the normal is
    zero where cells lie in one place.
    """
    of = kernel_types(dim)
    vec = of.vec
    closest, zero = touching(dim), wp.constant(wp.float64(0.0))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_closest(
        x: of.Vecs, stencils: Ints2, weights: Doubles2, normals: of.Vecs, distances: Doubles
    ):
        c = wp.tid()
        s = stencils[c]
        w = closest(x[s[0]], x[s[1]], x[s[2]], x[s[3]])
        d = vec()
        for i in range(4):
            weights[c, i] = w[i]
            d += w[i] * (x[s[i]] - x[s[0]])
        apart = wp.length(d)
        distances[c] = apart
        normals[c] = vec()
        if apart > zero:
            normals[c] = d / apart

    return pair_closest
