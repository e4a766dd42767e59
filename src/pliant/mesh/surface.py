"""A surface of polygons, as it is drawn: with texture coordinates and normals, if it has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Surface:
    """Polygons between points [m].

    The corners of all faces stand one after the other in `corners`, as point indices; `sizes` says
    how many each face has. Texture coordinates and normals belong to corners, not to points: a seam
    gives one point several.
    """

    points: NDArray[np.float64]  # (m, 3)
    sizes: NDArray[np.int64]  # (faces,)
    corners: NDArray[np.int64]  # (k,), k = sum(sizes)
    uv: NDArray[np.float64] | None = None  # (k, 2)
    normals: NDArray[np.float64] | None = None  # (k, 3)

    @property
    def triangles(self) -> NDArray[np.int64]:
        """The faces as fans of triangles, (t, 3): places in `corners`, so that uv come along."""
        starts = np.cumsum(self.sizes) - self.sizes
        fans = np.repeat(np.arange(len(self.sizes)), self.sizes - 2)
        first = np.cumsum(self.sizes - 2) - (self.sizes - 2)
        step = np.arange(len(fans)) - first[fans]
        return np.stack([starts[fans], starts[fans] + step + 1, starts[fans] + step + 2], axis=1)
