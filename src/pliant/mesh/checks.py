"""What makes a mesh unfit: each check returns the offending indices, by kind of cell."""

from __future__ import annotations

import numpy as np

from .arrays import Flags, Floats, Indices
from .kinds import KINDS
from .measures import corner_determinants, corner_frames, longest_edges, measure, oriented
from .topology import Cells, connected, row_labels

Found = dict[str, Indices]

# A cell is flat when measure <= FLAT_CELL * (longest edge)^d. Slivers that Delaunay leaves between
# cospherical points are near 1e-16; the worst cells anyone simulates are above 1e-6.
FLAT_CELL = 1e-10
# Points closer than SAME_PLACE * (size of the mesh) are one point written twice.
SAME_PLACE = 1e-12
EPS = float(np.finfo(np.float64).eps)


def _only_found(found: Found) -> Found:
    return {kind: indices for kind, indices in found.items() if len(indices)}


def twins(points: Floats, used: Flags) -> Indices:
    """For each point the first used point at its position; itself when there is no other."""
    from scipy.spatial import cKDTree

    members = np.flatnonzero(used)
    x = points[members]
    low = x.min(axis=0)
    # Coordinates far from the origin are themselves rounded to EPS times their size.
    tolerance = SAME_PLACE * float(np.linalg.norm(np.ptp(x, axis=0))) + 4 * EPS * float(
        np.abs(x).max()
    )
    result = np.arange(len(points))
    if tolerance == 0.0:
        result[members] = members[0]
        return result
    # Rounding to a grid first leaves few neighbours within the radius: ten thousand points in one
    # place would otherwise be fifty million pairs.
    labels = row_labels(np.round((x - low) / tolerance).astype(np.int64))
    first = np.unique(labels, return_index=True)[1]
    pairs = cKDTree(x[first]).query_pairs(tolerance, output_type="ndarray").astype(np.int64)
    place = connected(pairs[:, 0], pairs[:, 1], len(first))[labels]
    result[members] = members[np.unique(place, return_index=True)[1]][place]
    return result


def flat_limit(points: Floats, kind: str, nodes: Indices) -> Floats:
    """Largest measure that counts as zero for each cell, and at least its rounding error."""
    longest = longest_edges(points, kind, nodes)
    rounding = 16 * EPS * np.abs(points).max()
    dim = KINDS[kind].dim
    return np.asarray(FLAT_CELL * longest**dim + rounding * longest ** (dim - 1))


def degenerate(points: Floats, cells: Cells) -> Found:
    """Cells that name a point twice or have no length, area or volume."""
    found = {}
    for kind, nodes in cells.items():
        ordered = np.sort(nodes, axis=1)
        repeated = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        flat = np.abs(measure(points, kind, nodes)) <= flat_limit(points, kind, nodes)
        found[kind] = np.flatnonzero(repeated | flat)
    return _only_found(found)


def repeated(points: int, cells: Cells) -> Found:
    """Cells that have the points of an earlier one: they would weigh and resist twice."""
    # A random number per point makes the sum over a cell its fingerprint, whatever the order; that
    # two differing cells of a million share one has a chance of 1e-7.
    mark = np.random.default_rng(0).integers(2**63 - 1, size=points, dtype=np.uint64)
    found = {}
    for kind, nodes in cells.items():
        sums = mark[nodes].sum(axis=1)
        order = np.argsort(sums, kind="stable")
        found[kind] = np.sort(order[1:][sums[order[1:]] == sums[order[:-1]]])
    return _only_found(found)


def inverted(points: Floats, cells: Cells) -> Found:
    """Cells of negative area or volume; only those that fill their space have a sign."""
    return _only_found(
        {
            kind: np.flatnonzero(measure(points, kind, nodes) < 0)
            for kind, nodes in cells.items()
            if oriented(kind, points.shape[1])
        }
    )


def folded(points: Floats, cells: Cells) -> Found:
    """Quads and hexes of positive measure whose map is inverted at some corner."""
    found = {}
    for kind, nodes in cells.items():
        if KINDS[kind].shape in ("quad", "hex") and oriented(kind, points.shape[1]):
            worst = corner_determinants(corner_frames(points, kind, nodes)).min(axis=1)
            found[kind] = np.flatnonzero(worst < -flat_limit(points, kind, nodes))
    return _only_found(found)
