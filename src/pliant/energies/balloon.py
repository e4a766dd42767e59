# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The pressure inside a closed curve of the plane."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Ints, Ints2, kernel_types, start

from .term_kernels import term_kernels
from .terms import TermEnergy


class BalloonEnergy(TermEnergy):
    """A closed curve of the plane that is blown up:  W = -p A,   A = 1/2 sum x_i x x_j.

    lines (terms, 2): the points i, j of each line, in the order in which the curve runs; pressure p
    [N/m], which blows it up if it runs counter-clockwise. Satisfies `Energy`, with one term per
    line. No curvature of it is positive in all directions, so projected it is left out.
    Source: [cohen1991].
    """

    def __init__(
        self,
        points: np.ndarray,
        lines: np.ndarray,
        *,
        pressure: float,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        constants = {"pressure": dtype(pressure)}
        super().__init__(points, lines, balloon_kernels(dtype), constants, device=device)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or nothing."""
        if not project:
            super().add_hessian(x, blocks, slots, project)


@cache
def balloon_kernels(dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels as attributes."""
    of = kernel_types(2, dtype)
    vec, mat = of.vec, of.mat
    half = wp.constant(dtype(0.5))

    @wp.struct
    class Balloon:
        pressure: dtype

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Balloon):
        a, b = x[s[0]], x[s[1]]
        return -half * c.pressure * (a[0] * b[1] - a[1] * b[0])

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Balloon, g: of.Vecs):
        a, b = x[s[0]], x[s[1]]
        wp.atomic_add(g, s[0], -half * c.pressure * vec(b[1], -b[0]))
        wp.atomic_add(g, s[1], -half * c.pressure * vec(-a[1], a[0]))

    @wp.func(module="unique")
    def hessian(
        x: of.Vecs, s: Ints, t: int, c: Balloon, project: int, slots: Ints2, blocks: of.Mats
    ):
        o, h = dtype(0.0), half * c.pressure
        B = mat(o, -h, h, o)
        if slots[0, 1] >= 0:
            wp.atomic_add(blocks, slots[0, 1], B)
        if slots[1, 0] >= 0:
            wp.atomic_add(blocks, slots[1, 0], wp.transpose(B))

    return term_kernels(Balloon, 2, dtype, value=value, gradient=gradient, hessian=hessian)
