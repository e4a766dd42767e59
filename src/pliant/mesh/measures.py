"""Lengths, areas and volumes of cells from their corners."""

from __future__ import annotations

import numpy as np

from .arrays import Floats, Indices
from .kinds import KINDS

# Neighbours of each corner, right-handed, so that every corner of a unit cell has determinant 1.
CORNER_FRAMES = {
    "quad": np.array([(1, 3), (2, 0), (3, 1), (0, 2)]),
    "hex": np.array(
        [(1, 3, 4), (2, 0, 5), (3, 1, 6), (0, 2, 7), (7, 5, 0), (4, 6, 1), (5, 7, 2), (6, 4, 3)]
    ),
}


def oriented(kind: str, dim: int) -> bool:
    """Tell whether cells of this kind have a sign: they fill the space they live in."""
    return KINDS[kind].dim == dim and KINDS[kind].dim > 1


def corners(points: Floats, kind: str, cells: Indices) -> Floats:
    """Gather corner positions [m], shape (cells, corners, dim)."""
    return points[cells[:, : KINDS[kind].corners]]


def parallelogram(a: Floats, b: Floats) -> Floats:
    """Area spanned by two vectors [m^2]: signed in the plane, positive in space."""
    if a.shape[-1] == 2:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.asarray(np.linalg.norm(np.cross(a, b), axis=-1))


def triple(a: Floats, b: Floats, c: Floats) -> Floats:
    """Signed volume spanned by three vectors [m^3]: a . (b x c)."""
    return np.asarray(np.einsum("...i,...i->...", a, np.cross(b, c)))


def measure(points: Floats, kind: str, cells: Indices) -> Floats:
    """Length [m], area [m^2] or volume [m^3] of each cell, negative where it is inverted.

    A hexahedron has bilinear faces; its volume by the divergence theorem is exact when every face
    counts as the mean of its two triangulations. Quadratic kinds are measured by their corners.
    Cells of lower dimension than their space (cloth, rods) have no sign.
    """
    first, shape = points[cells[:, 0]], KINDS[kind].shape
    # Far from the origin, differences first keep the digits.
    x = [points[nodes] - first for nodes in cells.T[: KINDS[kind].corners]]
    if shape == "line":
        return np.asarray(np.linalg.norm(x[1], axis=-1))
    if shape == "tri":
        return parallelogram(x[1], x[2]) / 2
    if shape == "quad":
        return parallelogram(x[2], x[3] - x[1]) / 2
    if shape == "tet":
        return triple(x[1], x[2], x[3]) / 6
    faces = np.stack(x, axis=1)[:, np.array(KINDS["hex8"].facets)]  # (cells, 6, 4 corners, 3)
    a, b, c = faces, np.roll(faces, -1, axis=2), np.roll(faces, -2, axis=2)
    return np.asarray(triple(a, b, c).sum(axis=(1, 2)) / 12)


def corner_frames(points: Floats, kind: str, cells: Indices) -> Floats:
    """Edge vectors that leave each corner of a quad or hex [m], (cells, corners, d, dim)."""
    x = corners(points, kind, cells)
    return x[:, CORNER_FRAMES[KINDS[kind].shape]] - x[:, :, None, :]


def corner_determinants(frames: Floats) -> Floats:
    """Determinant at each corner of a quad or hex, (cells, corners); negative where it folds."""
    if frames.shape[2] == 2:
        return parallelogram(frames[:, :, 0], frames[:, :, 1])
    return triple(frames[:, :, 0], frames[:, :, 1], frames[:, :, 2])


def edge_lengths(points: Floats, kind: str, cells: Indices) -> Floats:
    """Lengths of the edges between corners of each cell [m], (cells, edges)."""
    return np.stack([_distance(points, cells[:, a], cells[:, b]) for a, b in KINDS[kind].edges], 1)


def longest_edges(points: Floats, kind: str, cells: Indices) -> Floats:
    """Length of the longest edge of each cell [m], (cells,)."""
    longest = np.zeros(len(cells))
    for a, b in KINDS[kind].edges:
        np.maximum(longest, _distance(points, cells[:, a], cells[:, b]), out=longest)
    return longest


def _distance(points: Floats, a: Indices, b: Indices) -> Floats:
    apart = points[b] - points[a]
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", apart, apart)))
