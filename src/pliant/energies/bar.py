"""The energy of bars of a material."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start
from pliant.materials import Material

from .bar_kernels import bar_kernels
from .condition import ConditionEnergy
from .protocol import NaturalShape, Strained
from .spring import distances
from .terms import TermEnergy


class BarEnergy(TermEnergy, NaturalShape, Strained):
    """Bars between pairs of points: the two-node line element, of any material.

        W = sum_b A L psi(diag(l, m, m)),    l = |x_j - x_i| / L,    m(l): P_22 = P_33 = 0

    A: section [m^2], L: length at rest [m], psi: the energy density of the material. A bar is pulled
    along itself and contracts across as it likes, so that for small strain its stiffness is young A/L.
    One quadrature point is exact. Satisfies `Energy`. Projected, a bar under pressure does not buckle.
    Source: [bonet2008] section 3, trusses.
    """

    def __init__(
        self,
        points: np.ndarray,
        cells: np.ndarray,
        material: Material,
        *,
        section: float,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        ways = points[cells[:, 1]] - points[cells[:, 0]]
        self._lengths = np.linalg.norm(ways, axis=1)
        own = material.along(ways / self._lengths[:, None])
        lam, mu = own.constants(len(cells), 3)
        law: Any = type(own)
        kernels = bar_kernels(law, points.shape[1], dtype)
        constants = {"rest": self._lengths, "section": dtype(section), "lam": lam, "mu": mu}
        super().__init__(points, cells, kernels, constants, device=device)
        self._points, self._device, self._dtype = points, device, dtype

    def measured(self, x: Any) -> np.ndarray:
        """The lengths of bars at x [m], (bars, 1)."""
        ends = x.numpy()[self.stencils]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))[:, None]

    @property
    def natural(self) -> np.ndarray:
        """Lengths at rest [m], (bars, 1)."""
        return np.asarray(self._lengths[:, None])

    def set_natural(self, values: np.ndarray) -> None:
        """Take other lengths at rest [m], (bars, 1)."""
        self._lengths = values[:, 0].copy()
        self._constants["rest"].assign(self._lengths)

    def strain_inertia(self) -> ConditionEnergy:
        """Springs as stiff as the bars at rest, whose lengths can be aimed and weighed (`Settle`)."""
        vec = wp.types.vector(length=self._points.shape[1], dtype=self._dtype)
        x: Any = wp.array(self._points, dtype=vec, device=self._device)
        self._launch(self._run.at_rest, x, self._numbers)
        return distances(
            self._points,
            self.stencils,
            stiffness=self._numbers.numpy(),
            rest=self._lengths,
            device=self._device,
            dtype=self._dtype,
        ).strain_inertia()
