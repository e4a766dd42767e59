"""The potential of points in a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start

from .picture_kernels import BORDER, picture_kernels
from .terms import TermEnergy


class PictureEnergy(TermEnergy):
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
        self.limits_steps = bool(np.isfinite(reach))
        # Mirrored at the outermost pixels: splines arrive there level, as they go on beyond.
        coefficients = spline_filter(np.asarray(picture, dtype=float), order=3, mode="mirror")
        padded = np.pad(coefficients, BORDER, mode="reflect")
        constants = {
            "P": padded,
            "pixel": dtype(pixel),
            "weights": np.asarray(weights, dtype=float),
        }
        which = np.asarray(points)[:, None]
        where = np.zeros((int(np.max(which)) + 1, 2))
        super().__init__(where, which, picture_kernels(dtype), constants, device=device)

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return the share of dx that carries no point beyond the reach."""
        self._launch(self._run.moves, dx, self._numbers)
        furthest = float(self._numbers.numpy().max())
        return self.reach / furthest if furthest > 0.0 else float("inf")
