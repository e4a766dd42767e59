# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The pressure inside a closed curve of the plane."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from pliant.compiling import compilation
from pliant.energies.shares import Shares, summed
from pliant.energies.solid_kernels import OPTIONS
from pliant.runtime import start


class BalloonEnergy:
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
        self._stencils = np.ascontiguousarray(lines, dtype=np.int32)
        self._shares = Shares(points, self._stencils, device=device)
        self._run = balloon_kernels(dtype)
        self._constants: tuple[Any, ...] = (
            wp.array(self._stencils, dtype=wp.int32, device=device),
            float(pressure),
        )
        self._numbers: Any = wp.zeros(len(lines), dtype=wp.float64, device=device)
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """The points of each line: int32, shape (terms, 2)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._shares.launch(self._run.value, x, *self._constants, self._numbers)
        return summed(self._numbers)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._shares.launch(self._run.gradient, x, *self._constants, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or nothing."""
        if not project:
            self._shares.launch(self._run.hessian, x, *self._constants, slots, blocks)

    @property
    def limits_steps(self) -> bool:
        """No: any positions are admissible."""
        return False

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")


@cache
def balloon_kernels(dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels as attributes."""
    vec = wp.types.vector(length=2, dtype=dtype)
    mat = wp.types.matrix(shape=(2, 2), dtype=dtype)
    half = wp.constant(dtype(0.5))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def balloon_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        lines: wp.array2d(dtype=wp.int32),
        p: dtype,
        energies: wp.array(dtype=wp.float64),
    ):
        t = order[wp.tid()]
        a, b = x[lines[t, 0]], x[lines[t, 1]]
        energies[t] = wp.float64(-half * p * (a[0] * b[1] - a[1] * b[0]))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def balloon_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        lines: wp.array2d(dtype=wp.int32),
        p: dtype,
        g: wp.array(dtype=vec),
    ):
        t = order[wp.tid()]
        a, b = x[lines[t, 0]], x[lines[t, 1]]
        wp.atomic_add(g, lines[t, 0], -half * p * vec(b[1], -b[0]))
        wp.atomic_add(g, lines[t, 1], -half * p * vec(-a[1], a[0]))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def balloon_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        lines: wp.array2d(dtype=wp.int32),
        p: dtype,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        t = order[wp.tid()]
        o, h = dtype(0.0), half * p
        B = mat(o, -h, h, o)
        if slots[t, 0, 1] >= 0:
            wp.atomic_add(blocks, slots[t, 0, 1], B)
        if slots[t, 1, 0] >= 0:
            wp.atomic_add(blocks, slots[t, 1, 0], wp.transpose(B))

    return SimpleNamespace(value=balloon_value, gradient=balloon_gradient, hessian=balloon_hessian)
