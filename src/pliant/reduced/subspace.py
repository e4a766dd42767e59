"""A reduced body in large deformation: its coordinates are the points of a body of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pliant.energies import Energy, SolidEnergy
from pliant.mesh import in_space
from pliant.problem import ControlState, State, System, fit_rotation
from pliant.solvers import Report

from .basis import Basis
from .confined import InnerEnergy
from .cubature import Cubature
from .kept import kept
from .modes import Inverse, RestStiffness
from .projected import WIDTH, WeighedCells
from .shape import ReducedShape, ReducedVelocity
from .system import ReducedSystem
from .training import SubspaceTraining

Array = np.ndarray


@dataclass(frozen=True)
class SubspaceControl(ControlState):
    """The state of the coordinates, as that of a body whose points they are."""

    inner: State

    def is_at(self, shape: ReducedShape, velocity: ReducedVelocity) -> bool:
        """Whether it is of this state: a step among other bodies moves only the points."""
        x, v = self.inner.x, self.inner.v
        return np.array_equal(x.ravel(), shape.q) and np.array_equal(v.ravel(), velocity.p)


class SubspaceSystem(ReducedSystem):
    """A body whose points move as x = X + U q, with the energy of few of its cells.

    `inner` is the system of the coordinates: three of them make a point of mass 1, and its energy is
    that of `most_cells` cells of the body at most. So all that moves points moves coordinates. Those of
    groups of pins that are driven against each other are its pins; each brings as many cells again.
    """

    large = 0.5

    def __init__(
        self,
        energies: Sequence[Energy],
        *,
        size: int,
        most_cells: int,
        shapes: Array | None = None,
        thickness: float = 1.0,
        **given: Any,
    ):
        self._wanted, self._most, self._thickness = size, most_cells, thickness
        self._shapes = shapes
        super().__init__(energies, **given)
        self._confinement.energy = InnerEnergy(self._confinement, len(self.masses), self.inner)
        self.infinite_when_inverted = self.inner.infinite_when_inverted

    @property
    def _apart(self) -> bool:
        """Whether groups of its pins are driven against each other."""
        return len(self._groups) > 1

    def coordinates(self, q: Array) -> Array:
        """q as points of the inner system, (r/3, 3)."""
        return q.reshape(-1, WIDTH)

    def value(self, x: Any) -> float:
        """The energy of the full body in the shape [J]."""
        return System.value(self, np.asarray(x) if isinstance(x, ReducedShape) else x)

    def equilibrium(self, x: Any, loads: Any, *, locked: bool = True) -> tuple[Any, Report]:
        """The static answer of the coordinates, from x."""
        shape = self.shape_at(x)
        g = self.coordinates(self._static_load(shape, loads))
        found, report = self.inner.equilibrium(self.coordinates(shape.q), lambda q: g)
        return ReducedShape(self.basis, found.ravel(), shape.frame).expand(), report

    def full_equilibrium(self, load: Array, start: Array) -> Array:
        """That of the full body under forces [N], (n, d), from a start [m], (n, d), with its pins."""
        return np.asarray(System.equilibrium(self, start, lambda x: load)[0])

    def driven_home(self, shape: ReducedShape) -> ReducedShape:
        """Where pins take a body that nothing else deforms, in the linear theory."""
        q = shape.q.copy()
        q[: self.basis.own] = 0.0
        return ReducedShape(self.basis, q, shape.frame)

    def linear_answer(self, load: Array) -> Array:
        """The way of the full body to rest in the linear theory [m], (n, d)."""
        found = np.zeros_like(self.undeformed)
        f = np.asarray(load)[self.free].ravel()
        found[self.free] = self._inverse(f).reshape(-1, self.dim)
        return found

    def driven_turn(self, shape: ReducedShape) -> float:
        """How far a group of pins is turned against the first at most [rad]."""
        x = self.undeformed + self.basis.expand(shape.q)
        turns = [
            fit_rotation(in_space(self.undeformed[group]), in_space(x[group]))
            for group in (self._groups[1:] if self._apart else ())
        ]
        cosines = [0.5 * (np.trace(turn) - 1.0) for turn in turns]
        return float(np.arccos(np.clip(min(cosines, default=1.0), -1.0, 1.0)))

    def modes(self, x: Any, count: int) -> tuple[Array, Array]:
        """The lowest eigenvalues [1/s^2] and modes (count, n, d) of the coordinates about x."""
        shape, d = self.shape_at(x), self.dim
        values, found = self.inner.modes(self.coordinates(shape.q), count)
        turn = shape.frame.rotation[:d, :d].T
        return values, np.array([self.basis.expand(v.ravel()) @ turn for v in found])

    def require_stable(self, x: Any, *, locked: bool = True) -> None:
        """Refuse an equilibrium that the slightest push would leave."""
        self.inner.require_stable(self.coordinates(self.shape_at(x).q))

    @cached_property
    def _inverse(self) -> Inverse:
        """The factor of the stiffness at rest."""
        return self.rest_stiffness().solver()

    def _basis(self, count: int, loads: Sequence[Array]) -> Basis:
        solid, x, of = self._solid(), self.undeformed, self.rest_stiffness()
        # Bodies of one stiffness at rest may be of different materials.
        matter = np.frombuffer(repr(solid.material).encode(), dtype=np.uint8)
        given = [np.array([count, self._wanted, self._most]), matter, *loads]
        given += [] if self._shapes is None else [self._shapes]
        given += [x, *self._groups] if self._apart else []
        found = kept(of, given, lambda: self._found(of, solid, count, loads))
        self.cubature = Cubature(found["cells"], found["factors"], float(found["missed"]))
        columns = np.zeros((x.size, len(found["values"])))
        columns[np.repeat(self.free, self.dim)] = found["columns"]
        basis = Basis(x, columns, found["values"], self.masses, count, bool(self.rank))
        if self._apart:
            basis = replace(
                basis,
                columns=np.column_stack([columns, found["driven"]]),
                eigenvalues=np.append(found["values"], found["stiff"]),
                driven=len(found["stiff"]),
                pins=np.concatenate(self._groups[1:]),
            )
        self.inner = self._inner_system(basis, solid)
        return basis

    def _found(
        self, of: RestStiffness, solid: SolidEnergy, count: int, loads: Sequence[Array]
    ) -> dict[str, Array]:
        """Columns, with their stiffness, and cells that stand for all."""
        self._inverse = of.solver()
        given = self._groups, self._shapes, self._wanted, self._most
        return SubspaceTraining(self, solid, of, self._inverse, *given).found(count, loads)

    def _solid(self) -> SolidEnergy:
        if len(self.solids) != 1 or len(self.assembly.energies) != 1:
            raise ValueError(
                f"got {len(self.assembly.energies)} energies; expected a solid of cells of one kind. "
                "Use the full body for bars and for cells of several kinds"
            )
        solid = self.solids[0]
        try:
            solid.material.per_cell(1), solid.material.constants(1, self.dim)
        except ValueError:
            raise ValueError(
                "got a material that differs from cell to cell; expected one for all. Use the full body"
            ) from None
        return solid

    def _inner_system(self, basis: Basis, solid: SolidEnergy) -> System:
        """The system of the coordinates."""
        n, d, r = *self.undeformed.shape, len(basis)
        used, cells = np.unique(solid.stencils[self.cubature.cells], return_inverse=True)
        self.weighed = WeighedCells(
            points=self.undeformed[used],
            columns=basis.columns.reshape(n, d, r)[used].reshape(-1, r),
            cells=cells.reshape(-1, solid.stencils.shape[1]),
            factors=self.cubature.factors,
            element=solid.element,
            material=solid.material,
            thickness=self._thickness,
        )
        rows = r // WIDTH
        inner = System(
            self.weighed.assembly().energies,
            masses=np.ones(rows),
            pinned=np.arange(rows) >= basis.own // WIDTH,
            components=-np.ones(rows, dtype=int),
            x=np.zeros((rows, WIDTH)),
        )
        # Lengths are those of all points in the norm of masses.
        inner.size = inner.span = self.span
        return inner
