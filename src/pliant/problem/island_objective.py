"""The objective of a step of several bodies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from .inertia import Inertia, IslandInertia
from .objective import StepObjective

if TYPE_CHECKING:
    from .island_system import IslandSystem

#: Matrices of solids serve until a point has moved by this share of the length of short edges: between
#: the iterations of a search it is contact that changes.
MOVED_LITTLE = 0.01


class IslandObjective(StepObjective):
    """The objective of all bodies, and that of each of them alone."""

    def __init__(self, system: IslandSystem, inertia: Inertia, load: Any, complement: Any):
        super().__init__(system, inertia, load, complement)
        self._island, self._given, self._acting = system, inertia, load
        self._searched = complement
        self._solid: dict[bool, tuple[np.ndarray, np.ndarray]] = {}

    def cell_blocks(self, x: np.ndarray, project: bool) -> np.ndarray:
        """As of any step; those of solids are kept as long as points move little in their cells."""
        island = self._island
        if island.contact is None or not island.solids_of_all:
            return super().cell_blocks(x, project)
        near = MOVED_LITTLE * island.contact.surface.edge_length
        known = self._solid.get(project)
        if known is None or float(np.abs(x - known[0]).max()) > near:
            found = island.assembly.blocks(x, project=project, only=island.solids_of_all)
            known = self._solid[project] = x.copy(), np.array(found)
        others = (*island.other_energies, *self._given.energies)
        points = [e for e in others if e.stencils.shape[1] == 1]
        cells = [e for e in others if e.stencils.shape[1] != 1]
        assembly, out = island.assembly, known[1].copy()
        if cells:
            out += assembly.blocks(x, project=project, only=cells)
        # The kernels of contact fill the diagonal alone: a tenth of the blocks.
        out[assembly.pattern.diagonal] += assembly.point_blocks(x, points, project=project)
        return np.asarray(out)

    def members(self, x: np.ndarray, project: bool) -> list[tuple[slice, Any]]:
        """For every body its points, and its objective alone, off its own rigid motions.

        The one of a body that is alone is that of the island.
        """
        found, alone = [], len(self._island.members) == 1
        shares = self._island.contact_shares(x, self._given.energies, project)
        for k, (own, system) in enumerate(self._island.members):
            if isinstance(self._given, IslandInertia):
                inertia = self._given.members[k]
            else:
                inertia = Inertia(self._given.weight, self._given.anchor[own])
            off = self._searched if alone else system.complement(x[own])
            if alone and isinstance(self._given, IslandInertia):
                inertia = replace(inertia, energies=(*inertia.energies, *self._given.outside))
            if shares:
                inertia = replace(inertia, energies=(*inertia.energies, shares[k]))
            found.append((own, system.objective(inertia, self._acting[own], off)))
        return found

    def stiff(self, x: np.ndarray) -> sp.csc_matrix:
        """Directions over the free unknowns, as columns, that stretch ties or move one body rigidly."""
        island, dim = self._island, x.shape[1]
        columns = [island.stretching]
        for own, system in island.members:
            if system.rank:
                motions = np.zeros((system.rank, *x.shape))
                motions[:, own] = system.complement(x[own]).basis
                columns.append(sp.csc_matrix(motions.reshape(system.rank, -1).T))
        free = np.repeat(island.free, dim)
        return sp.hstack(columns, format="csc")[free]
