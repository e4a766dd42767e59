"""Points of a surface doubled along its sharp edges, so that light does not round them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pliant.mesh import Surface

#: Faces that meet at a smaller angle than this [degrees] are shaded as one smooth surface.
STAGE_CREASE = 40.0


def creased(surface: Surface) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For drawing: the point of each drawn vertex, (k,), and triangles of drawn vertices, (t, 3)."""
    triangles = surface.corners[surface.triangles]
    p = surface.points[triangles]
    normals = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    smooth = np.cos(np.radians(STAGE_CREASE))
    points: list[int] = []
    directions: list[NDArray[np.float64]] = []
    drawn: dict[int, list[int]] = {}  # the vertices that stand for a point, one per smooth fan
    out = np.empty_like(triangles)
    for t, corners in enumerate(triangles):
        for c, point in enumerate(corners):
            fans = drawn.setdefault(int(point), [])
            for vertex in fans:
                if directions[vertex] @ normals[t] >= smooth:
                    break
            else:
                vertex = len(points)
                points.append(int(point))
                directions.append(normals[t])
                fans.append(vertex)
            out[t, c] = vertex
    return np.array(points, dtype=np.int64), out
