"""The energy of springs between pairs of points."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start
from pliant.conditions import Distance
from pliant.errors import Advice

from .condition import ConditionEnergy
from .flowing_terms import NEVER, FlowingTerms
from .protocol import NaturalShape, OfConditions, Strained
from .spring_kernels import spring_kernels
from .terms import TermEnergy


class SpringEnergy(TermEnergy, NaturalShape, OfConditions, Strained):
    """Springs with a force that depends on their change of length.

        W = sum_s k/2 d^2 (1 + (c/2) (d/L)^2),   d = |x_j - x_i| - L,   force k d (1 + c (d/L)^2)

    k: stiffness [N/m], L: rest length [m], c: stiffening, none by default; `pulls_only` springs do
    nothing while they are shorter than L. Source: [amayazordan], but with the sign of the change of
    length. Satisfies `Energy`, with one term per spring. The projected Hessian of a spring under
    pressure leaves out its tendency to buckle.
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
        constants = {"k": np.asarray(stiffness), "rest": np.asarray(rest)}
        constants |= {"offset": np.zeros(len(pairs)), "limit": np.full(len(pairs), NEVER)}
        law = {"stiffening": dtype(stiffening), "pulls_only": int(pulls_only)}
        kernels = spring_kernels(points.shape[1], dtype)
        super().__init__(points, pairs, kernels, constants | law, device=device)
        self._springs = (points, np.asarray(stiffness, dtype=float), device, dtype)
        self._lengths = np.asarray(rest, dtype=float)
        self._equal: ConditionEnergy | None = None

    def set_rest(self, rest: np.ndarray) -> None:
        """Take other rest lengths [m], shape (springs,)."""
        self._constants["rest"].assign(rest)
        self._lengths = np.asarray(rest, dtype=float)
        if self._equal is not None:
            self._equal.change(
                stiffness=self._springs[1] * self._lengths**2, parameters=self._lengths[:, None]
            )

    def measured(self, x: Any) -> np.ndarray:
        """The lengths of springs at x [m], (springs, 1)."""
        ends = x.numpy()[self.stencils]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))[:, None]

    @property
    def natural(self) -> np.ndarray:
        """Rest lengths [m], (springs, 1)."""
        return self._lengths[:, None]

    def set_natural(self, values: np.ndarray) -> None:
        """Take other rest lengths [m], (springs, 1)."""
        self.set_rest(np.ascontiguousarray(values[:, 0]))

    def as_conditions(self) -> ConditionEnergy:
        """The same energy as conditions that distances are kept, with k L^2 [J]; it follows `set_rest`.

        Refused for springs whose energy is no square of one: stiffening ones, and strings.
        """
        stiffening, pulls_only = self._constants["stiffening"], self._constants["pulls_only"]
        if float(stiffening) or pulls_only:
            law = "pulls_only=True" if pulls_only else f"stiffening={float(stiffening):g}"
            raise ValueError(
                Advice(
                    f"got springs with {law}, whose energy is not k/2 C^2 of a condition; expected "
                    "linear springs",
                    ", pl.Springs(..., stiffening=0, pulls_only=False)",
                    ", stiffening = 0 and pulls_only = false",
                )
            )
        return self._distances()

    def strain_inertia(self) -> ConditionEnergy:
        """Springs of stiffness k whose rest lengths can be aimed and weighed (`Settle`)."""
        return self._distances().strain_inertia()

    def _distances(self) -> ConditionEnergy:
        if self._equal is None:
            points, k, device, dtype = self._springs
            self._equal = distances(
                points, self.stencils, stiffness=k, rest=self._lengths, device=device, dtype=dtype
            )
        return self._equal


class PlasticSprings(FlowingTerms, SpringEnergy):
    """Springs that stay longer, or shorter, once they were strained beyond yield.

    yield_strain [-]: the change of length over the rest length L beyond which they flow. Not for springs
    that stiffen.
    """

    def __init__(self, points: np.ndarray, pairs: np.ndarray, *, yield_strain: float, **given: Any):
        super().__init__(points, pairs, **given)
        lengths = self._lengths
        self.flow_from(self._constants["offset"], yield_strain * lengths, lengths)

    def as_conditions(self) -> ConditionEnergy:
        """Refused: conditions do not flow."""
        raise ValueError(
            Advice(
                "got springs with a yield_strain, whose energy is not k/2 C^2 of a condition; expected "
                "elastic springs",
                ", pl.Springs(..., yield_strain=None)",
                ", without yield_strain",
            )
        )


def distances(
    points: np.ndarray,
    pairs: np.ndarray,
    *,
    stiffness: np.ndarray,
    rest: np.ndarray,
    device: Any,
    dtype: Any,
) -> ConditionEnergy:
    """Linear springs of stiffness k [N/m] as conditions that distances are kept, with k L^2 [J]."""
    return ConditionEnergy(
        Distance,
        points,
        pairs,
        stiffness=stiffness * rest**2,
        parameters=rest[:, None],
        device=device,
        dtype=dtype,
    )
