"""What a cut makes of a mesh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from .arrays import Flags, Floats, Indices
from .topology import row_labels

if TYPE_CHECKING:
    from .mesh import Mesh

#: A point is of a set of points if those of the set have more than this share of its weights.
MOSTLY = 0.9
#: Smaller weights say which way a point was drawn, not what it lies between.
SLIGHT = 0.07


@dataclass(frozen=True, eq=False)
class MeshChange:
    """A mesh after its cells were cut or parted, and where its points and cells come from.

    mesh: the new rest shape. points: (new points, old points), each new point as a weighted mean of
    old ones. cells: the number of the old cell that each new one is a piece of, (new cells,), where
    cells of all kinds are counted in the order of `mesh.cells`.
    """

    mesh: Mesh
    points: csr_array
    cells: Indices

    def carried(self, values: Floats) -> Floats:
        """Values at the old points, such as positions (n, d), at the new points."""
        return np.asarray(self.points @ values)

    def members(self, mask: Flags) -> Flags:
        """Which new points are of a set of old ones: copies of them, and what lies between them."""
        return members(self.points, mask)

    def facets(self, old: Indices) -> Indices:
        """The facets of the new mesh that lie on some of the old one, (m, k): of sheets their cells."""
        k = old.shape[1]
        faces = self.mesh.boundary if self.mesh.cell_dim == self.mesh.dim else self.mesh.cells
        found = next((f for f in faces.values() if f.shape[1] == k), old[:0])
        rows = np.repeat(np.arange(len(found)), k)
        corners = csr_array(
            (np.ones(found.size), (rows, found.ravel())), (len(found), len(self.mesh))
        )
        # What a blade took away has smaller weights.
        heavy = csr_array((self.points > SLIGHT).astype(float))
        parents = csr_array(corners @ heavy)
        parents.sort_indices()
        whole = np.flatnonzero(np.diff(parents.indptr) == k)
        own = parents.indices[parents.indptr[whole][:, None] + np.arange(k)]
        both = row_labels(np.concatenate([np.sort(old, axis=1), own.astype(np.int64)]))
        return np.asarray(found[whole[np.isin(both[len(old) :], both[: len(old)])]])

    def shared_out(self, values: Floats, masses: Floats) -> Floats:
        """Forces or weights on old points (n,) or (n, d), on their copies by mass, and on no others."""
        heavy = self.points.data > MOSTLY
        rows = np.repeat(np.arange(self.points.shape[0]), np.diff(self.points.indptr))[heavy]
        old = self.points.indices[heavy]
        total = np.bincount(old, masses[rows], self.points.shape[1])
        out = np.zeros((self.points.shape[0], *values.shape[1:]))
        share = (masses[rows] / total[old]).reshape(-1, *[1] * (values.ndim - 1))
        out[rows] = share * values[old]
        return out

    def then(self, later: MeshChange) -> MeshChange:
        """This change and a later one as one."""
        points = csr_array(later.points @ self.points)
        return MeshChange(later.mesh, points, self.cells[later.cells])


def members(points: csr_array, mask: Flags) -> Flags:
    """Which new points, as means of old ones, are of a set of these."""
    return np.asarray(points @ mask.astype(float) > MOSTLY)


def mesh_after(mesh: Mesh, points: csr_array, cells: Mapping[str, Indices]) -> Mesh:
    """A mesh of new points and cells with the groups of an old one.

    Copies of a point may be at the same place.
    """
    groups = {}
    for name, own in mesh.groups.items():
        mask = np.zeros(len(mesh), dtype=bool)
        mask[own] = True
        groups[name] = np.flatnonzero(members(points, mask))
    return mesh.with_parts(np.asarray(points @ mesh.points), cells, groups)
