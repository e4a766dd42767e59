"""Asked against measured, for every part of every body of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pliant as pl
from pliant.take.measure import crossings, fit_ring, rest_time

from .scenes import RandomScene, Released


@dataclass(frozen=True)
class Result:
    """What one part of a body did. wish: "None", "0" or "bounces"; ratios are measured over asked.

    rest: of the distance without bounces, of the fitted envelope with them. period: nan without.
    final: rest by the distance to the last rest shape; said: `take.rest_time()` of the body.
    """

    wish: str
    part: int
    rest: float
    period: float
    said: float
    moving_target: float


def results(scene: RandomScene, take: pl.Take) -> list[Result]:
    """The results of a run."""
    found = []
    for one in scene.released:
        track = take[one.body]
        for part in range(track.components.max() + 1):
            found.append(_result(one, track, part))
    return found


def _result(one: Released, track: pl.take.Track, part: int) -> Result:
    here = track.components == part
    m = track.masses[here]
    hinged = one.hold == "hinged"
    final = None if hinged else track.rest
    asked, times = one.wish.rest_in, track.times - track.times[0]

    def curves(rest: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        u = track.displacements(rest)[:, here]
        d = np.sqrt(np.einsum("p,fpd,fpd->f", m, u, u) / m.sum())
        a = np.einsum("p,fpd,pd->f", m, u, u[0]) / np.einsum("p,pd,pd->", m, u[0], u[0])
        return d, a

    d, a = curves(final)
    moving, _ = curves(None)
    largest = d.max()

    def last(d: np.ndarray) -> float:
        return rest_time(times, np.concatenate([[d.max()], d[1:]]), one.wish.within) / asked

    if not one.wish.bounces:
        said = track.rest_time() / asked
        return Result(str(one.wish.bounces), part, last(d), np.nan, said, last(moving))
    period = asked / one.wish.bounces
    rate = -np.log(one.wish.within) / asked
    near = times <= asked * (1.0 + 1e-9)
    ring = fit_ring(times[near], a[near], period=period, rate=rate)
    share = one.wish.within * largest / d[0]
    turns = crossings(times, a)
    turns = turns[turns <= asked * 1.02]
    seen = 2.0 * float(np.diff(turns).mean()) if len(turns) > 1 else np.nan
    said = track.ring().rest_time(one.wish.within) / asked
    return Result("bounces", part, ring.rest_time(share) / asked, seen / period, said, last(moving))
