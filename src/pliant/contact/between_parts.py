"""Contact between the separate parts of one body, by penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.energies import Energy
from pliant.errors import check_positive
from pliant.mesh import Mesh

from .inside import Insides
from .neighbours import Neighbours
from .penalty import PairPenalty
from .surfaces import edges_of, facets_of, filled_cells
from .touching import point_triangle, segments


@dataclass(frozen=True)
class PenaltyContact:
    """The parts of one body that are not joined push each other apart.

        W = sum over points i and what they touch j   k/2 min(0, g_ij - h)^2

    g: the distance [m] from a point of one surface to the whole surface of another part, if that is
    solid, negative inside of it; of sheets, to each triangle, and all that are near push: in a fold
    the closest one would change from side to side, and no step could be solved. thickness h [m]: where
    the push begins; stiffness k [N/m] of each point. edges: edges push each other too, each pair for
    itself, for coarse bars that lie across each other.

    Implicit steps should move nothing by more than h; the explicit are shorter anyway.
    What hits with more than k h^2/2 for each of its points goes through a sheet. The longest explicit
    step is about 2/sqrt(4 k/m + w^2), m the lightest point and w the fastest vibration. Points that are
    deeper than an edge is long are not found, nor anything that passes a sheet in one step. Parts do
    not touch themselves. Frictionless.
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
        facets, part = facets_of(mesh), mesh.components
        parts = int(part.max()) + 1
        if parts < 2:
            raise ValueError(
                f"PenaltyContact: got {mesh!r}, all of one part; expected separate parts in one mesh"
            )
        if not len(facets):
            raise ValueError(
                f"PenaltyContact: got {mesh!r}; expected parts with a surface: solids, or sheets in "
                "space. Rods collide with pl.ImpactRods(...)"
            )
        points, sides = np.unique(facets), edges_of(facets)
        own, other = part[points], part[facets[:, 0]]
        sizes = _edge_lengths(mesh.points, sides, part, parts)
        margin = 0.5 * float(sizes.min())
        cells, insides = filled_cells(mesh), None
        reach, solid = np.full(len(facets), self.thickness), np.zeros(len(facets), dtype=bool)
        if len(cells):
            of = part[cells[:, 0]]
            insides = Insides(points, cells, of, parts, own, margin=margin, device=device)
            solid = np.isin(other, of)
            reach[solid] += sizes[other[solid]]  # points that are inside must be found, too
        found = [
            PairPenalty(
                mesh.points,
                point_triangle,
                Neighbours(
                    points[:, None],
                    facets,
                    (np.zeros(len(points)), reach),
                    labels=(own, other),
                    margin=margin,
                ),
                thickness=lambda i, j: np.full(len(i), self.thickness),
                stiffness=lambda i, j: np.full(len(i), self.stiffness),
                contacts=lambda i, j: np.where(
                    solid[j], i * parts + other[j], len(points) * parts + i * len(facets) + j
                ),
                insides=insides,
                device=device,
            )
        ]
        return [*found, self._edges(mesh, sides, margin, device)] if self.edges else found

    def _edges(self, mesh: Mesh, sides: np.ndarray, margin: float, device: Any) -> PairPenalty:
        part, reach = mesh.components[sides[:, 0]], np.full(len(sides), 0.5 * self.thickness)
        return PairPenalty(
            mesh.points,
            segments,
            Neighbours(
                sides,
                sides,
                (reach, reach),
                keeps=lambda i, j: i < j,
                labels=(part, part),
                margin=margin,
            ),
            thickness=lambda i, j: np.full(len(i), self.thickness),
            stiffness=lambda i, j: np.full(len(i), self.stiffness),
            device=device,
        )


def _edge_lengths(x: np.ndarray, sides: np.ndarray, part: np.ndarray, parts: int) -> np.ndarray:
    """The mean length of the edges of each part [m], (parts,)."""
    lengths, of = np.linalg.norm(x[sides[:, 1]] - x[sides[:, 0]], axis=1), part[sides[:, 0]]
    counts = np.bincount(of, minlength=parts)
    return np.where(counts, np.bincount(of, lengths, parts) / np.maximum(counts, 1), np.inf)
