"""A body prepared for stepping on one device: energies, pins, parts and solvers."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.damping.inertia import Inertia
from pliant.energies.assembly import Assembly
from pliant.energies.coarse import add_coarse_stiffness
from pliant.energies.protocol import Energy
from pliant.energies.solid import SolidEnergy
from pliant.solvers import (
    Coarsened,
    Complement,
    Factored,
    Galerkin,
    Gridded,
    Grids,
    HostVectors,
    Linear,
    Multigrid,
    Newton,
    Report,
    Restriction,
    Undoable,
    Vectors,
    interpolations,
    updated,
)
from pliant.solvers.device_vectors import DeviceVectors

from .device_objective import DeviceBody, DeviceObjective
from .device_parts import DeviceParts
from .hessian import Hessian
from .known import Known
from .objective import StepObjective
from .parts import HostParts, Parts
from .statics import Statics

#: Up to this many unknowns a factor is faster than multigrid (measured, 2 cores).
FACTORED = 400
#: Up to this many operations a factor of a band is faster than a hierarchy (measured, 2 cores).
BANDED = 1e6
#: Objectives live on the device: always on CUDA, on the CPU to test what CUDA does.
RESIDENT = False


class System(Statics):
    """What does not change while pins stay the same points.

    On CUDA objectives and their minimisation live on the device; `lift` and `lower` carry positions
    there and back.
    """

    def __init__(
        self,
        energies: Sequence[Energy],
        *,
        masses: np.ndarray,
        pinned: np.ndarray,
        components: np.ndarray,
        x: np.ndarray,
        cells: Sequence[np.ndarray] = (),
        swing: bool = True,
        device: str = "cpu",
    ):
        n, self.dim = x.shape
        self.cells = cells  # of the mesh, for dampings by cell
        self.solids: Sequence[SolidEnergy] = [e for e in energies if isinstance(e, SolidEnergy)]
        # Only of these does a grid know the stiffness.
        self.solid = len(self.solids) == len(energies)
        self.undeformed = x
        self.assembly = Assembly(n, self.dim, energies, device=device)
        self.masses, self.pinned, self.free = masses, pinned, ~pinned
        self.size = float(np.linalg.norm(np.ptp(x, axis=0)))
        self.restriction = Restriction(self.assembly.pattern, self.dim, self.free)
        self.hessian = Hessian(self.assembly.pattern, masses, self.free, self.dim, device=device)
        self._host_parts = HostParts.of(x, components, pinned=pinned, masses=masses, swing=swing)
        self.parts = self._host_parts.parts
        self._hanging = [part for part in self.parts if part.hangs]
        self._searching = [e for e in energies if isinstance(e, Undoable)]
        self.still = Complement(np.zeros((self.restriction.size, 0)), self._free_masses())
        self.device = wp.get_device(device)
        if self.device.is_cuda:
            self.stable_rtol = 1e-4
        self._on_device: DeviceBody | None = None
        self.host = HostVectors(masses)
        self.vectors: Vectors = self.host
        if self.solid and (RESIDENT or self.device.is_cuda):
            vectors = DeviceVectors(masses, self.dim, device=self.device)
            self.vectors = vectors
            moving = DeviceParts(self.parts, vectors, self.hessian.mobile)
            self._on_device = DeviceBody(
                self.assembly, self.solids, self.hessian, vectors, moving, self.size
            )
        small = self.restriction.size <= FACTORED and self._on_device is None
        if not self.solid:
            self._newton = Newton(iterations=1000)  # sheets have many folds to lay
        if small or not (self.solid or self._worth_coarsening()):
            self._linear: Linear = Factored(self.kept_factor(x))
        else:
            self._linear = self._gridded() if self.solid else self._coarsened()
        self._current: Known | None = None
        self._pristine = self.known()

    @property
    def linear(self) -> Linear:
        """The solver of Newton's systems; who asks for it will change what it keeps."""
        self._current = None
        return self._linear

    def complement(self, x: Any) -> Any:
        """The deformations at x: what is M-orthogonal to the rigid motions."""
        return self.parts_of(x).complement(x) if self.rank else self.still

    def align(self, shape: Any, x: Any) -> Any:
        """`shape` moved rigidly, as far as its pins allow, to lie closest to x."""
        return self.parts_of(x).align(shape, x) if self.rank else shape

    def stiffness(self, x: np.ndarray, project: bool = False) -> Any:
        """The Hessian of the energies over the free points [N/m]."""
        sparse = self.restriction.matrix(self.assembly.blocks(x, project=project))
        columns = self.assembly.columns(x)
        return sparse if columns is None else updated(sparse, self.restriction.columns(columns))

    def stiffness_diagonal(self, x: np.ndarray) -> np.ndarray:
        """The diagonal of `stiffness`, (free points, d) [N/m]; of large bodies without the rest."""
        if isinstance(self._linear, Factored):
            return self.stiffness(x).diagonal().reshape(-1, self.dim)
        blocks = self.hessian.of(self.assembly.array(x), self.assembly.energies, False)
        own = blocks.numpy()[self.assembly.pattern.diagonal[self.free]]
        return np.diagonal(own, axis1=1, axis2=2)

    def stiffness_trace(self, x: Any) -> float:
        """The sum of the diagonal of `stiffness` [N/m], without signs."""
        if isinstance(x, np.ndarray):
            return float(np.abs(self.stiffness_diagonal(x)).sum())
        return self.hessian.trace(self.hessian.of(x, self.assembly.energies, False))

    def blocks(self, x: Any, *, project: bool, also: Sequence[Energy] = ()) -> Any:
        """The Hessian of the energies and of others on the same cells, as blocks [N/m].

        Of a device's array as an array of the device, without those of pins, which stand still.
        """
        if isinstance(x, np.ndarray):
            return self.assembly.blocks(x, project=project, also=also)
        return self.hessian.of(x, (*self.assembly.energies, *also), project)

    def columns(self, x: Any) -> np.ndarray | None:
        """What the Hessian of the energies has less than `blocks`: U of U U^T, or None."""
        return self.assembly.columns(x) if isinstance(x, np.ndarray) else None

    def largest_entry(self, blocks: Any) -> float:
        """The largest entry of such blocks."""
        if isinstance(blocks, np.ndarray):
            return float(np.abs(blocks).max())
        return self.hessian.largest_entry(blocks)

    @property
    def resident(self) -> bool:
        """Whether objectives live on the device."""
        return self._on_device is not None

    def lift(self, x: Any, *, keep: bool = False) -> Any:
        """Positions as `vectors` takes them; `keep` those that come again and again."""
        return x if self._on_device is None else self._on_device.lift(x, keep=keep)

    def lower(self, x: Any) -> np.ndarray:
        """Positions as a numpy array, (n, d)."""
        return x if isinstance(x, np.ndarray) else x.numpy().copy()

    def minimise(
        self,
        newton: Newton,
        objective: Any,
        x: Any,
        *,
        origin: Any = None,
        first: float | None = None,
    ) -> tuple[Any, Report]:
        """Newton's search from x, which may be a numpy array; the answer is of the same kind."""
        begin = None if origin is None else self.lift(origin)
        found, report = newton.minimise(
            objective, self.lift(x), self.linear, origin=begin, first=first
        )
        return self.lower(found) if isinstance(x, np.ndarray) else found, report

    def vectors_of(self, x: Any) -> Vectors:
        """Arithmetic for arrays that live where x does."""
        return self.host if isinstance(x, np.ndarray) else self.vectors

    def parts_of(self, x: Any) -> Parts:
        """Rigid motion for arrays that live where x does."""
        if self._on_device is None or isinstance(x, np.ndarray):
            return self._host_parts
        return self._on_device.parts

    def hang(self, load: np.ndarray, before: Sequence[np.ndarray] = ()) -> tuple[np.ndarray, ...]:
        """Tell parts that hang by a point which way is down, by the load on all points [N].

        Where there is no load they hang as they did `before`. Returns how they hang now.
        """
        if not self.hangs:
            return ()
        self._host_parts.hang(load, before)
        if self._on_device is not None:
            self._on_device.parts.hang()
        return tuple(part.vertical for part in self._hanging)

    def settle_pins(self, x: np.ndarray) -> None:
        """Arrays go to the device: pins will stand still where they are in x."""
        if self._on_device is not None:
            self._on_device.parts.hold(x)

    def value(self, x: Any) -> float:
        """The sum of the energies [J]."""
        if isinstance(x, np.ndarray):
            return self.assembly.value(x)
        return sum(e.value(x) for e in self.assembly.energies)

    def force(self, x: Any, load: Any, complement: Any) -> Any:
        """The gradient of the potential along the directions that are searched [N]."""
        y = self.lift(x)
        g = self.objective(Inertia(0.0, y), load, complement).residual(y)
        return self.lower(g) if isinstance(x, np.ndarray) else g

    def objective(self, inertia: Inertia, load: Any, complement: Any) -> Any:
        """The objective of one step."""
        if self._on_device is not None:
            return DeviceObjective(self._on_device, inertia, load, complement)
        return StepObjective(
            self.assembly,
            self.solids,
            self.masses,
            load,
            inertia,
            self.restriction,
            self.hessian,
            self.free,
            complement,
            self.size,
            self.vectors,
        )

    def inverted(self, x: Any) -> np.ndarray:
        """The cells that are inside out at x, numbered through all kinds."""
        found, before = [], 0
        y = self.assembly.array(x) if isinstance(x, np.ndarray) else x
        for solid in self.solids:
            if solid.any_inverted(y):
                F = solid.deformation_gradients(y)
                found.append(before + np.flatnonzero((np.linalg.det(F) <= 0.0).any(axis=1)))
            before += len(solid.stencils)
        return np.concatenate(found) if found else np.zeros(0, dtype=int)

    @property
    def breaks(self) -> bool:
        """Whether the material has no finite energy for cells that are inside out."""
        return not all(s.material.finite_when_inverted for s in self.solids)

    def known(self) -> Known:
        """What solvers and searches keep for the next step, on which its last digits depend."""
        self._current = Known(
            weakref.ref(self),
            self.hessian.keep(),
            self._linear.keep(),
            tuple(energy.keep() for energy in self._searching),
        )
        return self._current

    def recall(self, known: Known | None) -> None:
        """Solve the next step as if nothing had been solved since `known`; None: since ever."""
        if known is None or known.system() is not self:
            known = self._pristine
        # Searches may have been asked since, by whoever wanted to know an energy.
        for energy, found in zip(self._searching, known.searches, strict=True):
            energy.put_back(found)
        if known is not self._current:
            self.hessian.put_back(known.blocks)
            self._linear.put_back(known.linear)
            self._current = known

    def _free_masses(self) -> np.ndarray:
        return np.repeat(self.masses[self.free], self.dim)

    def _worth_coarsening(self) -> bool:
        """Whether conjugate gradients would be faster than a factor: not for curves and few points."""
        if self.device.is_cuda:
            return False
        pattern = self.assembly.pattern
        return self.dim**3 * pattern.points * pattern.bandwidth**2 > BANDED

    def _coarsened(self) -> Coarsened:
        def galerkin() -> Galerkin | None:
            stencils = [e.stencils for e in self.assembly.energies]
            ways = interpolations(self.undeformed, stencils, self.free)
            if not ways:
                return None
            return Galerkin(ways, self.assembly.pattern, self.dim, device=self.device)

        return Coarsened(
            galerkin,
            wrap=self.assembly.array,
            otherwise=lambda: Factored(self.kept_factor(self.undeformed)),
        )

    def _gridded(self) -> Gridded:
        resident = self.resident
        wrap: Callable[[Any], Any] = (lambda x: x) if resident else self.assembly.array
        grids = Grids(self.undeformed, [s.stencils for s in self.solids], self.free)
        multigrid = Multigrid(
            grids,
            self.assembly.pattern,
            self.masses,
            device=self.device,
            # The answer is corrected by Newton's float64, and the bandwidth is worth it on CUDA.
            dtype=wp.float32 if self.device.is_cuda else wp.float64,
        )
        return Gridded(
            multigrid,
            lambda x: lambda m: add_coarse_stiffness(self.solids, wrap(x), m),
            wrap=wrap,
            otherwise=None if resident else lambda: Factored(self.kept_factor(self.undeformed)),
        )
