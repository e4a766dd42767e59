"""On which side of a line or plane a point is, without rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Rounding of a determinant of differences, over the same sum of sizes; [shewchuk1997] has 7 (3 in the
#: plane) for his order of operations.
ROUNDING = 16.0 * 2.0**-53
#: Where products may lose digits because they are small.
SMALLEST = 1e-290


def orientations(corners: np.ndarray) -> np.ndarray:
    """Twice the areas of triangles, six times the volumes of tetrahedra, with their signs, (m,).

    corners (m, d + 1, d), d = 2 or 3. Signs are exact: a number is zero only where corners lie on one
    line or plane. What floating-point numbers cannot decide is computed with whole numbers.
    Source: [shewchuk1997].
    """
    edges = corners[:, 1:] - corners[:, :1]
    out = _determinant(edges, -1)
    sizes = _determinant(np.abs(edges), 1)
    unsure = np.flatnonzero(~(np.abs(out) > ROUNDING * sizes + SMALLEST))
    if len(unsure):
        out[unsure] = _exact(corners[unsure])
    return out


def _determinant(e: np.ndarray, minus: int) -> np.ndarray:
    """The determinants of matrices; with minus = 1 all products are added."""
    if e.shape[1] == 2:
        out: np.ndarray = e[:, 0, 0] * e[:, 1, 1] + minus * (e[:, 0, 1] * e[:, 1, 0])
        return out
    out = np.zeros(len(e), dtype=e.dtype)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        minor = e[:, 1, j] * e[:, 2, k] + minus * (e[:, 1, k] * e[:, 2, j])
        out = out + e[:, 0, i] * minor
    return out


def _exact(corners: np.ndarray) -> np.ndarray:
    """The same with whole numbers: every coordinate is one, times a power of two."""
    share, power = np.frexp(corners)
    some = share != 0.0
    least = int(power[some].min()) if some.any() else 0
    whole: Any = (share * 2.0**53).astype(np.int64).astype(object)
    whole = whole << np.where(some, power - least, 0).astype(object)
    unit = corners.shape[2] * (least - 53)
    return np.array([_number(d, unit) for d in _determinant(whole[:, 1:] - whole[:, :1], -1)])


def _number(whole: int, power: int) -> float:
    """whole 2^power, never rounded to zero."""
    size = abs(whole)
    value = size / (1 << -power) if power < 0 else float(size << power)
    return float(np.sign(whole)) * max(value, 5e-324) if whole else 0.0
