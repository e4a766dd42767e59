"""Contact between the separate parts of one body, by penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.energies.protocol import Energy
from pliant.errors import is_finite
from pliant.mesh import Mesh

from .inside import Insides
from .neighbours import Neighbours
from .penalty import PairPenalty
from .surfaces import edges_of, facets_of, filled_cells
from .touching import point_triangle, segments


@dataclass(frozen=True)
class PenaltyContact:
    """The parts of one body that are not joined push each other apart.

        W = sum over points i and other parts p   k/2 min(0, g_ip - h)^2

    g: the distance [m] from a point of one surface to the surface of another part, negative inside
    of it; thickness h [m]: where the push begins; stiffness k [N/m] of each point. Surfaces are the
    boundary of solids and all of a sheet. edges: edges push each other too, each pair for itself, for
    coarse bars that lie across each other.

    For explicit steps, and implicit ones that are short (see `PairPenalty`). The longest explicit step
    is about 2/sqrt(4 k/m + w^2), m the lightest point and w the fastest vibration. Points that are
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
            if not (is_finite(value) and value > 0.0):
                raise ValueError(
                    f"PenaltyContact: got {name}={value!r}; expected more than 0 [{unit}]"
                )

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
        x, h = mesh.points, self.thickness
        points = np.unique(facets)
        sides = edges_of(facets)
        size = float(np.linalg.norm(x[sides[:, 1]] - x[sides[:, 0]], axis=1).mean())
        own, other = part[points], part[facets[:, 0]]
        near = Neighbours(
            points[:, None],
            facets,
            (np.zeros(len(points)), np.full(len(facets), h + size)),
            keeps=lambda i, j: own[i] != other[j],
            margin=0.25 * size,
        )
        cells = filled_cells(mesh)
        insides = None
        if len(cells):
            insides = Insides(
                points, cells, part[cells[:, 0]], parts, own, margin=0.25 * size, device=device
            )
        found = [
            PairPenalty(
                x,
                point_triangle,
                near,
                thickness=lambda i, j: np.full(len(i), h),
                stiffness=lambda i, j: np.full(len(i), self.stiffness),
                contacts=lambda i, j: i * parts + other[j],
                insides=insides,
                device=device,
            )
        ]
        return [*found, self._edges(mesh, sides, size, device)] if self.edges else found

    def _edges(self, mesh: Mesh, sides: np.ndarray, size: float, device: Any) -> PairPenalty:
        part, reach = mesh.components[sides[:, 0]], np.full(len(sides), 0.5 * self.thickness)
        return PairPenalty(
            mesh.points,
            segments,
            Neighbours(
                sides,
                sides,
                (reach, reach),
                keeps=lambda i, j: (i < j) & (part[i] != part[j]),
                margin=0.25 * size,
            ),
            thickness=lambda i, j: np.full(len(i), self.thickness),
            stiffness=lambda i, j: np.full(len(i), self.stiffness),
            device=device,
        )
