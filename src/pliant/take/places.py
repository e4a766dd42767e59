"""How the places of a body with a wish for each point came to rest, each by its own deformation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from pliant.problem import STILL

from . import measure as measuring

if TYPE_CHECKING:
    from .track import Track

#: Ranges of wishes into which points are put; a place is the connected points of one.
RANGES = 8
#: A place of fewer points has hardly a deformation of its own.
FEWEST = 4
#: A place that deforms by less than this share of what the others do has nothing to tell: a strip of a
#: sheet that is one cell wide does not bend.
HARDLY = 0.05


@dataclass(frozen=True)
class Place:
    """Connected points with about the same wish.

    points: their numbers. asked: the mean of their wishes [s]; rested: when the place was at rest, its
    rigid motion removed; with bounces its envelope [s]. inf: not within the take.
    """

    points: np.ndarray
    asked: float
    rested: float


def places_of(track: Track, ranges: int = RANGES) -> list[Place]:
    """The places of a track with a wish for each point, the first to rest first; of others none."""
    if not track.asked.get("painted") or track.rests is None:
        return []
    wishes = np.log(_wishes(track))
    span = max(float(np.ptp(wishes)), 1e-9)
    level = np.minimum((ranges * (wishes - wishes.min()) / span).astype(int), ranges - 1)
    mass, found = _masses(track), []
    for points in _connected(track, level):
        if len(points) >= FEWEST:
            asked = float(np.exp(np.average(wishes[points], weights=mass[points])))
            found.append((_departures(track, points, mass[points]), points, asked))
    most = max((d.max() for d, *_ in found), default=0.0)
    least = max(HARDLY * most, STILL)
    places = [
        Place(points, asked, _rested(track, d, asked))
        for d, points, asked in found
        if d.max() > least
    ]
    return sorted(places, key=lambda place: place.asked)


def _wishes(track: Track) -> np.ndarray:
    """The wish of each point [s]; a take on disk tells those of the mesh that it began with."""
    wishes, first = np.array(track.asked["painted"]), track.topologies[0]
    return first.sewn(wishes) if len(wishes) == len(first.mesh) else wishes


def _masses(track: Track) -> np.ndarray:
    """Masses that count: those of pins, which may be none or endless, count as the mean."""
    sound = np.isfinite(track.masses) & (track.masses > 0.0)
    mean = float(track.masses[sound].mean()) if sound.any() else 1.0
    return np.where(sound, track.masses, mean)


def _connected(track: Track, level: np.ndarray) -> list[np.ndarray]:
    """The points of each place: connected by cells, and of one level."""
    n, near = len(level), []
    for cells in track.mesh.cells.values():
        for i, j in combinations(range(cells.shape[1]), 2):
            pairs = cells[:, [i, j]]
            near.append(pairs[level[pairs[:, 0]] == level[pairs[:, 1]]])
    a, b = np.concatenate(near).T
    graph = sp.coo_matrix((np.ones(len(a), dtype=bool), (a, b)), (n, n))
    label = connected_components(graph, directed=False)[1]
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def _departures(track: Track, points: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """How far a place is from its rest shape in every frame since the clock started, over its size."""
    assert track.rests is not None
    size = float(np.linalg.norm(np.ptp(track.rests[track.begin][points], axis=0)))
    frames = range(track.begin, len(track.times))
    return np.array(
        [
            _own(track.position_frames[k][points], track.rests[k][points], mass) / size
            for k in frames
        ]
    )


def _rested(track: Track, d: np.ndarray, asked: float) -> float:
    """When a place was at rest [s], by its departures."""
    bounces = None if track.lands else track.asked.get("bounces")
    within, times = track.asked.get("within", 0.01), track.times[track.begin :]
    rested = measuring.when_at_rest(times, d, within=within, rest_in=asked, bounces=bounces)
    return float(rested + times[0] - track.since)


def _own(x: np.ndarray, rest: np.ndarray, mass: np.ndarray) -> float:
    """The root mean square distance to a shape that is laid on it as well as it can be [m]."""
    whole = mass.sum()
    x, rest = (y - mass @ y / whole for y in (x, rest))
    U, s, V = np.linalg.svd((mass[:, None] * rest).T @ x)
    s[-1] *= np.sign(np.linalg.det(U @ V))
    square = mass @ ((x * x).sum(1) + (rest * rest).sum(1)) - 2.0 * s.sum()
    return float(np.sqrt(max(square, 0.0) / whole))
