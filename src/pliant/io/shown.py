"""What pages and films show of a body: its surface, how far it is from rest, and its wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.errors import renamed
from pliant.problem import STILL
from pliant.take import LazyFrames, Measure, Take, Track, measure as measuring

from .facets import Facets


@dataclass(frozen=True)
class Shown:
    """One body, frame by frame; without a rest shape `ghosts` and `distance` are None.

    What has flowed is coloured by its plastic strain; else, without a rest shape, `shares` is None too.

    Positions, shares and ghosts of a frame are computed when they are asked for.
    """

    name: str
    facets: Facets
    #: Sharp edges, (c, 2), from some frames on: the sides of a cut are none before it.
    outlines: tuple[tuple[int, np.ndarray], ...]
    positions: LazyFrames  # (frames, m, 3) [m]
    shares: LazyFrames | None  # (frames, m): distance to rest, 1 is the farthest; or plastic strain
    ghosts: LazyFrames | None  # (1 or frames, m, 3): the rest shape, laid on a body that is free
    distance: np.ndarray | None  # (frames,), root mean square [m], of the part that rests last
    asked: dict[str, Any]  # rest_in [s], bounces, within; empty if there was no wish, or no rest
    largest: float  # of these distances, since the clock started [m]
    since: float  # when the clock started, after the first frame [s]
    measured: float | None  # when it rested, after that [s]; inf: not within the take
    size: float  # [m]
    plane: bool
    words: str  # what was asked and what came of it, in one sentence

    @classmethod
    def of(cls, track: Track) -> Shown:
        """Look at a track."""
        skin, count = track.skin, len(track.skin.surface.points)
        frames, facets = track.position_frames, Facets.of(skin.surface)
        shares = ghosts = distance = measured = None
        words = ""
        asked: dict[str, Any] = {}
        since = largest = 0.0
        if track.rests is not None and len(track.times) > 1:
            found = rested(track)
            distance, shares = found.distance, _shares(track, found.farthest)
            ghosts, largest = _ghosts(track), found.largest
            if "rest_in" in track.asked:
                measured, asked = found.time, {} if found.changing else track.asked
                since = track.since - float(track.times[0])
                words = found.words
        shares = _plastic(track) or shares
        return cls(
            track.name,
            facets,
            _outlines(track, facets),
            LazyFrames((len(frames), count, 3), lambda frame: skin.positions(frames[frame])),
            shares,
            ghosts,
            distance,
            asked,
            largest,
            since,
            measured,
            track.size,
            track.mesh.dim == 2,
            words,
        )


@dataclass(frozen=True)
class Rested:
    """How a track with a wish came to rest, as every page, film and command tells it.

    time: when, after the clock started [s]; inf: not within the take; None: it cannot be told.
    distance: of the part that rests last, (frames,) [m]; largest: of these, and farthest: of any point,
    since the clock started [m]. changing: pins or loads change until the end. words: all of it in one
    sentence.
    """

    time: float | None
    distance: np.ndarray
    largest: float
    farthest: float
    changing: bool
    words: str


def rested(track: Track, measure: Measure = "rms") -> Rested:
    """When a track came to rest: see `Track.rest_time`."""
    rows, far = [], []
    for u in track.displacement_frames():
        far.append(float(np.sqrt(np.einsum("pd,pd->p", u, u).max())))
        rows.append(measuring.distances(u, track.masses, track.labels, measure))
    d, still = np.stack(rows), STILL * track.size
    begin, changing = track.begin, track.changing
    within = track.asked.get("within", 0.01)
    times = measuring.rest_times_of(track, d, within)
    last = int(np.argmax(times)) if d.shape[1] > 1 else 0
    farthest = max(max(far[begin:]), still)
    known = not changing and d[begin:].max() > still
    time = float(times[last]) if known else None
    if track.asked.get("bounces") and _too_short(track):
        time = None  # an envelope needs the whole decay
    words = _words(track, time, changing, d.shape[1], measure) if "rest_in" in track.asked else ""
    return Rested(time, d[:, last], float(d[begin:, last].max()), farthest, changing, words)


def _outlines(track: Track, facets: Facets) -> tuple[tuple[int, np.ndarray], ...]:
    """The sharp edges that are drawn from some frames on: a seam where a cut will be is none."""
    found, skin = [], track.skin
    for own in track.topologies:
        creases = facets.creases
        if own.later is not None and len(creases):
            # Points of both sides of a cut have the same parents, and so the same number.
            number = np.random.default_rng(0).random((len(own.mesh), 2))
            place = skin.positions(own.sewn(number))[:, :2].round(9)
            label = np.unique(place, axis=0, return_inverse=True)[1].reshape(-1)
            ends = np.sort(label[creases], axis=1)
            _, which, times = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
            creases = creases[times[which.reshape(-1)] == 1]
        found.append((own.first, creases))
    return tuple(found)


def _shares(track: Track, farthest: float) -> LazyFrames:
    """The shares of the largest distance that colour the skin."""
    skin = track.skin

    def share(frame: int) -> np.ndarray:
        away = np.clip(np.linalg.norm(track.displacement(frame), axis=1) / farthest, 0.0, 1.0)
        return np.asarray(np.einsum("mc,mc->m", skin.weights, away[skin.nodes]))

    return LazyFrames((len(track.times), len(skin.surface.points)), share)


def _plastic(track: Track) -> LazyFrames | None:
    """The shares of the largest plastic strain that colour the skin of what has flowed."""
    if not track.flowed:
        return None
    skin = track.skin

    def share(frame: int) -> np.ndarray:
        of_points = track.plastic_shares(frame)
        return np.asarray(np.einsum("mc,mc->m", skin.weights, of_points[skin.nodes]))

    return LazyFrames((len(track.times), len(skin.surface.points)), share)


def _words(track: Track, time: float | None, changing: bool, parts: int, measure: Measure) -> str:
    """The wish of a body, and when it rested or why that is not known, in one sentence."""
    asked = track.asked
    bounces, since = asked.get("bounces"), track.since - float(track.times[0])
    wish = f"asked to rest in {_wish(asked)}\u00a0s"
    if bounces is not None:
        wish += f" with {bounces or 'no'} {'hop' if track.lands else 'bounce'}" + "s" * (
            bounces > 1
        )
    if asked.get("hops", bounces) != bounces:
        wish += f", of which there was time for {asked['hops'] or 'none'}"
    if changing:
        return f"{wish}; its pins or loads change until the end, so no time is promised"
    if not asked.get("promised", True):
        return f"{wish}; it touched a body without Settle, so no time is promised"
    if since > 0.0:
        what = "first touch" if track.lands else "last change"
        wish += f" after its {what} at {since:.3g}\u00a0s"
    if time is None:
        return f"{wish}; {'the take ends before that' if _too_short(track) else 'it began at rest'}"
    if not np.isfinite(time):
        return f"{wish}; not at rest when the take ends"
    rings = bounces and not track.lands and not asked.get("beats")
    how = ["by its envelope"] if rings else []
    how += ["by its farthest point"] if measure == "farthest" else []
    how += [f"the last of {parts} parts"] if parts > 1 else []
    if asked.get("painted") and not track.lands:  # which rests as a whole, with its last place
        return f"{wish}; {_of_places(track)}"
    told = f"{100.0 * time / asked['rest_in']:.1f}\u00a0%"
    return f"{wish}, measured {time:.3f}\u00a0s ({', '.join([told, *how])})"


def _wish(asked: dict[str, Any]) -> str:
    """When it was to rest; the first and the last of its places."""
    each = asked.get("painted") or [asked["rest_in"]]
    first, last = f"{min(each):.3g}", f"{max(each):.3g}"
    return first if first == last else f"{first} to {last}"


def _of_places(track: Track) -> str:
    """How the places of a body with a wish for each point kept their times."""
    kept = np.array([place.rested / place.asked for place in track.places()])
    if not len(kept):
        return "its places hardly deform"
    late = int(np.isinf(kept).sum())
    if late:
        return f"{late} of {len(kept)} places are not at rest when the take ends"
    share = f"{100.0 * kept.min():.0f} to {100.0 * kept.max():.0f}\u00a0%"
    return f"{len(kept)} places of it, each by its own deformation, at {share} of their times"


def _too_short(track: Track) -> bool:
    return bool(track.times[-1] - track.since < track.asked["rest_in"] * (1.0 - 1e-9))


def up_axis(take: Take) -> int:
    """The axis that gravity pulls along, downwards; y if there is none."""
    pull = np.asarray(take.about.get("gravity", ()), dtype=float)
    return 2 if len(pull) == 3 and -pull[2] > np.abs(pull[:2]).max() else 1


def _ghosts(track: Track) -> LazyFrames:
    """The rest shape of every frame, moved rigidly to the body; one frame if all are the same."""
    skin, ghost, count = track.skin, track.rest_beside, len(track.times)
    first, near = ghost(0), 1e-6 * track.size
    same = all(np.abs(ghost(k) - first).max() <= near for k in range(count))
    shape = (1 if same else count, len(skin.surface.points), 3)
    return LazyFrames(shape, lambda frame: skin.positions(ghost(frame)))


def when_at_rest(track: Track, distance: np.ndarray) -> float | None:
    """The old name of `rested(track).time`."""
    renamed("io.when_at_rest(track, distance)", "io.rested(track).time")
    return rested(track).time


def outcome(track: Track, measured: float | None) -> str:
    """The old name of `rested(track).words`."""
    renamed("io.outcome(track, measured)", "io.rested(track).words")
    return rested(track).words
