"""Which points springs join: the edges of a mesh, its cells with diagonals, or given pairs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from pliant.given import array_of
from pliant.mesh import Mesh


def braced(mesh: Mesh) -> np.ndarray:
    """All pairs of points that share a cell, each once: edges and diagonals, (springs, 2)."""
    if not isinstance(mesh, Mesh):
        raise TypeError(f"braced: got {type(mesh).__name__}; expected pl.Mesh")
    found = [
        nodes[:, list(pair)]
        for nodes in mesh.cells.values()
        for pair in combinations(range(nodes.shape[1]), 2)
    ]
    return np.unique(np.sort(np.concatenate(found), axis=1), axis=0).astype(np.int64)


def accept_pairs(mesh: Mesh, given: Any) -> np.ndarray:
    """The given pairs, checked, or the edges of the mesh."""
    if given is None:
        return np.array(mesh.edges, dtype=np.int64)
    try:
        pairs = np.asarray(given)
    except ValueError:  # rows of different lengths
        pairs = np.zeros(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu" or not len(pairs):
        raise ValueError(
            f"Springs: got pairs of shape {pairs.shape} and type {pairs.dtype}; expected point "
            "numbers of shape (springs, 2)"
        )
    if pairs.min() < 0 or pairs.max() >= len(mesh):
        raise ValueError(
            f"Springs: got pairs from {pairs.min()} to {pairs.max()}; the mesh has points 0 to "
            f"{len(mesh) - 1}"
        )
    if (pairs[:, 0] == pairs[:, 1]).any():
        bad = int(np.flatnonzero(pairs[:, 0] == pairs[:, 1])[0])
        raise ValueError(f"Springs: pair {bad} joins point {pairs[bad, 0]} with itself")
    _, first, times = np.unique(
        np.sort(pairs, axis=1), axis=0, return_index=True, return_counts=True
    )
    if (times > 1).any():
        bad = int(first[times > 1].min())
        raise ValueError(
            f"Springs: got the pair {pairs[bad].tolist()} twice; expected each once, with the sum of "
            "their stiffnesses"
        )
    return pairs.astype(np.int64)


def chosen(which: Any, count: int) -> np.ndarray:
    """The numbers of springs that a mask or a list names."""
    try:
        given = np.atleast_1d(array_of(which))
    except ValueError:
        given = np.full(1, np.nan)  # refused below
    expected = f"a mask of shape ({count},) over `pairs`, or numbers from 0 to {count - 1}"
    if given.dtype == bool and given.shape == (count,):
        given = np.flatnonzero(given)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
        raise ValueError(f"cut: got {given.dtype} of shape {given.shape}; expected {expected}")
    if not given.size:
        raise ValueError(f"cut: got no spring; expected {expected}")
    if given.min() < 0 or given.max() >= count:
        raise ValueError(f"cut: got numbers {given.min()} to {given.max()}; expected {expected}")
    return np.unique(given).astype(np.int64)
