"""A resistance to the motion of points, as an energy of one implicit step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import overwrite, start

from .terms import TermEnergy


class PointDrag(TermEnergy):
    """A convex dissipation with its minimum at zero velocity.

        W = h sum_t D(u) - D(w) - D'(w) . (u - w),     u = w - (x - before)/h

    A term is one point and a unit normal; w: the velocity of the air; h [s]: the time over
    which velocities are differences; D(u): the law, of third degree.
    -dW/dx is the force at the velocity at the end of the step, less that at zero velocity: any dt is
    stable. `aim` fixes all but x for a step. kernels: the law's value, gradient and Hessian; one_sided:
    for laws that act on one side of a surface only. Satisfies `Energy`, with Hessians of diagonal blocks
    that need no projection.
    """

    def __init__(
        self,
        x: np.ndarray,
        points: np.ndarray,
        kernels: Callable[[int, Any], Any],
        *,
        one_sided: bool = False,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        terms, none = len(points), np.zeros_like(x)
        facets = {"normals": np.zeros((terms, x.shape[1])), "law": np.zeros((terms, 2))}
        step = {"wind": none, "before": none, "span": dtype(1.0), "one_sided": int(one_sided)}
        self._dtype, run = dtype, kernels(x.shape[1], dtype)
        super().__init__(x, np.asarray(points)[:, None], run, facets | step, device=device)

    def aim(self, normals: Any, coefficients: Any, wind: Any, before: Any, span: float) -> None:
        """Set for a step: normals (t, d), coefficients (t, 2), wind and positions before (n, d)."""
        given = {"normals": normals, "law": coefficients, "wind": wind, "before": before}
        for name, value in given.items():
            overwrite(self._constants[name], value)
        if span != float(self._constants["span"]):
            self._take({"span": self._dtype(span)})
