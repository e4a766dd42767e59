"""The potential of points in a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.compiling import compilation
from pliant.energies.picture_kernels import BORDER, picture_kernels
from pliant.energies.shares import Shares, summed
from pliant.runtime import start


class PictureEnergy:
    """Points that cost what a picture says where they are.

        W = sum_p weight_p P(x_p)

    points: which points (terms,); weights (terms,) [J]; picture P: (rows, columns), interpolated by
    the cubic splines through its pixels, so that first and second derivatives are exact and
    continuous. pixel [m]: the size of a pixel; the middle of that in row i and column j is at
    x = (j, i) pixel. Outside the picture is as its border, and pulls nowhere across it. reach [m]: how
    far a step of a search may carry a point, so that it sees what it passes.

    Satisfies `Energy`, with one term per point. Projected, eigenvalues lose their signs.
    """

    def __init__(
        self,
        points: np.ndarray,
        picture: np.ndarray,
        *,
        weights: np.ndarray,
        pixel: float = 1.0,
        reach: float = float("inf"),
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        from scipy.ndimage import spline_filter

        start()
        self.reach = float(reach)
        self._stencils = np.ascontiguousarray(np.asarray(points)[:, None], dtype=np.int32)
        self._shares = Shares(np.zeros((int(np.max(points)) + 1, 2)), self._stencils, device=device)
        # Mirrored at the outermost pixels: splines arrive there level, as they go on beyond.
        coefficients = spline_filter(np.asarray(picture, dtype=float), order=3, mode="mirror")
        padded = np.ascontiguousarray(np.pad(coefficients, BORDER, mode="reflect"))
        self._run = picture_kernels(dtype)
        self._constants: tuple[Any, ...] = (
            wp.array(self._stencils, dtype=wp.int32, device=device),
            wp.array(padded, dtype=dtype, device=device),
            float(pixel),
            wp.array(np.ascontiguousarray(weights, dtype=float), dtype=dtype, device=device),
        )
        self._numbers: Any = wp.zeros(len(self._stencils), dtype=wp.float64, device=device)
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """The points: int32, shape (terms, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._shares.launch(self._run.value, x, *self._constants, self._numbers)
        return summed(self._numbers)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._shares.launch(self._run.gradient, x, *self._constants, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or its positive semi-definite stand-in."""
        self._shares.launch(self._run.hessian, x, *self._constants, int(project), slots, blocks)

    @property
    def limits_steps(self) -> bool:
        """Whether it has a reach."""
        return bool(np.isfinite(self.reach))

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return the share of dx that carries no point beyond the reach."""
        self._shares.launch(self._run.moves, dx, self._constants[0], self._numbers)
        furthest = float(self._numbers.numpy().max())
        return self.reach / furthest if furthest > 0.0 else float("inf")
