"""The objective of a step in which some bodies move in few coordinates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.solvers import Complement, Unknowns

from .confinement import CoordinateEnergy, weight_of
from .inertia import Inertia, IslandInertia
from .island_objective import IslandObjective

if TYPE_CHECKING:
    from .island_system import IslandSystem


class ConfinedObjective(IslandObjective):
    """The objective over the points of all bodies, searched along their `Ways`.

    Where ways are curved a straight line leads to a point beside the shapes that a body can have, and
    the search goes to the nearest one (`CurvedSpace`). So the line from where a step of the search
    begins to where it ends is looked at, and not the direction: value is inf if anything touches on it.
    """

    def __init__(self, system: IslandSystem, inertia: Inertia, load: Any, complement: Any):
        super().__init__(system, inertia, load, complement)
        self._seen: tuple[Any, Unknowns | None] = (None, None)
        #: Where a step of the search begins, and an end to which it is free.
        self._from: Any = None
        self._free_end: Any = None
        if system.curved is not None:
            self.vectors = system.curved

    def unknowns(self, x: np.ndarray) -> Unknowns:
        """The unknowns of the search at x."""
        if self._seen[0] is not x or self._seen[1] is None:
            parts = [(own, c.ways(x[own])) for _, own, c in self._island.confined]
            self._seen = (x, Unknowns(self.free, x.shape[1], parts))
        found = self._seen[1]
        assert found is not None
        return found

    def complement_of(self, unknowns: Unknowns) -> Complement:
        """The directions that are searched, over the unknowns."""
        return unknowns.complement(self._complement)

    def residual(self, x: Any) -> Any:
        """The part of the gradient that acts on the unknowns [N]."""
        unknowns, g = self.unknowns(x), self.gradient(x)
        g[~self.free] = 0.0
        acting = unknowns.amounts_of_force(g)
        if self._complement.rank:
            acting = self.complement_of(unknowns).project_force(acting.ravel())
        return unknowns.force(acting)

    def admitted_force(self, g: Any) -> Any:
        """The part of a force that acts on the unknowns where the search was last, or begins."""
        found = self._seen[1] or self.unknowns(self._anchor)
        acting = found.amounts_of_force(np.asarray(g))
        return found.force(self.complement_of(found).project_force(acting.ravel()))

    def value(self, x: Any) -> float:
        """The objective [J]; inf if anything touches on the line to x."""
        if self._from is not None and x is not self._from:
            known = self._free_end is not None and np.array_equal(x, self._free_end)
            if not (known or super().step_limit(self._from, x - self._from) > 1.0):
                return math.inf
        return super().value(x)

    def step_limit(self, x: Any, dx: Any) -> float:
        """The largest admissible fraction of the line to where dx leads."""
        if self._island.curved is None:
            return super().step_limit(x, dx)
        end = self.vectors.moved(x, 1.0, dx)
        limit = super().step_limit(x, end - x)
        self._from, self._free_end = x, end if limit > 1.0 else None
        return limit

    def lowered(self, x: np.ndarray, unknowns: Unknowns, project: bool) -> Any:
        """The Hessian over the unknowns, as blocks."""
        confined = self._island.confined
        weights = [weight_of(self._given, k) for k, _, _ in confined]
        bends = not project and self._island.curved is not None
        outside = self.gradient(x) if bends else np.zeros(0)
        more = []
        for k, own, confinement in confined:
            ways, energies = confinement.ways(x[own]), self._of_coordinates(k)
            total = np.zeros((len(ways), len(ways)))
            for energy in energies:
                found = energy.stiffness(x[own], project)
                total[len(ways) - len(found) :, len(ways) - len(found) :] += found
            if bends and confinement.curved:
                inner = sum((energy.gradient(x[own]) for energy in energies), np.zeros(1))
                total += confinement.bending(x[own], outside[own] - inner)
            more.append(total)
        return unknowns.matrix(self.matrix(x, project), weights, more)

    def _of_coordinates(self, member: int) -> list[CoordinateEnergy]:
        """The energies of the coordinates of one body."""
        confinement = self._island.members[member][1].confinement
        assert confinement is not None
        found = [confinement.energy]
        if isinstance(self._given, IslandInertia):
            given = self._given.members[member].energies
            found += [e for e in given if isinstance(e, CoordinateEnergy)]
        return found
