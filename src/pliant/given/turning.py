"""Turns that users give as angles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def rotation(degrees: Sequence[float], dim: int) -> np.ndarray:
    """The matrix that turns about x, then y, then z; in 2D by the one angle given."""
    if len(degrees) != (1 if dim == 2 else 3):
        expected = "one angle" if dim == 2 else "three, about x, y and z"
        raise ValueError(f"got {list(degrees)} [degrees]; the body is {dim}D: expected {expected}")
    angles = np.radians(degrees)
    if dim == 2:
        c, s = np.cos(angles[0]), np.sin(angles[0])
        return np.array([[c, -s], [s, c]])
    whole = np.eye(3)
    for axis, angle in enumerate(angles):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3)
        step[i, i] = step[j, j] = np.cos(angle)
        step[j, i] = np.sin(angle)
        step[i, j] = -step[j, i]
        whole = step @ whole
    return whole
