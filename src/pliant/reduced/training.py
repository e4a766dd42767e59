"""What is found once of a body in large deformation: its columns, and few cells that stand for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pliant.energies import SolidEnergy
from pliant.errors import Advice
from pliant.problem import System
from pliant.resources import require_memory

from .cubature import Cubature, find_cubature
from .derivatives import ModalDerivatives
from .driven import affine_motions, driven_columns
from .driven_far import DrivenFar
from .far_columns import given_in_threes, whole_columns
from .given import given_columns
from .kept import columns_of
from .modes import Inverse, RestStiffness, ritz
from .projected import WIDTH

Array = np.ndarray
#: Cubature is trained on so many poses, in which points go so far at most, as a share of the size.
POSES, REACH = 40, 0.3
#: So much farther they must have a finite energy.
MARGIN = 1.2
#: Cells that miss more than this share of forces in training are too few.
MOST_MISSED = 0.1


@dataclass(frozen=True, eq=False)
class SubspaceTraining:
    """Finds columns and cells of a solid; only what is found is kept.

    of, inverse: its stiffness at rest and the factor of that. groups: of pins, by number; those behind
    the first are driven against it. shapes (k, n, d), or None: columns are chosen among these. wanted:
    so many columns besides static answers. most: cells, for each group.
    """

    system: System
    solid: SolidEnergy
    of: RestStiffness
    inverse: Inverse
    groups: Sequence[Array]
    shapes: Array | None
    wanted: int
    most: int

    def found(self, count: int, loads: Sequence[Array]) -> dict[str, Array]:
        """Columns of so many modes and of loads [N], (n, d), with their stiffness, and cells."""
        of = self.of
        values, modes = self._modes(count)
        far = self._driven_far(values, modes) if len(self.groups) > 1 else None
        derived = self._derivatives(values, modes) if far is None else far.derived
        answers = [self.inverse(load[self.system.free].ravel()) for load in loads]
        if self.shapes is None:
            columns = whole_columns(of, derived, answers, self.wanted, far)
        else:
            own = given_columns(of, self.shapes, self.system.free, count)
            columns = given_in_threes(of, own, answers)
        stiffness, columns = ritz(columns, of.matrix @ columns, of.masses)
        cells = self._cells(columns / np.sqrt(stiffness), self._poses(columns, derived, far), far)
        return {
            "values": stiffness,
            "columns": columns,
            "cells": cells.cells,
            "factors": cells.factors,
            "missed": np.array(cells.missed),
            **({} if far is None else _driven_in_threes(far)),
        }

    def _modes(self, count: int) -> tuple[Array, Array]:
        ways = count + 6 * max(len(self.groups) - 1, 0)
        require_memory(
            f"pl.Subspace: the derivatives of {ways} modes along each other",
            8.0 * len(self.of.masses) * ways * (ways + 1.0),
            "fewer modes: eight hold most of what bends and twists",
        )
        return columns_of(self.of, count, [])

    def _derivatives(self, values: Array, ways: Array) -> ModalDerivatives:
        """Of displacements of free points, or of all with pins last."""
        size = self.system.size
        return ModalDerivatives.of(values, ways, self._gradient, self.inverse, size)

    def _driven_far(self, values: Array, modes: Array) -> DrivenFar:
        """What follows groups of pins that are driven against each other."""
        system = self.system
        x, own = system.undeformed, system.assembly
        K = own.pattern.matrix(own.blocks(x, project=False))
        given = K, system.masses, system.free, self.inverse, x, self.groups
        rigid, far = driven_columns(*given)[1], driven_columns(*given, affine_motions)
        ways = np.column_stack([self._with_pins(modes), self._free_first(rigid)])
        along, m = self._derivatives(values, ways).along, len(values)
        derived = ModalDerivatives(values, modes, along[:m, :m], system.size)
        return DrivenFar(derived, along, *far, rigid, x, self.groups[1:])

    def _cells(self, columns: Array, poses: Iterator[Array], far: DrivenFar | None) -> Cubature:
        """Few cells whose weighed forces are those of all."""
        most = self.most * max(len(self.groups), 1)
        seen = [self._finite(pose) for pose in poses]
        scaled = columns if far is None else self._with_pins(columns)
        few = find_cubature(self._energies, seen, scaled, self.system.size, most)
        if few.missed > MOST_MISSED:
            wanted = 5 * columns.shape[1]
            raise ValueError(
                Advice(
                    f"{len(few.cells)} of its cells miss {100.0 * few.missed:.0f} % of the forces of "
                    "all; expected more of them: ",
                    f"pl.Subspace(body, cells={wanted})",
                    f"cells = {wanted} in reduce",
                )
            )
        return few

    def _poses(
        self, columns: Array, derived: ModalDerivatives, far: DrivenFar | None
    ) -> Iterator[Array]:
        """Displacements [m] in which cells are chosen, as columns can have them."""
        generator, masses = np.random.default_rng(0), self.of.masses
        for _ in range(POSES):
            a = derived.amounts(generator, REACH)
            if far is None:
                yield columns @ (columns.T @ (masses * derived.pose(a)))
                continue
            pose, d = far.pose(a, generator)
            pose = columns @ (columns.T @ (masses * pose))
            yield self._with_pins(pose) + self._free_first(far.answers) @ d

    def _finite(self, pose: Array) -> Array:
        """The pose, or so much of it that no cell's energy is infinite, as it is of cells inside out."""
        while not np.isfinite(self._energies(MARGIN * pose)).all():
            pose = 0.5 * pose
        return pose

    def _gradient(self, u: Array) -> Array:
        """Forces [N] on free points, of displacements."""
        forces = self.system.assembly.gradient(self._placed(u))
        return np.asarray(forces[self.system.free].ravel())

    def _energies(self, u: Array) -> Array:
        """The energy of each cell [J], of displacements."""
        assembly = self.system.assembly
        return np.asarray(self.solid.strain_energies(assembly.array(self._placed(u))))

    def _placed(self, u: Array) -> Array:
        """Positions by displacements of free points, and then of pins if they move."""
        system = self.system
        y, free = np.array(system.undeformed), system.dim * int(system.free.sum())
        y[system.free] += u[:free].reshape(-1, system.dim)
        if len(u) > free:
            y[~system.free] += u[free:].reshape(-1, system.dim)
        return y

    def _free_first(self, columns: Array) -> Array:
        """Columns of all points with the rows of free points first."""
        free = np.repeat(self.system.free, self.system.dim)
        return np.concatenate([columns[free], columns[~free]])

    def _with_pins(self, u: Array) -> Array:
        """Displacements of free points, or columns of them, and zeros for pins."""
        still = np.zeros((self.system.undeformed.size - len(u), *u.shape[1:]))
        return np.concatenate([u, still])


def _driven_in_threes(far: DrivenFar) -> dict[str, Array]:
    """Driven columns with their stiffness; columns of zeros fill up threes, as in the plane."""
    spare = -len(far.stiffness) % WIDTH
    none = np.zeros((len(far.answers), spare))
    return {
        "driven": np.column_stack([far.answers, none]),
        "stiff": np.append(far.stiffness, np.ones(spare)),
    }
