"""Triangles of cloth in their plane: which combination of edges is a derivative along u or v."""

import numpy as np


def own_coordinates(x: np.ndarray) -> np.ndarray:
    """Flat coordinates of each triangle by itself, u along its first edge [m]: (s, 3, 2)."""
    a, b = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]
    length = np.linalg.norm(a, axis=1)
    along = np.einsum("si,si->s", a, b) / length
    across = np.linalg.norm(b - (along / length)[:, None] * a, axis=1)
    uv = np.zeros((len(x), 3, 2))
    uv[:, 1, 0], uv[:, 2, 0], uv[:, 2, 1] = length, along, across
    return uv


def derivatives(uv: np.ndarray) -> np.ndarray:
    """Coefficients d [1/m], (s, 2, 2), of triangles with corners uv (s, 3, 2) [m].

        w_u = d[:, 0, 0] e_1 + d[:, 0, 1] e_2,    w_v = d[:, 1, 0] e_1 + d[:, 1, 1] e_2

    e_1, e_2 being the edges from the first corner. Source: [baraff1998] (9).
    """
    return np.linalg.inv(uv[:, 1:] - uv[:, :1])
