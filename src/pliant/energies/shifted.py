"""A Hookean energy of strain around a target strain: strain-space inertia and viscosity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import scaled, to_device

from . import shifted_kernels as kernels
from .cell_partition import summed
from .per_part import PerPart, gains_on
from .solid import SolidEnergy
from .terms import packed


class ShiftedStrain:
    """The energy of the difference between the strain and a target strain.

        W(x) = sum_q w_q [ mu D:D + lam/2 tr(D)^2 + fibre/2 (a . D a)^2 ],   D = strain(F_q) - target_q

    With target = strain at the last step it is a viscosity (times 1/dt); with the extrapolated
    strain it is an inertia that acts on deformation only and moves all of it in unison
    (`docs/theory.md`, "All deformation in unison"). Being a function of strain it never resists rigid
    motion, however large the step. lam may be what `Material.constants` gives: (cells, 2 + d), with
    fibre and a; otherwise there are no fibres. Shares points, cells and quadrature with a SolidEnergy.
    """

    limits_steps = False

    def __init__(self, solid: SolidEnergy, measure: Callable[..., Any], *, lam: Any, mu: Any):
        self._solid, self._measure = solid, measure
        self._dim, self._nodes, self._quads, self._dtype = solid.shape
        self._device = solid.device
        self._mat = wp.types.matrix((self._dim, self._dim), self._dtype)
        shape = (len(solid.stencils), self._quads)
        self._target = wp.zeros(shape, dtype=self._mat, device=self._device)
        self._energies = wp.zeros(shape[0], dtype=wp.float64, device=self._device)
        reinforced = np.ndim(lam) == 2
        self._first: Any = (
            solid.material.lam_type(self._dim, self._dtype) if reinforced else self._dtype
        )
        self._base: list[Any] = [self._per_cell(lam), self._per_cell(mu)]
        self._lam, self._mu = self._base
        self._factor: float | None = 1.0
        self._law: Any = None

    @property
    def stencils(self) -> np.ndarray:
        """The points of each cell."""
        return self._solid.stencils

    def weigh(self, factor: Any) -> None:
        """Multiply the moduli by a factor, one for all cells, one per part or one per cell."""
        if isinstance(factor, PerPart):
            self._factor, self._law = None, None
            self._lam, self._mu = (self._weighed(b, factor) for b in self._base)
        elif np.ndim(factor):
            self._factor, self._law = None, None
            self._lam, self._mu = (self._per_cell(_times(b, factor)) for b in self._base)
        elif factor != self._factor:
            self._factor, self._law = float(factor), None
            lam, mu = self._base
            vector = self._first is not self._dtype
            self._lam = self._per_cell(_times(lam, factor)) if vector else scaled(lam, factor)
            self._mu = scaled(mu, self._factor)

    def aim(self, target: Any) -> None:
        """Set the target strain, shape (cells, q, d, d), of the host or of the device."""
        target = to_device(target, self._mat, self._device, copy=True)
        self._target, self._law = target, None

    def strain(self, x: Any) -> np.ndarray:
        """The strain of every quadrature point, shape (cells, q, d, d)."""
        return np.asarray(self.strains(x).numpy())

    def strains(self, x: Any) -> Any:
        """`strain` as a new array of the device."""
        out: Any = wp.zeros(self._target.shape, dtype=self._mat, device=self._device)
        kernel = kernels.strain_kernel(self._measure, self._dim, self._nodes, self._dtype)
        self._solid.shares.launch(kernel, x, self._solid.cells, out)
        return out

    def value(self, x: Any) -> float:
        """The energy [J]."""
        self._launch(kernels.value_kernel, x, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._launch(kernels.gradient_kernel, x, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add the Hessian [N/m]; `project` takes the Gauss-Newton one, which is never negative."""
        self._launch(kernels.hessian_kernel, x, int(project), slots, blocks)

    def step_limit(self, x: Any, dx: Any) -> float:
        """No limit."""
        return float("inf")

    def _weighed(self, base: Any, factor: PerPart) -> Any:
        """Moduli times a factor per part, as a new array."""
        if base.dtype is not self._dtype:  # with fibres, whose direction stays
            each = np.array(factor.values)[factor.cells.numbers]
            return self._per_cell(_times(base, each))
        out: Any = wp.empty_like(base)
        kernel = kernels.weigh_kernel(self._dtype)
        given = [*gains_on(base.device, factor), base, out]
        wp.launch(kernel, len(base), given, device=base.device)
        return out

    def _per_cell(self, values: Any) -> Any:
        if np.ndim(values) == 2:
            return wp.array(values, dtype=self._first, device=self._device)
        values = np.broadcast_to(values, len(self.stencils))
        return wp.array(values, dtype=self._dtype, device=self._device)

    def _launch(self, factory: Callable[..., Any], x: Any, *outputs: Any) -> None:
        if self._law is None:
            struct = kernels.shifted_constants(self._first, self._dim, self._dtype)
            given = {"lam": self._lam, "mu": self._mu, "target": self._target}
            self._law = packed(struct, given)
        shape = (self._dim, self._nodes, self._quads, self._dtype)
        kernel = factory(self._measure, self._first, *shape)
        self._solid.shares.launch(kernel, x, self._solid.cells, self._law, *outputs)


def mixed_strain(s: float | PerPart, a: Any, t: float | PerPart, b: Any) -> Any:
    """Strains s a + t b, as a new array of the device."""
    out: Any = wp.empty_like(a)
    mine, other, parts = gains_on(a.device, s, t)
    given = [mine, a, other, b, parts, out]
    wp.launch(kernels.mix_kernel(a.dtype), a.shape, given, device=a.device)
    return out


def _times(values: Any, factor: Any) -> np.ndarray:
    """Moduli times a factor; the direction of fibres, from the third number on, stays."""
    out: np.ndarray = values.numpy().copy()
    if out.ndim == 1:
        return np.asarray(out * factor)
    out[:, :2] *= np.reshape(factor, (-1, 1))
    return out
