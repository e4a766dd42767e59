# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that write the matrices of pairs of up to four points."""

from typing import Any

import warp as wp

from pliant.backend import Ints, Ints3, kernel_types
from pliant.energies import TERM_OPTIONS

#: Blocks above the diagonal of a pair of four points.
ABOVE = 6


def block_kernels(dim: int, Pairs: Any, stiffness: Any, block: Any) -> tuple[Any, Any]:
    """Return the kernels of the blocks on the diagonal, and of those above it.

    stiffness(x, pairs, i, project) describes the matrix of pair i; its field `acts` is 0 where that is
    zero. block(h, a, c) is the block of points a and c. Points from `count` on are given, not unknown:
    nothing is added for them.
    """
    of = kernel_types(dim)
    mat = of.mat

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_diagonal(
        x: of.Vecs, pairs: Pairs, count: int, project: int, slots: Ints3, blocks: of.Mats
    ):
        i = wp.tid()
        s, h = pairs.stencils[i], stiffness(x, pairs, i, project)
        if h.acts == 1:
            for a in range(4):
                if s[a] >= 0 and s[a] < count:
                    slot = slots[s[a], 0, 0]
                    if slot >= 0:
                        wp.atomic_add(blocks, slot, block(h, a, a))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pair_above(
        x: of.Vecs,
        pairs: Pairs,
        count: int,
        project: int,
        rows: Ints,
        columns: Ints,
        above: of.Mats,
    ):
        i = wp.tid()
        s, h, at = pairs.stencils[i], stiffness(x, pairs, i, project), ABOVE * i
        for a in range(4):
            for c in range(a + 1, 4):
                rows[at] = 0
                columns[at] = 0
                above[at] = mat()
                if h.acts == 1 and wp.min(s[a], s[c]) >= 0 and wp.max(s[a], s[c]) < count:
                    rows[at] = s[a]
                    columns[at] = s[c]
                    above[at] = block(h, a, c)
                at += 1

    return pair_diagonal, pair_above
