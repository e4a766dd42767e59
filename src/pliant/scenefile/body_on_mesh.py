"""A body together with the mesh that its file describes, by whose points the file selects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from pliant.bodies import Deformable
from pliant.mesh import CARRIED_SHARE, Mesh, Surface
from pliant.shape import PoseMotion


@dataclass(frozen=True)
class BodyOnMesh:
    """A body, and the mesh [m] that the file describes.

    Most bodies have this mesh as their own. A rod has three points (four where it branches) for each
    point of the mesh, and elastons have four. Selections choose points of the mesh; pins and loads
    act on all points of the body that belong to them.
    """

    body: Deformable
    mesh: Mesh
    motion: PoseMotion | None = None  # the animated pose that it follows

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
        if self.mesh.cell_dim == 1:
            raise ValueError("expected it of solids and sheets: strands have no surface of points")
        return np.asarray(self.poses(there.points[None])[0])

    def poses(self, theres: np.ndarray) -> np.ndarray:
        """The same of several places (k, m, 3): (k, n, d) [m]; of strands, of the points of the mesh."""
        skin, dim = self.body.skin, self.mesh.dim
        if self.mesh.cell_dim == dim and self.body.points_per_node == 1:
            from pliant.mesh import poses

            return poses(self.mesh, skin.surface, theres)
        strands = self.mesh.cell_dim == 1
        count = len(self.mesh) if strands else len(skin.nodes)
        if theres.shape[1] != count:
            raise ValueError(
                f"got {theres.shape[1]} points; the surface that is put there has {count}: expected "
                "the same surface with its points elsewhere, in order"
            )
        if strands:
            nodes, x = self.body.owners, self.body.mesh.points
            if self.body.points_per_node == 1:
                return np.asarray(theres[:, nodes, :dim])
            return np.stack([_turned(self.mesh, x, nodes, there) for there in theres])
        if skin.nodes.shape[1] > 1 or len(np.unique(skin.nodes)) < len(self.body):
            raise ValueError("expected it of solids, sheets and rods")
        out = np.repeat(self.body.positions[None], len(theres), axis=0)
        out[:, skin.nodes[:, 0]] = theres[:, :, :dim]
        return out


def _turned(mesh: Mesh, x: np.ndarray, nodes: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Points x (n, 3) around the nodes of lines, moved and turned as these are: as the whole turns, and
    from there the smallest way to the direction of each."""
    here, lines = mesh.points.copy(), mesh.cells["line2"]  # SciPy takes no read-only arrays
    whole = Rotation.align_vectors(there - there.mean(axis=0), here - here.mean(axis=0))[0]
    along = []
    for points in (whole.apply(here), there):
        steps, t = points[lines[:, 1]] - points[lines[:, 0]], np.zeros_like(points)
        for end in lines.T:
            np.add.at(t, end, steps / np.linalg.norm(steps, axis=1, keepdims=True))
        along.append(t / np.linalg.norm(t, axis=1, keepdims=True))
    axis, cosine = np.cross(*along), np.einsum("ni,ni->n", *along)
    size = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(size, cosine) / np.where(size > 0.0, size, 1.0)
    turns = Rotation.from_rotvec(axis * angle[:, None]) * whole
    return np.asarray(there[nodes] + turns[nodes].apply(x - here[nodes]))
