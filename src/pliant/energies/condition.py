"""The energy of conditions that are to be zero."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start, to_device
from pliant.conditions import Condition
from pliant.errors import Advice

from .condition_kernels import condition_kernels
from .flowing_terms import NEVER, FlowingTerms
from .per_part import PerPart, per_cell
from .protocol import NaturalShape, OfConditions, Strained
from .terms import TermEnergy


class ConditionEnergy(TermEnergy, NaturalShape, OfConditions, Strained):
    """The energy of conditions C that should be zero.

        W = sum_s k_s/2 C_s^2,   dW/dx = k C dC/dx,   d2W/dx2 = k (dC/dx dC/dx^T + C d2C/dx2)

    stencils (s, points): which points each condition is about; k: stiffness [J], (s,); parameters:
    what the condition needs to know, (s, parameters), by default those of `points` [m], (n, d).
    Source: [baraff1998] section 4.1. Satisfies `Energy`, with one term per stencil. Projected,
    the negative eigenvalues of each term are set to zero; where the condition asks for Gauss and
    Newton's, terms that have any are k dC/dx dC/dx^T instead. `aim` puts C - aim in the place of C.
    """

    def __init__(
        self,
        condition: type[Condition],
        points: np.ndarray,
        stencils: np.ndarray,
        *,
        stiffness: np.ndarray,
        parameters: np.ndarray | None = None,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        dim = points.shape[1]
        if dim not in condition.dims:
            raise ValueError(
                f"{condition.__name__}: got points in {dim}D; expected dim in {condition.dims}"
            )
        start()
        self.condition = condition
        self._made_of = (points, device, dtype)
        self._source = self  # of whose stiffness a copy is
        self.stiffness = np.broadcast_to(stiffness, (len(stencils),)).astype(float)
        self.parameters = condition.rest(points[stencils]) if parameters is None else parameters
        aims, never = np.zeros(len(stencils)), np.full(len(stencils), NEVER)
        constants = {"scale": dtype(1.0), "k": self.stiffness}
        constants |= {"parameters": self.parameters, "aims": aims}
        constants |= {"offset": np.zeros_like(aims), "limit": never}
        key: Any = condition  # classes are hashed by their identity, which mypy does not see
        kernels = condition_kernels(key, dim, dtype)
        super().__init__(points, stencils, kernels, constants, device=device)

    def as_conditions(self) -> ConditionEnergy:
        """Returns itself."""
        return self

    def twin(self) -> ConditionEnergy:
        """Another energy of the same conditions."""
        points, device, dtype = self._made_of
        return ConditionEnergy(
            self.condition,
            points,
            self.stencils,
            stiffness=self.stiffness,
            parameters=self.parameters,
            device=device,
            dtype=dtype,
        )

    def strain_inertia(self) -> ConditionEnergy:
        """A copy with `aim` and `weigh`: the inertia of the conditions for `Settle`."""
        twin, zeros = copy(self), wp.zeros_like(self._constants["aims"])
        never: Any = wp.full_like(self._constants["limit"], NEVER)
        twin._take({"aims": zeros, "offset": wp.zeros_like(zeros), "limit": never})
        twin._source = self
        return twin

    def strains(self, x: Any) -> Any:
        """C(x), as a new array (s, 1) of the device."""
        out: Any = wp.empty_like(self._numbers)
        self._launch(self._run.itself, x, out)
        return out.reshape((len(self.stencils), 1))

    def weigh(self, factor: float | PerPart) -> None:
        """Multiply the energy by a factor, or each condition by that of its part."""
        source = self._source._constants["k"]  # which `change` writes to
        if isinstance(factor, PerPart):
            self._take({"k": per_cell(factor) * source.numpy()})
            factor = 1.0
        elif self._constants["k"] is not source:
            self._take({"k": source})
        self._shares.changes(self._law)
        self._constants["scale"] = self._law.scale = self._made_of[2](factor)

    def aim(self, values: Any) -> None:
        """Set the values that C should have, (s,), or as `strains` returns them; zero at first."""
        aims = self._constants["aims"]
        wp.utils.array_cast(to_device(values, wp.float64, aims.device).flatten(), aims)

    @property
    def aims(self) -> np.ndarray:
        """The values that C should have, (s,)."""
        return np.asarray(self._constants["aims"].numpy())

    def measured(self, x: Any) -> np.ndarray:
        """C(x), (s, 1)."""
        return self.conditions(x)[:, None]

    @property
    def natural(self) -> np.ndarray:
        """The values that C should have, (s, 1)."""
        return self.aims[:, None]

    def set_natural(self, values: np.ndarray) -> None:
        """The same as `aim`."""
        self.aim(values[:, 0].copy())

    def change(self, *, stiffness: np.ndarray, parameters: np.ndarray | None = None) -> None:
        """Take other stiffnesses [J], (s,), and parameters, (s, parameters)."""
        self.stiffness = np.broadcast_to(stiffness, self.stiffness.shape).astype(float)
        self._constants["k"].assign(self.stiffness)
        if parameters is not None:
            self.parameters = parameters
            self._constants["parameters"].assign(np.ascontiguousarray(parameters))

    def conditions(self, x: Any) -> np.ndarray:
        """Return C(x) of every stencil, (s,)."""
        self._launch(self._run.itself, x, self._numbers)
        return np.asarray(self._numbers.numpy().copy())


class PlasticConditions(FlowingTerms, ConditionEnergy):
    """Conditions that keep a part of what they were forced to be beyond yield.

    limit: of |C|, beyond which each flows, (s,), and unit: the value of C that is a strain of one.
    """

    def __init__(
        self,
        condition: type[Condition],
        points: np.ndarray,
        stencils: np.ndarray,
        *,
        limit: np.ndarray,
        unit: np.ndarray,
        **given: Any,
    ):
        super().__init__(condition, points, stencils, **given)
        self.flow_from(self._constants["offset"], limit, unit)

    def as_conditions(self) -> ConditionEnergy:
        """Refused: who moves conditions one by one knows no flow."""
        raise ValueError(
            Advice(
                "got conditions that flow; expected elastic ones",
                ", without yield_strain",
                ", without yield_strain",
            )
        )
