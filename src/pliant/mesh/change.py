"""What a cut makes of a mesh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from .arrays import Floats, Indices

if TYPE_CHECKING:
    from .mesh import Mesh


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

    def then(self, later: MeshChange) -> MeshChange:
        """This change and a later one as one."""
        points = csr_array(later.points @ self.points)
        return MeshChange(later.mesh, points, self.cells[later.cells])
