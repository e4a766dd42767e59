"""A body together with the mesh that its file describes, by whose points the file selects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.bodies import Deformable
from pliant.mesh import CARRIED_SHARE, Mesh, Surface


@dataclass(frozen=True)
class BodyOnMesh:
    """A body, and the mesh [m] that the file describes.

    Most bodies have this mesh as their own. A rod has three points (four where it branches) for each
    point of the mesh, and elastons have four. Selections choose points of the mesh; pins and loads
    act on all points of the body that belong to them.
    """

    body: Deformable
    mesh: Mesh

    def carriers(self, vertices: np.ndarray) -> np.ndarray:
        """Mask over the mesh of the points that carry vertices of the surface that is shown."""
        if self.mesh.cell_dim == self.mesh.dim and self.body.points_per_node == 1:
            from pliant.mesh import carriers

            return carriers(self.mesh, self.body.skin.surface, vertices)
        skin = self.body.skin
        if vertices.max() >= len(skin.nodes):
            raise ValueError(
                f"got vertex {vertices.max()}; the surface has 0 to {len(skin.nodes) - 1}"
            )
        mask = np.zeros(len(self.mesh), dtype=bool)
        strong = np.abs(skin.weights[vertices]) > CARRIED_SHARE
        mask[self.body.owners[skin.nodes[vertices][strong]]] = True
        return mask

    def posed(self, there: Surface) -> np.ndarray:
        """The positions of its points [m], (n, d), for which the shown surface lies there."""
        skin, dim = self.body.skin, self.mesh.dim
        if self.mesh.cell_dim == dim and self.body.points_per_node == 1:
            from pliant.mesh import pose

            return pose(self.mesh, skin.surface, there.points)
        if skin.nodes.shape[1] > 1 or len(np.unique(skin.nodes)) < len(self.body):
            raise ValueError("expected it of solids and sheets: strands have no surface of points")
        if len(there.points) != len(skin.nodes):
            raise ValueError(
                f"got {len(there.points)} points; the surface that is put there has "
                f"{len(skin.nodes)}: expected the same surface with its points elsewhere, in order"
            )
        x = self.body.positions
        x[skin.nodes[:, 0]] = there.points[:, :dim]
        return x
