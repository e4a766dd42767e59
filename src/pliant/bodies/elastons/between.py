"""What lies between samples of a curve, a surface or a volume: simplices that hold no other sample."""

from __future__ import annotations

from collections import deque

import numpy as np
from scipy.spatial import Delaunay, QhullError, cKDTree

#: A place belongs to the body if no ball of this radius, in spacings, fits there between samples.
HOLE = 1.5
#: Neighbours whose directions count lie within so many spacings.
NEAR_SPACINGS = 2.0
#: On lattices many choices are equally good; seen sheared like this, one is best everywhere.
SHEAR = np.array([[1.0, 0.031, 0.017], [0.0, 1.0, 0.023], [0.0, 0.0, 1.0]])
#: Across this much of the direction of a curve, a cosine, neighbours are of another turn of it.
ACROSS = 0.5
#: Triangles that make a sharper fold than this, a cosine, lie upon each other.
SHARPEST = 0.5

Array = np.ndarray


def between(points: Array, dimension: int, spacing: Array) -> Array:
    """Lines, triangles or tetrahedra (c, dimension + 1) between samples (n, 3) [m], spacing (n,) [m]."""
    cells = {1: _lines, 2: _triangles, 3: _tetrahedra}[dimension](points, spacing)
    return cells[np.lexsort(np.sort(cells, axis=1).T[::-1])]


def tangents(points: Array, spacing: Array) -> tuple[Array, Array]:
    """Spread (n, 3) [m^2] and axes (n, 3, 3; rows) of the samples around each, the widest first."""
    pairs = cKDTree(points).query_pairs(NEAR_SPACINGS * spacing.max(), output_type="ndarray")
    far = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    moments, mean, count = (
        np.zeros((len(points), 3, 3)),
        np.zeros(points.shape),
        np.ones(len(points)),
    )
    for a, b in (pairs.T, pairs.T[::-1]):
        near = far < NEAR_SPACINGS * spacing[a]
        off = (points[b] - points[a])[near]
        np.add.at(mean, a[near], off)
        np.add.at(count, a[near], 1.0)
        np.add.at(moments, a[near], off[:, :, None] * off[:, None, :])
    mean /= count[:, None]
    moments = moments / count[:, None, None] - mean[:, :, None] * mean[:, None, :]
    values, vectors = np.linalg.eigh(moments)
    return np.maximum(values[:, ::-1], 0.0), vectors.transpose(0, 2, 1)[:, ::-1]


def _fit(points: Array, cells: Array, spacing: Array) -> Array:
    """Mask of the simplices whose circumscribed ball is no hole."""
    edges = points[cells[:, 1:]] - points[cells[:, :1]]
    gram = edges @ edges.transpose(0, 2, 1)
    size = np.einsum("cii->c", gram)
    good = (
        np.linalg.det(gram / size[:, None, None]) > 1e-16
    )  # else it is flat: of no size, and no matter
    centre = np.zeros(edges.shape[:2])
    square = 0.5 * np.einsum("cii->ci", gram[good])
    centre[good] = np.linalg.solve(gram[good], square[..., None])[..., 0]
    radius = np.linalg.norm(np.einsum("ca,cai->ci", centre, edges), axis=1)
    out: Array = good & (radius < HOLE * spacing[cells].max(axis=1))
    return out


def _lines(points: Array, spacing: Array) -> Array:
    """Pairs that no third sample is nearer to than they are to each other, along the curve."""
    tree = cKDTree(points)
    pairs = tree.query_pairs(2.0 * HOLE * spacing.max(), output_type="ndarray")
    pairs = pairs[_fit(points, pairs, spacing)]
    axes = tangents(points, spacing)[1]
    kept = []
    for i, j in pairs:
        off = points[j] - points[i]
        far = np.linalg.norm(off)
        if max(abs(axes[i, 0] @ off), abs(axes[j, 0] @ off)) < ACROSS * far:
            continue
        here, there = (set(tree.query_ball_point(points[a], 0.999999 * far)) for a in (i, j))
        if not here & there - {i, j}:
            kept.append((i, j))
    return np.array(kept, dtype=int).reshape(-1, 2)


