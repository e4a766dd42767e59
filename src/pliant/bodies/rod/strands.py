"""The centreline of rods, and the strands between its ends and joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import described, shown
from pliant.given import flag, floats_or_nan
from pliant.mesh import Mesh, MeshError

#: The nodes of a strand in order, and whether the last is joined to the first.
Strand = tuple[np.ndarray, bool]


def centreline(given: Any, closed: bool) -> tuple[np.ndarray, list[Strand]]:
    """Points (n, 3) [m] and the strands: their points in order, and whether they close."""
    closed = flag("Rod", "closed", closed)
    if isinstance(given, Mesh):
        if set(given.cells) != {"line2"} or given.dim != 3:
            raise ValueError(
                f"Rod: got {shown(given)}; expected lines in 3D, as in pl.Mesh(points, "
                '{"line": pairs}), or the points of a curve in order, (n, 3)'
            )
        return np.array(given.points), _strands(np.asarray(given.cells["line2"]), len(given))
    points = floats_or_nan(given)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise ValueError(
            f"Rod: got the curve {described(given)}; expected finite points in order, (n, 3) [m]"
        )
    if len(points) < (3 if closed else 2):
        raise ValueError(f"Rod: got {len(points)} points; expected 2, or 3 of a closed curve")
    if len(points) > 3 and np.array_equal(points[0], points[-1]):
        raise MeshError(
            "Rod: the curve ends at the point where it begins; expected closed=True and that point "
            "once, as in pl.Rod(curve[:-1], closed=True, ...)",
            {"points": np.array([0, len(points) - 1])},
        )
    return points, [(np.arange(len(points)), closed)]


def elements_of(strands: list[Strand]) -> np.ndarray:
    """The two nodes of each element, one strand after the other, (elements, 2)."""
    ends = [(w, np.roll(w, -1)) if c else (w[:-1], w[1:]) for w, c in strands]
    return np.concatenate([np.stack(pair, axis=1) for pair in ends])


def chained(elements: np.ndarray) -> list[Strand]:
    """The strands of elements, each of which follows the one before it or begins another."""
    starts = np.flatnonzero(np.r_[True, elements[1:, 0] != elements[:-1, 1]])
    found: list[Strand] = []
    for run in np.split(elements, starts[1:]):
        closed = bool(run[0, 0] == run[-1, 1])
        found.append((run[:, 0] if closed else np.append(run[:, 0], run[-1, 1]), closed))
    return found


def joints(strands: list[Strand], count: int) -> np.ndarray:
    """The nodes where more than two lines meet."""
    lines = np.zeros(count, dtype=int)
    for nodes, closed in strands:
        np.add.at(lines, nodes, 2)
        if not closed:
            np.add.at(lines, nodes[[0, -1]], -1)
    return np.flatnonzero(lines > 2)


def _strands(pairs: np.ndarray, count: int) -> list[Strand]:
    """Walk along lines from one end or joint to the next."""
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs.tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    gone: set[tuple[int, int]] = set()
    found = []
    stops = [i for i, near in enumerate(neighbours) if len(near) != 2]
    for start in stops + list(range(count)):  # what is left after those closes on itself
        for first in neighbours[start]:
            walk, here = [start], first
            while (walk[-1], here) not in gone:
                gone |= {(walk[-1], here), (here, walk[-1])}
                walk.append(here)
                near = neighbours[here]
                if len(near) != 2:
                    break
                here = near[0] if near[1] == walk[-2] else near[1]
            if len(walk) > 1:
                closed = walk[-1] == start and len(neighbours[start]) == 2
                found.append((np.array(walk[:-1] if closed else walk), closed))
    return found
