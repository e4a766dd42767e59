"""Which points of the cells a vertex group holds."""

import numpy as np
from places import mean, scatter
from scipy.spatial import cKDTree


def pinned_points(mesh, surface, vertices, *, spacing):
    """Mask of the points of the mesh under the pinned part of a surface.

    A point on the surface is held where the weight (1 at pinned vertices, 0 at others) is a half or
    more; and of each pinned vertex the nearest point, because a lone vertex may have none under it.
    """
    weight = np.zeros(len(surface.points))
    weight[vertices] = 1.0
    corners, weights = scatter(surface, spacing)
    distance, near = cKDTree(mean(surface.points, corners, weights)).query(mesh.points)
    held = mean(weight, corners, weights)[near] >= 0.5 - 1e-9
    mask = held & (distance <= spacing)
    mask[cKDTree(mesh.points).query(surface.points[vertices])[1]] = True
    return mask
