"""Asked against measured, for every part of every body of a scene."""

from __future__ import annotations

import logging
import time
import warnings
from dataclasses import dataclass

import numpy as np

import pliant as pl
from pliant.take import Track, measure

from .limits import outside, swings
from .scenes import RandomScene, Released, random_scene

#: How far measured over asked may be from 1, by what is measured.
BARS = {"None": 0.01, "0": 0.01, "period": 0.03, "envelope": 0.06}


@dataclass(frozen=True)
class Result:
    """One number of one part of a body: kind is one of `BARS`, ratio is measured over asked."""

    kind: str
    ratio: float
    body: int
    part: int

    @property
    def miss(self) -> float:
        """How far from 1; a part that never rests, or does not bounce, misses by infinity."""
        return abs(self.ratio - 1.0) if np.isfinite(self.ratio) else np.inf

    @property
    def passes(self) -> bool:
        """Whether it is as near as was promised."""
        return self.miss <= BARS[self.kind]


@dataclass(frozen=True)
class Tried:
    """What came of a scene. outside: why each body is outside of the limits, or empty.

    refused: the words with which the scene was refused before anything moved; failed: those of a run
    that broke off.
    """

    seed: tuple[int, int]
    said: str
    outside: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()
    refused: str = ""
    failed: str = ""
    seconds: float = 0.0

    @property
    def inside(self) -> list[Result]:
        """The results that the promises are for."""
        return [r for r in self.results if not self.outside[r.body]]


def tried(seed: tuple[int, int]) -> Tried:
    """Make a scene, run it and measure."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)  # what goes wrong is in the results
    try:
        return _tried(seed)
    finally:
        logging.disable(before)


def _tried(seed: tuple[int, int]) -> Tried:
    began, said, why = time.perf_counter(), f"{seed[0]}:{seed[1]}", ()
    refused = failed = ""
    found: tuple[Result, ...] = ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            scene = random_scene(*seed)
            said = str(scene)
            why = tuple(outside(scene, one) for one in scene.released)
            take = scene.run()
            found = tuple(results(scene, take))
            pairs = zip(why, scene.released, strict=True)
            why = tuple(said or swings(one, take[one.body]) for said, one in pairs)
        except (ValueError, pl.SolverError) as error:
            began_to_move = len(getattr(error, "take", None) or ()) > 1
            failed, refused = (str(error), "") if began_to_move else ("", str(error))
    return Tried(seed, said, why, found, refused, failed, time.perf_counter() - began)


def results(scene: RandomScene, take: pl.Take) -> list[Result]:
    """The results of a run."""
    found = []
    for number, one in enumerate(scene.released):
        track = take[one.body]
        distances = track.distances()
        for part in range(distances.shape[1]):
            found += _results(one, track, distances[:, part], number, part)
    return found


def _results(
    one: Released, track: Track, distance: np.ndarray, number: int, part: int
) -> list[Result]:
    wish = one.wish
    rest = measure.rest_times_of(track, distance[:, None], wish.within)[0] / wish.rest_in
    if not wish.bounces:
        return [Result(str(wish.bounces), float(rest), number, part)]
    period = wish.rest_in / wish.bounces
    ring = measure.ring_of(track.times, distance, period, until=wish.rest_in, within=wish.within)
    return [
        Result("envelope", float(rest), number, part),
        Result("period", ring.period / period, number, part),
    ]
