"""A Hookean energy of strain around a target strain: strain-space inertia and viscosity."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import to_device

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
        self.solid, self.stencils = solid, solid.stencils
        self.with_solid, self._stress = WithSolid(self), StressOf(self)
        dim, _, quads, self._dtype = solid.shape
        self._device = solid.device
        self._mat = wp.types.matrix((dim, dim), self._dtype)
        shape = (len(solid.stencils), quads)
        self._target = wp.zeros(shape, dtype=self._mat, device=self._device)
        self._energies = wp.zeros(shape[0], dtype=wp.float64, device=self._device)
        reinforced = np.ndim(lam) == 2
        first = solid.material.lam_type(dim, self._dtype) if reinforced else self._dtype
        self._kind = kernels.StrainKind(measure, first, solid.law, *solid.shape)
        self._lam, self._mu = self._per_cell(lam), self._per_cell(mu)
        self._one: Any = wp.ones(1, dtype=self._dtype, device=self._device)
        self._scale, self._each = 1.0, self._one
        self._law: Any = None  # the struct of all launches
        self._own_law: Any = None  # that of the solid, of which it has a copy
        self._stale = True  # whether it must be brought up to date
        self._own: Any = None  # a target that nobody else has
        none: Any = wp.empty((0, quads), dtype=self._mat, device=self._device)
        self._seen, self._load = none, none

    def weigh(self, factor: Any) -> None:
        """Multiply the moduli by a factor, one for all cells, one per part or one per cell."""
        self._scale, self._each, self._stale = 1.0, self._one, True
        if isinstance(factor, PerPart):
            count, device = len(self.stencils), self._device
            values: Any = wp.array(factor.values, dtype=wp.float64, device=device)
            self._each = wp.empty(count, dtype=self._dtype, device=device)
            given = [values, factor.cells.on(str(device)), self._each]
            wp.launch(kernels.weigh_kernel(self._dtype), count, given, device=device)
        elif np.ndim(factor):
            self._each = self._per_cell(factor)
        else:
            self._scale = float(factor)

    def aim(self, target: Any) -> None:
        """Set the target strain, shape (cells, q, d, d), of the host or of the device."""
        target = to_device(target, self._mat, self._device, copy=True)
        self._target, self._stale = target, True

    @property
    def target(self) -> Any:
        """The target strain, an array of the device."""
        return self._target

    def strain(self, x: Any) -> np.ndarray:
        """The strain of every quadrature point, shape (cells, q, d, d)."""
        return np.asarray(self.strains(x).numpy())

    def strains(self, x: Any) -> Any:
        """`strain` as a new array of the device."""
        out: Any = wp.zeros(self._target.shape, dtype=self._mat, device=self._device)
        kernel = kernels.strain_kernel(self._kind)
        self.solid.shares.launch(kernel, x, self.solid.cells, out)
        return out

    def look(self) -> Any:
        """Keep the strains from the next gradient on, in a new array; returns the target, to be set."""
        if self._own is None:
            self._own = wp.empty_like(self._target)
        self._target, self._stale = self._own, True
        self._seen = wp.empty_like(self._own)
        return self._own

    def stress_of(self, strains: Any) -> StressOf:
        """The forces of the stress that these strains have, times the factor of the moduli."""
        self._load, self._stale = strains, True
        return self._stress

    def seen(self) -> Any:
        """The `strains` where the last gradient was computed; before that, call `look`."""
        return self._seen

    def value(self, x: Any) -> float:
        """The energy [J]."""
        self.launch(kernels.value_kernel, x, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self.launch(kernels.gradient_kernel, x, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add the Hessian [N/m]; `project` takes the Gauss-Newton one, which is never negative."""
        self.launch(kernels.hessian_kernel, x, int(project), slots, blocks)

    def step_limit(self, x: Any, dx: Any) -> float:
        """No limit."""
        return float("inf")

    def _per_cell(self, values: Any) -> Any:
        if np.ndim(values) == 2:
            return wp.array(values, dtype=self._kind.first, device=self._device)
        values = np.broadcast_to(values, len(self.stencils))
        return wp.array(values, dtype=self._dtype, device=self._device)

    def launch(self, factory: Callable[..., Any], x: Any, *outputs: Any) -> None:
        """Run one of its kernels at x."""
        if self._stale or self._own_law is not self.solid.known:
            self._pack()
        self.solid.shares.launch(factory(self._kind), x, self.solid.cells, self._law, *outputs)

    def _pack(self) -> None:
        """Bring the struct up to date."""
        changing = {"scale": self._scale, "each": self._each, "target": self._target}
        changing |= {"seen": self._seen, "load": self._load}
        if self._law is None:
            given = {"lam": self._lam, "mu": self._mu, "own": self.solid.known}
            self._law = packed(kernels.shifted_constants(self._kind), given | changing)
        else:
            self.solid.shares.changes(self._law)
            for name, value in changing.items():
                if getattr(self._law, name) is not value:  # to set an array takes 5 us
                    setattr(self._law, name, value)
            if self._own_law is not self.solid.known:
                self._law.own = self.solid.known
        self._own_law = self.solid.known
        self._stale = False


class StressOf:
    """The forces of a stress that stays, that of given strains, wherever the body goes."""

    def __init__(self, strain: ShiftedStrain):
        self._strain = strain

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add the forces [N] to g."""
        self._strain.launch(STRESS, x, g)


class WithSolid:
    """An energy of strain and that of the solid whose strain it is: their derivatives in one launch."""

    def __init__(self, strain: ShiftedStrain):
        self._strain, self.stencils = strain, strain.stencils

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add both gradients [N] to g."""
        self._strain.launch(JOINT_GRADIENT, x, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add both Hessians [N/m]."""
        self._strain.launch(JOINT_HESSIAN, x, 0, slots, blocks)


#: The factories of kernels that compute both.
JOINT_GRADIENT = partial(kernels.gradient_kernel, joint=True)
JOINT_HESSIAN = partial(kernels.hessian_kernel, joint=True)
#: And of those that take the stress from given strains.
STRESS = partial(kernels.gradient_kernel, given=True)


def joined(energies: Sequence[Any]) -> Sequence[Any]:
    """The energies, those of a solid and of its strain as one."""
    strains = {id(e.solid): e for e in energies if isinstance(e, ShiftedStrain)}
    if not strains:
        return energies
    pairs = [(e, strains.get(id(e))) for e in energies]
    taken = {id(strain) for _, strain in pairs if strain is not None}
    return [e if strain is None else strain.with_solid for e, strain in pairs if id(e) not in taken]


def mixed_strain(s: float | PerPart, a: Any, t: float | PerPart, b: Any) -> Any:
    """Strains s a + t b, as a new array of the device."""
    out: Any = wp.empty_like(a)
    given = [*gains_on(a.device, s, t), a, b, out]
    wp.launch(kernels.mix_kernel(a.dtype), a.shape, given, device=a.device)
    return out


def strain_norm(strains: Any) -> float:
    """The root of the sum of all squared entries."""
    number = strains.dtype._wp_scalar_type_
    count = strains.size * strains.dtype._length_
    flat: Any = wp.array(ptr=strains.ptr, dtype=number, shape=count, device=strains.device)
    return math.sqrt(float(wp.utils.array_inner(flat, flat)))  # type: ignore[arg-type]
