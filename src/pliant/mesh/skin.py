"""What a body shows: its own boundary, or a finer surface that its cells carry along."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .around import maps_around
from .arrays import Floats, Indices
from .errors import MeshError
from .kinds import KINDS
from .surface import Surface

if TYPE_CHECKING:
    from .mesh import Mesh


@dataclass(frozen=True)
class Skin:
    """A surface each of whose points is a weighted mean of points of a mesh."""

    surface: Surface
    nodes: Indices  # (m, c): points of the mesh
    weights: Floats  # (m, c), rows sum to one

    @classmethod
    def bare(cls, mesh: Mesh) -> Skin:
        """The mesh's own boundary; a plane mesh shows its cells, in the plane z = 0.

        A line is shown as a triangle that has closed, which pictures draw by its edge
        (`Surface.lines`).
        """
        cells = mesh.boundary if mesh.cell_dim == 3 else mesh.cells
        faces = [
            nodes[:, : KINDS[kind].corners] for kind, nodes in cells.items() if KINDS[kind].dim == 2
        ]
        if not faces:
            faces = [nodes[:, [0, 1, 1]] for nodes in mesh.cells.values()]
        sizes = np.concatenate([np.full(len(f), f.shape[1]) for f in faces])
        seen, corners = np.unique(np.concatenate([f.ravel() for f in faces]), return_inverse=True)
        surface = Surface(in_space(mesh.points[seen]), sizes, corners.ravel())
        return cls(surface, seen[:, None], np.ones((len(seen), 1)))

    @classmethod
    def on(cls, mesh: Mesh, surface: Surface) -> Skin:
        """A surface that lies over the rest shape of a mesh, tied to the cells its points are in.

        Affine motions of the mesh move it exactly. Points outside continue the motion of the cells
        near them; a surface that lies elsewhere altogether is refused. On a plane mesh it must be in the
        plane z = 0.
        """
        from .embedding import compare_sizes, embed  # scipy, which a bare skin does not need

        points = surface.points
        if mesh.dim == 2:
            height = float(np.abs(points[:, 2]).max())
            if height > 1e-9 * max(float(np.abs(points).max()), 1e-300):
                raise MeshError(
                    f"the surface reaches z = {height:.3g} m and the mesh is 2D; expected a surface in "
                    "the plane z = 0"
                )
            points = points[:, :2]
        compare_sizes(mesh, points)
        return cls(surface, *embed(mesh, points))

    def positions(self, x: Floats) -> Floats:
        """Where the surface is when the points of the mesh are at x (..., n, d): (..., m, 3)."""
        # Column by column: all at once would hold c times as much as what comes out.
        place = self.weights[:, :1] * x[..., self.nodes[:, 0], :]
        for nodes, weights in zip(self.nodes.T[1:], self.weights.T[1:], strict=True):
            place += weights[:, None] * x[..., nodes, :]
        return in_space(place)

    def normals(self, x: Floats, rest: Floats) -> Floats | None:
        """Unit normals of the corners at x (..., n, d): (..., k, 3); None if the surface has none.

        They turn with F^-T, F being the affine map that fits the nodes of a point's cell best from
        `rest`, the points of the mesh (n, d), to x. Where nodes are too few to tell it, the triangles of
        the surface do.
        """
        given = self.surface.normals
        if given is None:
            return None
        if self.nodes.shape[1] > rest.shape[1]:
            turn = self._maps(x, rest)
        else:
            turn = maps_around(self.surface, self.positions(rest), self.positions(x))
        turned = np.einsum(
            "...kij,kj->...ki", _inverse_transposed(turn)[..., self.surface.corners, :, :], given
        )
        length = np.linalg.norm(turned, axis=-1, keepdims=True)
        return np.asarray(turned / np.where(length > 0, length, 1.0))

    def over(self, x: Floats, rest: Floats) -> Skin:
        """The same skin of a mesh with points at x (n, d); rest: where they were."""
        normals = self.normals(x, rest)
        surface = replace(self.surface, points=self.positions(x), normals=normals)
        return Skin(surface, self.nodes, self.weights)

    def _maps(self, x: Floats, rest: Floats) -> Floats:
        """The affine map of the cell that each point is in, (..., m, 3, 3)."""
        d = rest.shape[1]
        cell = rest[self.nodes]
        cell = cell - cell.mean(axis=1, keepdims=True)
        moments = np.einsum("mci,mcj->mij", cell, cell)
        slopes = np.einsum("mci,mij->mcj", cell, np.linalg.inv(moments))  # sum to zero over c
        turn = np.zeros((*x.shape[:-2], len(self.nodes), 3, 3))
        for c, nodes in enumerate(self.nodes.T):
            turn[..., :d, :d] += x[..., nodes, :, None] * slopes[:, c, None, :]
        if d == 2:
            turn[..., 2, 2] = 1.0  # out of the plane nothing happens
        return turn


def dress(mesh: Mesh, worn: Surface | Skin) -> Skin:
    """A skin for this mesh: the one given, checked, or one made from a surface."""
    if isinstance(worn, Surface):
        return Skin.on(mesh, worn)
    if not isinstance(worn, Skin):
        raise TypeError(
            f"wear: got {type(worn).__name__}; expected a surface, as in "
            'body.wear(pl.Surface.read("body.obj")), or None'
        )
    shape = (len(worn.surface.points), worn.nodes.shape[-1])
    if worn.nodes.shape != shape or worn.weights.shape != shape:
        raise MeshError(
            f"wear: got nodes {worn.nodes.shape} and weights {worn.weights.shape}; expected one row "
            f"per point of the surface, {shape}"
        )
    if worn.nodes.min() < 0 or worn.nodes.max() >= len(mesh):
        raise MeshError(
            f"wear: the skin follows point {worn.nodes.max()}, the mesh has {len(mesh)}; expected a "
            "skin of this mesh, as in Skin.on(body.mesh, surface)"
        )
    return worn


def _inverse_transposed(f: Floats) -> Floats:
    """F^-T up to a positive factor: the cofactors, which flat cells have too."""
    a, b, c = f[..., 0, :], f[..., 1, :], f[..., 2, :]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-2)
    determinant = np.einsum("...i,...i->...", a, cofactors[..., 0, :])
    return np.where(determinant < 0, -1.0, 1.0)[..., None, None] * cofactors


def in_space(x: Floats) -> Floats:
    """Plane points in the plane z = 0."""
    if x.shape[-1] == 3:
        return x
    return np.concatenate([x, np.zeros((*x.shape[:-1], 1))], axis=-1)
