"""Which points of the cells a vertex group holds."""

import numpy as np
from places import mean, scatter

from pliant.mesh.embedding import embed

#: A point that carries less of a pinned place than this is left free.
SHARE = 0.05


def pinned_points(mesh, surface, vertices, *, spacing):
    """Mask of the points of the mesh that carry pinned vertices, and the faces between them.

    All points that carry one, not the nearest: only then does it stand still. Where cells are larger
    than faces this holds up to one cell more than was asked.
    """
    weight = np.zeros(len(surface.points))
    weight[vertices] = 1.0
    corners, weights = scatter(surface, spacing)
    held = mean(weight, corners, weights) > 1.0 - 1e-9
    nodes, shares = embed(mesh, mean(surface.points, corners[held], weights[held]))
    mask = np.zeros(len(mesh), dtype=bool)
    mask[nodes[np.abs(shares) > SHARE]] = True
    return mask
