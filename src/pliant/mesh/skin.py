"""What a body shows: its own boundary, or a finer surface that its cells carry along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kinds import KINDS
from .surface import Surface

if TYPE_CHECKING:
    from .mesh import Mesh


@dataclass(frozen=True)
class Skin:
    """A surface each of whose points is a weighted mean of points of a mesh."""

    surface: Surface
    nodes: NDArray[np.int64]  # (m, c): points of the mesh
    weights: NDArray[np.float64]  # (m, c), rows sum to one

    @classmethod
    def bare(cls, mesh: Mesh) -> Skin:
        """The mesh's own boundary; a plane mesh shows its cells, in the plane z = 0."""
        cells = mesh.boundary if mesh.cell_dim == 3 else mesh.cells
        faces = [
            nodes[:, : KINDS[kind].corners] for kind, nodes in cells.items() if KINDS[kind].dim == 2
        ]
        sizes = np.concatenate([np.full(len(f), f.shape[1]) for f in faces])
        seen, corners = np.unique(np.concatenate([f.ravel() for f in faces]), return_inverse=True)
        surface = Surface(in_space(mesh.points[seen]), sizes, corners.ravel())
        return cls(surface, seen[:, None], np.ones((len(seen), 1)))

    def positions(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the surface is when the points of the mesh are at x (..., n, d): (..., m, 3)."""
        return in_space(np.einsum("mc,...mcd->...md", self.weights, x[..., self.nodes, :]))


def in_space(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Plane points in the plane z = 0."""
    if x.shape[-1] == 3:
        return x
    return np.concatenate([x, np.zeros((*x.shape[:-1], 1))], axis=-1)