def _tetrahedra(points: Array, spacing: Array) -> Array:
    try:
        cells: Array = Delaunay((points - points.mean(axis=0)) @ SHEAR.T).simplices.astype(int)
    except QhullError:
        return np.zeros((0, 4), dtype=int)
    cells = cells[_fit(points, cells, spacing)]
    edges = points[cells[:, 1:]] - points[cells[:, :1]]
    left = np.linalg.det(edges) < 0.0
    cells[left] = cells[left][:, [0, 2, 1, 3]]
    return cells


def _triangles(points: Array, spacing: Array) -> Array:
    """Triangles that most of their corners agree on, each seeing its neighbours in its tangents."""
    sheared = (points - points.mean(axis=0)) @ SHEAR.T
    axes, tree = tangents(sheared, spacing)[1], cKDTree(points)
    votes: dict[tuple[int, ...], int] = {}
    for i, near in enumerate(tree.query_ball_point(points, 2.0 * HOLE * spacing)):
        if len(near) < 3:
            continue
        off = sheared[near] - sheared[i]
        flat = off @ axes[i, :2].T
        # As far as they are: around a fold they would else lie upon each other.
        across = np.maximum(np.linalg.norm(flat, axis=1), 1e-12 * spacing[i])
        flat *= (np.linalg.norm(off, axis=1) / across)[:, None]
        try:
            star = np.array(near)[Delaunay(flat).simplices]
        except QhullError:
            continue
        for triangle in np.sort(star[(star == i).any(axis=1)], axis=1):
            votes[tuple(triangle)] = votes.get(tuple(triangle), 0) + 1
    cells = np.array([t for t, count in votes.items() if count > 0], dtype=int).reshape(-1, 3)
    count = np.array([votes[tuple(t)] for t in cells])
    fit = _fit(points, cells, spacing)
    cells, count = cells[fit], count[fit]
    return _oriented(cells[_apart(points, cells, count)])


def _apart(points: Array, cells: Array, votes: Array) -> list[int]:
    """Triangles that do not fold back at their common edges, those with most votes first."""
    beyond: dict[tuple[int, int], list[Array]] = {}
    kept = []
    for c in np.argsort(-votes, kind="stable"):
        sides = []
        for a, b, far in ((0, 1, 2), (1, 2, 0), (0, 2, 1)):
            i, j = cells[c, a], cells[c, b]
            edge, off = points[j] - points[i], points[cells[c, far]] - points[i]
            off = off - (off @ edge) / (edge @ edge) * edge
            sides.append(((int(i), int(j)), off / np.linalg.norm(off)))
        taken = [beyond.get(edge, []) for edge, _ in sides]
        if all(
            not t or (len(t) == 1 and t[0] @ o < SHARPEST)
            for t, (_, o) in zip(taken, sides, strict=True)
        ):
            kept.append(int(c))
            for edge, off in sides:
                beyond.setdefault(edge, []).append(off)
    return kept


def _oriented(cells: Array) -> Array:
    """The triangles turned so that neighbours go along their common edge in opposite directions."""
    at: dict[tuple[int, int], list[int]] = {}
    for c, (i, j, k) in enumerate(cells):
        for a, b in ((i, j), (j, k), (k, i)):
            at.setdefault((min(a, b), max(a, b)), []).append(c)
    out: Array = cells.copy()
    done = np.zeros(len(cells), dtype=bool)
    for start in range(len(cells)):
        queue = deque([] if done[start] else [start])
        done[start] = True
        while queue:
            c = queue.popleft()
            i, j, k = out[c]
            for a, b in ((i, j), (j, k), (k, i)):
                for other in at[(min(a, b), max(a, b))]:
                    if not done[other]:
                        done[other] = True
                        p, q, r = out[other]
                        if (a, b) in ((p, q), (q, r), (r, p)):
                            out[other] = (p, r, q)
                        queue.append(other)
    return out
