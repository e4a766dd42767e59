"""Where a body tears: which faces open, and what holds their sides together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.energies import (
    CohesiveEnergy,
    CohesiveLaw,
    Energy,
    FaceTractions,
    Flowing,
    Tearing,
    TieEnergy,
)
from pliant.materials import Tear
from pliant.mesh import Mesh, MeshChange, SharedFaces, face_areas, open_faces

#: The share of its opening at which a face yields, before it softens.
YIELDS = 0.01
#: The share of its strength at which a face opens. It is elastic still, and stiff: the law decides when
#: it tears. The mean stress of cells is less than that at a tip between them.
EARLY = 0.5
#: What it takes to fold by 1 rad what hangs together by open faces, over the fracture energy of these.
FOLDING = 1e-3


@dataclass(frozen=True, eq=False)
class CellsApart:
    """The cells of a body, each by itself.

    energies: over points of which corner a of cell c is c width + a; rest [m], (cells, width, r), and
    volumes [m^3], (cells,): see `FaceTractions`; across [m]: the thickness of a sheet, 1 for others.
    """

    energies: Sequence[Energy]
    rest: np.ndarray
    volumes: np.ndarray
    across: float


class Tears:
    """The faces of a body that may open, and the law by which they do. It never changes.

    mesh: as it was when nothing was open. on: the points between which it tears, a mask; None: all.
    """

    def __init__(self, tear: Tear, mesh: Mesh, cells: CellsApart, on: np.ndarray | None):
        self.faces = SharedFaces.of(mesh)
        parts = 2.0 * tear.energy / tear.strength
        self.law = CohesiveLaw(tear.strength, tear.energy, YIELDS * parts)
        self._sides, self._points = self.faces.points(mesh)[:, 0], len(mesh)
        self._areas = cells.across * face_areas(mesh.points, self._sides)
        self.on = np.ones(len(mesh), dtype=bool) if on is None else on
        self._may_open = np.asarray(self.on[self._sides].all(axis=1))
        self._energies = cells.energies
        self._slopes = _slopes(cells.rest)
        self._tractions = FaceTractions(
            cells.energies, cells.rest, cells.volumes, self.faces.cells, self.faces.slots
        )
        self.whole = Tearing(np.zeros(len(self.faces), dtype=bool), np.zeros(self._sides.shape))

    def beyond(
        self, tearing: Tearing, mesh: Mesh, x: np.ndarray, flows: Sequence[Any]
    ) -> Tearing | None:
        """What is open after more faces have opened; None: no more do.

        Faces open that are near their strength at x, and those beside what has begun to tear. flows:
        what has flowed in the energies of cells.
        """
        flowing = [e for e in self._energies if isinstance(e, Flowing)]
        for energy, flow in zip(flowing, flows, strict=True):
            energy.take_flow(flow)
        t = self._tractions.opening(x[mesh.cells[self.faces.kind]])
        near = np.zeros(self._points, dtype=bool)
        near[self._sides[self.torn(tearing)]] = True
        wanted = (t > EARLY * self.law.strength) | near[self._sides].any(axis=1)
        opened = tearing.opened | (self._may_open & wanted)
        return None if (opened == tearing.opened).all() else replace(tearing, opened=opened)

    def change(self, tearing: Tearing, mesh: Mesh) -> MeshChange:
        """The mesh, of which some faces may be open already, with all open that are."""
        return open_faces(mesh, self.faces, tearing.opened)

    def torn(self, tearing: Tearing) -> np.ndarray:
        """Which faces have begun to tear, (faces,)."""
        return np.asarray((tearing.most > self.law.yields).any(axis=1))

    def held(self, tearing: Tearing, mesh: Mesh) -> np.ndarray:
        """The pairs of points that open faces hold together, (pairs, 2)."""
        corners = self.faces.points(mesh)
        holds = tearing.opened[:, None] & (tearing.most < self.law.parts)
        holds &= corners[:, 0] != corners[:, 1]
        face, corner = np.nonzero(holds)
        return np.asarray(corners[face, :, corner])

    def energy(self, tearing: Tearing, mesh: Mesh, *, device: str) -> CohesiveEnergy:
        """What holds the sides of open faces together."""
        cells = np.asarray(mesh.cells[self.faces.kind])[self.faces.cells]
        corners = self.faces.points(mesh)
        return CohesiveEnergy(
            mesh.points, corners, cells, self._areas, self.law, tearing, device=device
        )

    def frayed(self, tearing: Tearing) -> np.ndarray:
        """Which faces are open and hold on, (faces,)."""
        return np.asarray(tearing.opened & (tearing.most < self.law.parts).any(axis=1))

    def folding(self, tearing: Tearing, mesh: Mesh, *, device: str) -> TieEnergy:
        """What keeps cells that hang together by open faces from folding freely.

            W = sum_f k_f/2 |F - F'|^2,     k = `FOLDING` energy area

        F: the deformation gradients on both sides. It is little beside what tearing takes, but without
        it nothing says how cells lie to each other that hold by few corners: no shape would be at rest.
        """
        frayed = np.flatnonzero(self.frayed(tearing))
        own, other = self._slopes[self.faces.cells[frayed]].transpose(1, 0, 3, 2)
        weights = np.concatenate([own, -other], axis=2)  # (faces, r, both cells' points)
        count, r, width = weights.shape
        nodes = np.asarray(mesh.cells[self.faces.kind])[self.faces.cells[frayed]]
        return TieEnergy(
            mesh.points,
            np.repeat(nodes.reshape(count, width), r, axis=0),
            weights.reshape(count * r, width),
            stiffness=np.repeat(FOLDING * self.law.energy * self._areas[frayed], r),
            device=device,
        )

    def lost(self, tearing: Tearing) -> float:
        """The energy that tearing has taken so far [J]."""
        return float(self._areas @ self.law.lost(tearing.most).mean(axis=1))

    def torn_area(self, tearing: Tearing) -> float:
        """The area of one side of what has torn [m^2]; faces that hold on by the share that is lost."""
        return self.lost(tearing) / self.law.energy

    def require_any(self) -> None:
        """Refuse a `Tear(on=...)` between whose points there is no face."""
        if not self.on.all() and not self._may_open.any():
            raise ValueError(
                f"Tear: no face between two cells has all its corners among the {self.on.sum()} points "
                "of `on`; expected those along a line of edges, as on=mesh.points[:, 0] == 0.5"
            )


def _slopes(rest: np.ndarray) -> np.ndarray:
    """With which F = sum_a x_a G_a^T is the gradient that fits cells best, (cells, width, r).

    rest: where their points are without stress, (cells, width, r).
    """
    arms = rest - rest.mean(axis=1, keepdims=True)
    return np.asarray(np.linalg.pinv(arms.transpose(0, 2, 1)))
