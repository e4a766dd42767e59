"""The energy of what is measured by the derivatives of a shape."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import scaled, start
from pliant.forms import Form

from .cell_partition import CellPartition
from .flowing_terms import NEVER, FlowingTerms
from .jet_kernels import jet_kernels, part_types
from .per_part import PerPart, per_cell
from .protocol import NaturalShape, Strained
from .terms import TermEnergy


class JetEnergy(TermEnergy, NaturalShape, Strained):
    """Neighbourhoods that cost what a form measures of them more, or less, than at rest.

        d_a = sum_i L_ai x[stencil_i],    s = s(d),    W = sum_t 1/2 (s - s0)^T C (s - s0)

    points [m], (n, dim); stencils (terms, k): which points each term is about. operators L
    (terms, vectors, k), or one (vectors, k) for all: derivatives as sums over the stencil, the rows
    of each adding up to zero. stiffness C [J], (terms, measures, measures), symmetric and positive
    semi-definite, with the length, area or volume of the term in it, or one for all. rest s0
    (terms, measures), by default what is measured at `points`. Short stencils among long ones repeat
    a point, with operators of zero.

    Satisfies `Energy`. Projected, terms whose second derivative in the vectors d is not positive
    semi-definite are Gauss and Newton's, (ds/dd)^T C ds/dd.
    """

    def __init__(
        self,
        form: type[Form],
        points: np.ndarray,
        stencils: np.ndarray,
        *,
        operators: np.ndarray,
        stiffness: np.ndarray,
        rest: np.ndarray | None = None,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        dim, name, m = points.shape[1], form.__name__, form.measures
        if dim not in form.dims:
            raise ValueError(f"{name}: got points in {dim}D; expected dim in {form.dims}")
        start()
        self.form = form
        terms, k = np.shape(stencils)
        self.operators = _shaped(operators, (terms, form.vectors, k), f"{name}: operators")
        self.stiffness = _shaped(stiffness, (terms, m, m), f"{name}: stiffness")
        numbers: Any = wp.types.vector(length=m, dtype=dtype)
        constants: dict[str, Any] = {
            "L": self.operators,
            "C": self.stiffness,
            "rest": np.zeros((terms, m)),
            "offset": np.zeros((terms, m)),
            "limit": np.full(terms, NEVER),
            "first": m,
        }
        key: Any = form  # classes are hashed by their identity, which mypy does not see
        super().__init__(points, stencils, jet_kernels(key, dim, dtype), constants, device=device)
        self._stiffness: Any = self._constants["C"]
        self._rest: Any = self._constants["rest"]
        self._rows = CellPartition(points, self.stencils, device=device, each=k)
        part, column = part_types(form.vectors, dim, dtype)
        # Of a jet of one vector Warp would make an array of numbers if it were not told the shape.
        columns = np.ascontiguousarray(self.operators.transpose(0, 2, 1))
        self._columns: Any = wp.array(columns, dtype=column, shape=(terms, k), device=device)
        self._measures: Any = wp.zeros(terms, dtype=numbers, device=device)
        self._second: Any = wp.zeros((terms, form.vectors), dtype=part, device=device)
        vec = wp.types.vector(length=dim, dtype=dtype)
        at_rest: Any = wp.array(np.ascontiguousarray(points), dtype=vec, device=device)
        self.set_rest(self.measures(at_rest) if rest is None else rest)

    def measures(self, x: Any) -> np.ndarray:
        """Return s(x) of every term, (terms, measures)."""
        self._launch(self._run.measures, x, self._measures)
        return np.asarray(self._measures.numpy().astype(float))

    def set_rest(self, rest: np.ndarray) -> None:
        """Measure from other numbers s0 (terms, measures) from now on."""
        shape = (len(self.stencils), self.form.measures)
        self.rest = _shaped(rest, shape, f"{self.form.__name__}: rest")
        self._rest.assign(self.rest)

    def measured(self, x: Any) -> np.ndarray:
        """Return s(x) of every term, (terms, measures)."""
        return self.measures(x)

    @property
    def natural(self) -> np.ndarray:
        """s0, (terms, measures)."""
        return self.rest

    def set_natural(self, values: np.ndarray) -> None:
        """The same as `set_rest`."""
        self.set_rest(values)

    def strain_inertia(self) -> JetEnergy:
        """Another one, which can be aimed and weighed: inertia in what is measured (`Settle`)."""
        twin, offset = copy(self), self._constants["offset"]
        never: Any = wp.full_like(self._constants["limit"], NEVER)
        twin._take({"offset": wp.zeros_like(offset), "limit": never, "first": self.form.measures})
        return twin

    def strains(self, x: Any) -> Any:
        """The measures at x, as a new array (terms, 1) on the device."""
        out: Any = wp.empty_like(self._measures)
        self._launch(self._run.measures, x, out)
        return out.reshape((len(self.stencils), 1))

    def aim(self, rest: Any) -> None:
        """Measure from what `strains` gave, or a mean of such."""
        self._take({"rest": rest.flatten()})

    def weigh(self, factor: float | PerPart) -> None:
        """Multiply the energy by a factor, or each term by that of its part."""
        if isinstance(factor, PerPart):
            each = np.asarray(per_cell(factor))[:, None, None]
            self._take({"C": each * self.stiffness})
            return
        weighed = scaled(self._stiffness.flatten(), factor)
        self._take({"C": weighed.reshape(self._stiffness.shape)})

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or its positive semi-definite stand-in."""
        self._launch(self._run.curvature, x, int(project), self._second)
        self._rows.launch(self._run.scatter, self._second, self._columns, slots, blocks)


class PlasticJets(FlowingTerms, JetEnergy):
    """Neighbourhoods that keep a part of what they were bent to beyond yield.

    The measures from `first` on flow together: where their part of the energy is more than that of
    `limit`, a root of joules, (terms,). unit: the same of a strain of one.
    """

    def __init__(
        self,
        form: type[Form],
        points: np.ndarray,
        stencils: np.ndarray,
        *,
        first: int,
        limit: np.ndarray,
        unit: np.ndarray,
        **given: Any,
    ):
        super().__init__(form, points, stencils, **given)
        self._take({"first": first})
        self.flow_from(self._constants["offset"], limit, unit)


def _shaped(value: np.ndarray, shape: tuple[int, ...], what: str) -> np.ndarray:
    array = np.asarray(value, dtype=float)
    try:
        return np.ascontiguousarray(np.broadcast_to(array, shape))
    except ValueError:
        raise ValueError(f"{what}: got shape {array.shape}; expected {shape}") from None
