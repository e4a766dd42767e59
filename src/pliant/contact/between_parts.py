"""Contact between the separate parts of one body, by penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.energies import Energy
from pliant.errors import check_positive
from pliant.mesh import Mesh

from .closest_pairs import Touching
from .neighbours import Neighbours
from .pair_penalty import PairPenalty
from .solid_penalty import SolidPenalty
from .surfaces import edges_of, filled_cells, outer_facets, sheet_facets
from .touching import point_triangle, segments


@dataclass(frozen=True)
class PenaltyContact:
    """The parts of one body that are not joined push each other apart.

        W = sum over points i and what they touch j   k/2 min(0, g_ij - h)^2

    g: the distance [m] from a point of one surface to another part; inside of a solid part -d, with the
    depth d and the direction that edges tell which go through its surface [heidelberger2004]. Of solid
    parts the nearest place pushes. Of sheets all triangles that are near push: in a fold the closest one
    would change from side to side, and no step could be solved. thickness h [m]: where the push begins;
    stiffness k [N/m] of each point. edges: edges push each other too, each pair for itself, for coarse
    bars that lie across each other: without it what has no point inside of the other is missed.

    Implicit steps should move nothing by more than h; the explicit are shorter anyway.
    What hits with more than k h^2/2 for each of its points goes through a sheet. The longest explicit
    step is about 2/sqrt(4 k/m + w^2), m the lightest point and w the fastest vibration. A part that is
    wholly inside another is not pushed, since none of its edges leads out; nor is anything that passes a
    sheet in one step. Parts do not touch themselves. Frictionless. Source: [teschner2003].
    """

    thickness: float
    stiffness: float
    edges: bool = False

    def __post_init__(self) -> None:
        for name, value, unit in (
            ("thickness", self.thickness, "m"),
            ("stiffness", self.stiffness, "N/m"),
        ):
            check_positive("PenaltyContact", name, value, unit)

    def energies(self, mesh: Mesh, *, device: Any = "cpu") -> Sequence[Energy]:
        """Points against surfaces and, if asked for, edges against edges."""
        cells, sheets, part = filled_cells(mesh), sheet_facets(mesh), mesh.components
        outer = outer_facets(mesh)
        facets, parts = np.concatenate([outer, sheets]), int(part.max()) + 1
        if parts < 2:
            raise ValueError(
                f"PenaltyContact: got {mesh!r}, all of one part; expected separate parts in one mesh"
            )
        if not len(facets):
            raise ValueError(
                f"PenaltyContact: got {mesh!r}; expected parts with a surface: solids, or sheets in "
                "space. Rods collide with pl.ImpactRods(...)"
            )
        sides, points = edges_of(facets), np.unique(facets)
        margin = 0.5 * _shortest(mesh.points, sides, part)

        def near(points: np.ndarray, cells: np.ndarray, reach: float) -> Neighbours:
            reaches, labels = (np.zeros(len(points)), np.full(len(cells), reach)), part[cells[:, 0]]
            pairs = (points[:, None], cells, reaches)
            return Neighbours(*pairs, labels=(part[points], labels), margin=margin)

        found: list[Energy] = []
        if len(cells):
            edges = np.concatenate([edges_of(cells), edges_of(sheets)])
            solid = SolidPenalty(
                mesh.points,
                part,
                np.unique(edges, axis=0),
                near(np.unique(edges), cells, 0.0),
                near(points, outer, self.thickness),
                thickness=self.thickness,
                stiffness=self.stiffness,
                device=device,
            )
            found.append(solid)
        if len(sheets):
            pairs = near(points, sheets, self.thickness)
            found.append(self._pairs(mesh, point_triangle, pairs, device))
        if self.edges:
            reach, own = np.full(len(sides), 0.5 * self.thickness), part[sides[:, 0]]
            pairs = Neighbours(
                sides,
                sides,
                (reach, reach),
                keeps=lambda i, j: i < j,
                labels=(own, own),
                margin=margin,
            )
            found.append(self._pairs(mesh, segments, pairs, device))
        return found

    def _pairs(self, mesh: Mesh, touching: Touching, pairs: Neighbours, device: Any) -> PairPenalty:
        return PairPenalty(
            mesh.points,
            touching,
            pairs,
            thickness=lambda i, j: np.full(len(i), self.thickness),
            stiffness=lambda i, j: np.full(len(i), self.stiffness),
            device=device,
        )


def _shortest(x: np.ndarray, sides: np.ndarray, part: np.ndarray) -> float:
    """The mean length of the edges of the part in which it is shortest [m]."""
    lengths, of = np.linalg.norm(x[sides[:, 1]] - x[sides[:, 0]], axis=1), part[sides[:, 0]]
    counts = np.bincount(of)
    return float((np.bincount(of, lengths)[counts > 0] / counts[counts > 0]).min())
