"""Normals of a body's surface: those it was given, or those of its smooth sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pliant.mesh import Mesh, Skin

from .facets import Facets


class Shading:
    """Shares one normal among the corners of a point where they agree, so that frames stay small.

    A surface without normals gets some, sharp along its creases: some clients smooth every edge of
    what has none, others no edge.
    """

    def __init__(self, skin: Skin, mesh: Mesh):
        self._skin, self._rest, surface = skin, mesh.points, skin.surface
        self.index: NDArray[np.int64]  # (k,): the normal of each corner
        if surface.normals is not None:
            keys = np.column_stack([surface.corners, surface.normals])
            _, self._corner, index = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            self.index = index.reshape(-1)
        else:
            self._facets = Facets.of(surface)
            self.index = np.zeros(len(surface.corners), dtype=np.int64)
            self.index[surface.triangles] = self._facets.triangles

    def normals(self, x: np.ndarray) -> NDArray[np.float32]:
        """Unit normals where the points of the mesh are at x (n, d), (v, 3)."""
        own = self._skin.normals(x, self._rest)
        found = self._facets.normals(self._skin.positions(x)) if own is None else own[self._corner]
        found[~found.any(axis=1)] = [0.0, 0.0, 1.0]  # of faces without area; glTF refuses zeros
        return found.astype(np.float32)
