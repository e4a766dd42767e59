"""Makes sums over elastons what integrals are: constant stress is held by the boundary alone."""

from __future__ import annotations

import numpy as np

from ..least_change import least_change
from .moving_least_squares import polynomials
from .pieces import Pieces

#: What gradients at the corners of a facet with so many add to its integral: with it the rule holds
#: for polynomials of the second degree, as the trapezoid's with end corrections does.
CORRECTION = {1: 0.0, 2: 1 / 6, 3: 1 / 8, 4: 1 / 12}
#: Axes along the body that differ by less are those of a plane, or of a straight line.
FLAT_SHARE = 1e-9
#: The facets of a hexahedron, seen from outside counter-clockwise.
HEX_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def balanced(
    first: np.ndarray,
    near: tuple[np.ndarray, np.ndarray],
    axes: np.ndarray,
    pieces: Pieces,
    points: np.ndarray,
    cells: np.ndarray,
    *,
    held: np.ndarray,
    heard: np.ndarray,
) -> np.ndarray:
    """First derivatives (e, sampled, k, 4) that obey Gauss's theorem, from those of the map.

        sum_e V_e grad N(X_e) = integral of N n over the boundary,   for the N of every node

    Else a body under constant stress would push its own inside about. The change is the least one
    that leaves polynomials of the second degree exact, listens to the gradients that were heard
    (e, k), and asks nothing of nodes that are held (n,). Source: [chen2013], where test functions
    alone are changed, which an energy does not allow.
    """
    indices, mine = near
    t = pieces.sampled
    along = axes[:, :t]
    offset = points[indices] - pieces.centre[:, None]
    # Gradients count as places do at this distance.
    unit = 2.0 * float(np.where(mine, np.linalg.norm(offset, axis=2), np.inf).min(axis=1).mean())
    scale = np.array([1.0, unit, unit, unit])
    first = first / scale
    root = np.sqrt(pieces.size)
    now = np.zeros((len(points), 4, 3))
    sums = np.einsum("e,etkd,eti->ekdi", pieces.size, first, along, optimize=True)
    np.add.at(now, indices, sums)
    wanted = boundary(points, cells, t).reshape(-1, 4, 3) / scale[:, None]
    left = np.where(held[:, None, None], 0.0, wanted - now)
    flat = along.transpose(0, 2, 1) @ along
    own, known = _conditions(offset / unit, axes, mine, heard, t)
    change = least_change(
        np.where(mine & ~held[indices], indices, -1),
        root,
        left,
        own=own,
        known=known,
        positions=points,
        along=None if np.ptp(flat, axis=0).max() < FLAT_SHARE else flat,
    )
    change = np.einsum("ekdi,eti->etkd", change, along, optimize=True)
    return np.asarray((first + change / root[:, None, None, None]) * scale)


def _conditions(
    y: np.ndarray, axes: np.ndarray, mine: np.ndarray, heard: np.ndarray, sampled: int
) -> tuple[np.ndarray, np.ndarray]:
    """What is used of the data at places y (e, k, 3), and what polynomials see of it, in space.

    Projectors (e, k, 4, 4), and orthonormal columns (e, k, 4, polynomials).
    """
    e, k = mine.shape
    used = np.repeat(mine[..., None], 4, axis=2)
    used[..., 1 : 1 + sampled] &= heard[..., None]
    turn = np.zeros((e, 1, 4, 4))  # gradients in space from those along the axes
    turn[..., 0, 0], turn[..., 1:, 1:] = 1.0, axes.transpose(0, 2, 1)[:, None]
    at = polynomials(np.einsum("eij,ekj->eki", axes, y), sampled) * used[..., None]
    known = np.linalg.qr(at.reshape(e, 4 * k, -1))[0].reshape(e, k, 4, -1)
    return (turn * used[:, :, None]) @ turn.transpose(0, 1, 3, 2), turn @ known


def boundary(points: np.ndarray, cells: np.ndarray, sampled: int) -> np.ndarray:
    """Integral of N n over the boundary of each cell, summed, for what nodes have: (4 n, 3).

    The facets that cells share cancel. For curves and surfaces n is tangential to them.
    """
    out = np.zeros((len(points), 4, 3))
    X = points[cells]
    for facet, area in _facets(X, sampled):
        corners = X[:, facet]
        inward = CORRECTION[len(facet)] * (corners.mean(axis=1, keepdims=True) - corners)
        for a, corner in enumerate(facet):
            np.add.at(out[:, 0], cells[:, corner], area / len(facet))
            np.add.at(out[:, 1:], cells[:, corner], inward[:, a, :, None] * area[:, None])
    return out.reshape(-1, 3)


def _facets(X: np.ndarray, sampled: int) -> list[tuple[list[int], np.ndarray]]:
    """Corners of each facet, and its outward normal times its area (c, 3)."""
    corners = X.shape[1]
    if sampled == 3 and corners == 8:
        return [
            (list(f), 0.5 * np.cross(X[:, f[2]] - X[:, f[0]], X[:, f[3]] - X[:, f[1]]))
            for f in HEX_FACES
        ]
    if sampled == 2 and corners == 4:
        across = np.cross(X[:, 2] - X[:, 0], X[:, 3] - X[:, 1])
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        sides = [[a, (a + 1) % 4] for a in range(4)]
        return [(s, np.cross(X[:, s[1]] - X[:, s[0]], across)) for s in sides]
    edges = X[:, 1:] - X[:, :1]
    gram = edges @ edges.transpose(0, 2, 1)
    whole = np.sqrt(np.linalg.det(gram))[:, None] / np.prod(np.arange(1, sampled + 1))
    slopes = np.linalg.solve(gram, edges)
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
    return [
        ([b for b in range(corners) if b != a], -sampled * whole * slopes[:, a])
        for a in range(corners)
    ]
