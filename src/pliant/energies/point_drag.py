"""A resistance to the motion of points, as an energy of one implicit step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

from pliant.compiling import compilation
from pliant.energies.shares import Shares, summed
from pliant.runtime import start


class PointDrag:
    """A dissipation that is least where the body stands still, and convex.

        W = h sum_t D(u) - D(w) - D'(w) . (u - w),     u = w - (x - before)/h

    A term is one point and a unit normal; w: the velocity of what resists; h [s]: the time over which
    the step tells velocities; D(u): the law, of third degree for air, of first for friction. -dW/dx is
    the force at the velocity at the end of the step, less that on the still body: any dt is stable.
    All but x is held fixed for a step by `aim`. kernels: the law's value, gradient and Hessian;
    one_sided: for laws that tell the sides of a surface apart. Satisfies `Energy`, with Hessians of
    diagonal blocks that need no projection.
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
        self._stencils = np.ascontiguousarray(points, dtype=np.int32)[:, None]
        self._shares = Shares(x, self._stencils, device=device)
        self._run = kernels(x.shape[1], dtype)
        vec = wp.types.vector(length=x.shape[1], dtype=dtype)
        pair = wp.types.vector(length=2, dtype=dtype)
        terms, n = len(points), len(x)
        self._arrays: tuple[Any, ...] = (
            wp.array(self._stencils, dtype=wp.int32, device=device),
            wp.zeros(terms, dtype=vec, device=device),
            wp.zeros(terms, dtype=pair, device=device),
            wp.zeros(n, dtype=vec, device=device),
            wp.zeros(n, dtype=vec, device=device),
        )
        self._dtype, self._law = dtype, (dtype(1.0), int(one_sided))
        self._energies: Any = wp.zeros(terms, dtype=wp.float64, device=device)
        compilation.expect()

    def aim(
        self,
        normals: np.ndarray,
        coefficients: np.ndarray,
        wind: np.ndarray,
        before: np.ndarray,
        span: float,
    ) -> None:
        """Hold for a step: normals (t, d), coefficients (t, 2), wind and positions before (n, d)."""
        for array, value in zip(
            self._arrays[1:], (normals, coefficients, wind, before), strict=True
        ):
            array.assign(np.ascontiguousarray(value))
        self._law = (self._dtype(span), self._law[1])

    @property
    def stencils(self) -> np.ndarray:
        """The point of each term: int32, shape (terms, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._shares.launch(self._run.value, x, *self._arrays, *self._law, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._shares.launch(self._run.gradient, x, *self._arrays, *self._law, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks; it is positive semi-definite already."""
        self._shares.launch(self._run.hessian, x, *self._arrays, *self._law, slots, blocks)

    @property
    def limits_steps(self) -> bool:
        """No: any positions are admissible."""
        return False

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")
