# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""What springs and bars do to their two points: pull, and resist along and across themselves."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types


@cache
def axial(dim: int, dtype: Any) -> Any:
    """Return the Warp functions `pull`, `add` and `resist` of a term of two points, as attributes."""
    of = kernel_types(dim, dtype)
    vec = of.vec

    @wp.func(module="unique")
    def pull(f: vec, s: Ints, g: of.Vecs):
        """Add the force f that draws the second point to the first."""
        wp.atomic_sub(g, s[0], f)
        wp.atomic_add(g, s[1], f)

    @wp.func(module="unique")
    def add(own: of.mat, slots: Ints2, blocks: of.Mats):
        """Add the Hessian of what depends on the distance vector; own: its block of one point."""
        for a in range(2):
            for b in range(2):
                at = slots[a, b]
                if at >= 0:
                    if a == b:
                        wp.atomic_add(blocks, at, own)
                    else:
                        wp.atomic_sub(blocks, at, own)

    @wp.func(module="unique")
    def resist(n: vec, along: dtype, across: dtype, slots: Ints2, blocks: of.Mats):
        """Add the Hessian, whose eigenvalues are twice these two, and zeros; n: its direction."""
        own = across * wp.identity(n=dim, dtype=dtype) + (along - across) * wp.outer(n, n)
        add(own, slots, blocks)

    return SimpleNamespace(pull=pull, add=add, resist=resist)
