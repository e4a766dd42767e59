"""Which boxes overlap, by a spatial hash."""

from __future__ import annotations

import numpy as np

#: Large primes, one per axis: cells next to each other get numbers far apart.
PRIMES = np.array([73856093, 19349663, 83492791], dtype=np.int64)
#: Cells that one box may lie in, along one axis; larger boxes ask for larger cells.
MOST = 16


def overlapping(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers (i, j) of all boxes i of the first and j of the second that overlap or touch.

    Each is (low, high) [m], of shape (m, d). Space is cut into cells as large as a common box; every
    box is entered in all cells that it touches, under

        h = 73856093 i xor 19349663 j xor 83492791 k,

    and boxes that meet under one number are compared. Cells that share a number by chance cost time
    and nothing else. Pairs come sorted, each once. Source: [teschner2003].
    """
    boxes = [
        (np.asarray(low, dtype=float), np.asarray(high, dtype=float))
        for low, high in (first, second)
    ]
    empty = np.zeros(0, dtype=np.int64)
    if not len(boxes[0][0]) or not len(boxes[1][0]):
        return empty, empty
    cell = _cell_size(boxes)
    (key_a, owner_a), (key_b, owner_b) = (_entries(low, high, cell) for low, high in boxes)
    order = np.argsort(key_b, kind="stable")
    key_b, owner_b = key_b[order], owner_b[order]
    start = np.searchsorted(key_b, key_a, side="left")
    counts = np.searchsorted(key_b, key_a, side="right") - start
    i = np.repeat(owner_a, counts)
    j = owner_b[ranges(start, counts)]
    (low_a, high_a), (low_b, high_b) = boxes
    meet = ((low_a[i] <= high_b[j]) & (low_b[j] <= high_a[i])).all(axis=1)
    pairs = np.sort(i[meet] * len(low_b) + j[meet])
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]]  # met in several cells
    return pairs // len(low_b), pairs % len(low_b)


def _cell_size(boxes: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """About as large as the larger boxes are, and never so small that one fills too many cells."""
    extents = [np.max(high - low, axis=1) for low, high in boxes]
    common = max(float(np.mean(e)) for e in extents)
    widest = max(float(np.max(e)) for e in extents)
    farthest = max(float(np.abs(x).max()) for box in boxes for x in box)
    return max(common, widest / MOST, 1e-9 * farthest, 1e-300)


def _entries(low: np.ndarray, high: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """The hash of every cell that a box touches, and the number of that box."""
    d = low.shape[1]
    begin, end = (np.floor(x / cell).astype(np.int64) for x in (low, high))
    owner = np.arange(len(low))
    key = np.zeros(len(low), dtype=np.int64)
    for axis in range(d):
        counts = (end[:, axis] - begin[:, axis] + 1)[owner]
        place = ranges(begin[owner, axis], counts)
        with np.errstate(over="ignore"):
            key = np.repeat(key, counts) ^ (place * PRIMES[axis])
        owner = np.repeat(owner, counts)
    return key, owner


def ranges(start: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """start[0], start[0] + 1, ..., for each as many as counts say, one after the other."""
    total = int(counts.sum())
    before = np.repeat(np.cumsum(counts) - counts, counts)
    out: np.ndarray = np.arange(total) - before + np.repeat(start, counts)
    return out
