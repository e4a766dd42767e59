"""A ball that is pushed into a surface."""

from __future__ import annotations

import numpy as np

from pliant.compliance import Compliance

Array = np.ndarray


def ball_on(of: Compliance, centre: Array, radius: float) -> tuple[Array, Array, Array] | None:
    """The nodes that a ball reaches, how deep [m], (k,), and how that changes with its centre, (k, 3).

        depth = sqrt(radius^2 - s.s) - h,     centre - node = s + h N,     s.N = 0

    N: the outward normal of a node. The depth is measured along it, from the node to the far side of the
    ball. Only the side of the body that is nearest to the centre is reached. None: nothing is.
    """
    free = np.flatnonzero(~of.held)
    away = centre - of.nodes[free]
    normals = of.normals[free]
    h = np.einsum("ki,ki->k", away, normals)
    s = away - h[:, None] * normals
    room = radius**2 - np.einsum("ki,ki->k", s, s)
    near = np.linalg.norm(away, axis=1).argmin()
    below = np.sqrt(np.maximum(room, 0.0))
    reached = (room > 0.0) & (below > h) & (normals @ normals[near] > 0.0)
    if not reached.any():
        return None
    slope = -(s[reached] / below[reached][:, None] + normals[reached])
    return free[reached], (below - h)[reached], slope
