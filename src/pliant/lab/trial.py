"""One run of a case with one damping, and what it tells of a body."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from pliant.control import Damping
from pliant.errors import SolverError
from pliant.problem import STILL
from pliant.take import Take, measure

from .candidates import WITHIN
from .case import Case
from .wish import Wish

#: A body this many times as far from rest as it began has blown up.
GROWN = 10.0


@dataclass(frozen=True)
class Run:
    """A take of a case with one damping, whole or up to where it failed."""

    take: Take | None
    seconds_per_step: float
    trouble: str


NOT_RUN = Run(None, nan, "")


@dataclass(frozen=True)
class Seen:
    """When a body rested in a run [s], and how: see `Finding`."""

    rest_time: float = nan
    bounces: float = nan
    trouble: str = ""
    times: np.ndarray | None = None
    amplitude: np.ndarray | None = None


def run(case: Case, dampings: dict[str, Damping], dt: float, level: int) -> Run:
    """Run the case; a failure is no error here, but what is found."""
    scene = case.make(level)
    for body in scene.bodies:
        body.drop_keys()  # or they would take the place of this one
        body.damping = dampings.get(body.name)
    steps = max(1, round(case.seconds / dt))
    start = time.process_time()
    try:
        with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
            warnings.simplefilter("ignore", RuntimeWarning)  # what goes wrong is in the finding
            take = scene.run(seconds=case.seconds, dt=dt, stepper=case.stepper, progress=False)
    except SolverError as error:
        return Run(error.take, nan, str(error))
    except ValueError as error:
        return Run(None, nan, str(error))
    return Run(take, (time.process_time() - start) / steps, "")


def seen(run: Run, body: str, wish: Wish, rest: np.ndarray, how: measure.Measure = "rms") -> Seen:
    """When a body rested, from when its pins and loads stay as they are, and its amplitude."""
    if run.take is None or len(run.take.times) < 2:
        return Seen(trouble=run.trouble)
    track = run.take[body]
    if not wish.swing:
        track = replace(track, asked={**track.asked, "swing": False})
    with np.errstate(over="ignore", invalid="ignore"):
        u = track.displacements(rest)
        d = np.sqrt(np.einsum("p,fpd,fpd->f", track.masses, u, u) / track.masses.sum())
    begin = 0 if np.isnan(wish.since) else int(np.searchsorted(track.times, wish.since - 1e-9))
    still = STILL * track.size
    begin = min(begin, len(d) - 1)
    start = d[begin] if d[begin] > still else np.nanmax(d)
    amplitude = _amplitude(u, track.masses, begin, start) if start > still else np.zeros(len(d))
    farthest = max(start, np.nanmax(d[: begin + 1]), 1e-3 * track.size)
    grown = ~(d <= GROWN * farthest)
    if grown.any():
        end = int(np.argmax(grown))
        told = f"blew up at {track.times[end]:.3g} s"
        return Seen(trouble=told, times=track.times[:end], amplitude=amplitude[:end])
    if run.trouble:
        return Seen(trouble=run.trouble, times=track.times, amplitude=amplitude)
    if np.isnan(wish.since):
        return Seen(times=track.times, amplitude=amplitude)
    parts = [measure.distances(one, track.masses, track.labels, how) for one in u]
    rested = float(measure.rest_times_of(track, np.stack(parts), WITHIN, begin=begin).max())
    crossed = measure.crossings(track.times[begin:], amplitude[begin:]) - track.times[begin]
    # A bounce is a period, which crosses rest twice.
    bounces = 0.5 * float((crossed < rested).sum())
    return Seen(rested, bounces, "", track.times, amplitude)


def _amplitude(u: np.ndarray, masses: np.ndarray, begin: int, start: float) -> np.ndarray:
    """The share of the shape at `begin`; of the farthest one, if the body was at rest then."""
    like = begin
    sizes = np.sqrt(np.einsum("p,fpd,fpd->f", masses, u, u) / masses.sum())
    if sizes[begin] < start:
        like = int(np.nanargmax(sizes))
    return measure.amplitude(np.concatenate([u[like : like + 1], u]), masses)[1:]
