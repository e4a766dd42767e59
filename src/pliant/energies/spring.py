"""The energy of springs between pairs of points."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.compiling import compilation
from pliant.conditions import Distance
from pliant.energies.condition import ConditionEnergy
from pliant.energies.shares import Shares, summed
from pliant.energies.spring_kernels import spring_kernels
from pliant.runtime import start


class SpringEnergy:
    """Springs that answer to their change of length.

        W = sum_s k/2 d^2 (1 + (c/2) (d/L)^2),   d = |x_j - x_i| - L,   force k d (1 + c (d/L)^2)

    k: stiffness [N/m], L: rest length [m], c: stiffening, none by default; `pulls_only` springs do
    nothing while they are shorter than L. Source: [003], with the signed change of length that
    CONTROL section 6 calls for. Satisfies `Energy`, with one term per spring.
    """

    def __init__(
        self,
        points: np.ndarray,
        pairs: np.ndarray,
        *,
        stiffness: np.ndarray,
        rest: np.ndarray,
        stiffening: float = 0.0,
        pulls_only: bool = False,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        self._stencils = np.ascontiguousarray(pairs, dtype=np.int32)
        self._shares = Shares(points, self._stencils, device=device)
        self._run = spring_kernels(points.shape[1], dtype)
        self._pairs: Any = wp.array(self._stencils, dtype=wp.int32, device=device)
        self._k: Any = wp.array(stiffness, dtype=dtype, device=device)
        self._rest: Any = wp.array(rest, dtype=dtype, device=device)
        self._law = (dtype(stiffening), int(pulls_only))
        self._springs = (points, np.asarray(stiffness, dtype=float), device, dtype)
        self._lengths = np.asarray(rest, dtype=float)
        self._equal: ConditionEnergy | None = None
        self._energies: Any = wp.zeros(len(pairs), dtype=wp.float64, device=device)
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """The two points of each spring: int32, shape (springs, 2)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._shares.launch(self._run.value, x, *self._constants, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._shares.launch(self._run.gradient, x, *self._constants, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks; projected, a spring under pressure does not buckle."""
        constants = (*self._constants, int(project))
        self._shares.launch(self._run.hessian, x, *constants, slots, blocks)

    @property
    def limits_steps(self) -> bool:
        """No: any positions are admissible."""
        return False

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def set_rest(self, rest: np.ndarray) -> None:
        """Take other rest lengths [m], shape (springs,)."""
        self._rest.assign(rest)
        self._lengths = np.asarray(rest, dtype=float)
        if self._equal is not None:
            self._equal.change(
                stiffness=self._springs[1] * self._lengths**2, parameters=self._lengths[:, None]
            )

    def as_conditions(self) -> ConditionEnergy:
        """The same energy as conditions that distances are kept, with k L^2 [J]; it follows `set_rest`.

        Refused for springs whose energy is no square of one: stiffening ones, and strings.
        """
        stiffening, pulls_only = self._law
        if float(stiffening) or pulls_only:
            law = "pulls_only=True" if pulls_only else f"stiffening={float(stiffening):g}"
            raise ValueError(
                f"got springs with {law}, whose energy is not k/2 C^2 of a condition; expected linear "
                "springs, pl.Springs(..., stiffening=0, pulls_only=False)"
            )
        return self._distances()

    def ghost(self) -> ConditionEnergy:
        """Springs of stiffness k whose rest lengths can be aimed and weighed (`Settle`)."""
        return self._distances().ghost()

    @property
    def _constants(self) -> tuple[Any, ...]:
        return (self._pairs, self._k, self._rest, *self._law)

    def _distances(self) -> ConditionEnergy:
        if self._equal is None:
            points, k, device, dtype = self._springs
            self._equal = ConditionEnergy(
                Distance,
                points,
                self._stencils,
                stiffness=k * self._lengths**2,
                parameters=self._lengths[:, None],
                device=device,
                dtype=dtype,
            )
        return self._equal
