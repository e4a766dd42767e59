# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of surfaces whose points are weighted sums of others."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints3, kernel_types
from pliant.energies import TERM_OPTIONS


@cache
def carried_kernels(dim: int) -> Any:
    """Return the kernels of y = S x, of S^T f, and of the blocks of S^T H S, as attributes.

    H is given by the blocks of its diagonal and by blocks above it, whose transposes count as well.
    """
    real, of = wp.float64, kernel_types(dim)
    zero = wp.constant(real(0.0))
    Numbers, Weights = wp.array2d(dtype=wp.int32), wp.array2d(dtype=real)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def place(nodes: Numbers, weights: Weights, x: of.Vecs, out: of.Vecs):
        i = wp.tid()
        y = of.vec()
        for a in range(nodes.shape[1]):
            y += weights[i, a] * x[nodes[i, a]]
        out[i] = y

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def back(nodes: Numbers, weights: Weights, forces: of.Vecs, g: of.Vecs):
        i = wp.tid()
        for a in range(nodes.shape[1]):
            if weights[i, a] != zero:
                wp.atomic_add(g, nodes[i, a], weights[i, a] * forces[i])

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def points_diagonal(
        nodes: Numbers, weights: Weights, diagonal: of.Mats, slots: Ints3, blocks: of.Mats
    ):
        i = wp.tid()
        for a in range(nodes.shape[1]):
            slot = slots[nodes[i, a], 0, 0]
            if weights[i, a] != zero and slot >= 0:
                wp.atomic_add(blocks, slot, weights[i, a] * weights[i, a] * diagonal[i])

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pairs_diagonal(
        nodes: Numbers,
        weights: Weights,
        rows: Ints,
        columns: Ints,
        above: of.Mats,
        slots: Ints3,
        blocks: of.Mats,
    ):
        # Sums of points of both sides of a pair may have a point in common.
        k = wp.tid()
        i, j = rows[k], columns[k]
        if i != j:
            for a in range(nodes.shape[1]):
                for b in range(nodes.shape[1]):
                    w = weights[i, a] * weights[j, b]
                    slot = slots[nodes[i, a], 0, 0]
                    if w != zero and nodes[i, a] == nodes[j, b] and slot >= 0:
                        wp.atomic_add(blocks, slot, w * (above[k] + wp.transpose(above[k])))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def points_above(
        nodes: Numbers,
        weights: Weights,
        diagonal: of.Mats,
        rows: Ints,
        columns: Ints,
        out: of.Mats,
    ):
        i = wp.tid()
        width = nodes.shape[1]
        for a in range(width):
            for b in range(a + 1, width):
                w, at = weights[i, a] * weights[i, b], (i * width + a) * width + b
                if w != zero:
                    rows[at] = nodes[i, a]
                    columns[at] = nodes[i, b]
                    out[at] = w * diagonal[i]

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pairs_above(
        nodes: Numbers,
        weights: Weights,
        rows: Ints,
        columns: Ints,
        above: of.Mats,
        first: int,
        new_rows: Ints,
        new_columns: Ints,
        out: of.Mats,
    ):
        k = wp.tid()
        i, j, width = rows[k], columns[k], nodes.shape[1]
        if i != j:
            for a in range(width):
                for b in range(width):
                    w, at = weights[i, a] * weights[j, b], first + (k * width + a) * width + b
                    if w != zero and nodes[i, a] != nodes[j, b]:
                        new_rows[at] = nodes[i, a]
                        new_columns[at] = nodes[j, b]
                        out[at] = w * above[k]

    return SimpleNamespace(
        place=place,
        back=back,
        points_diagonal=points_diagonal,
        pairs_diagonal=pairs_diagonal,
        points_above=points_above,
        pairs_above=pairs_above,
    )
