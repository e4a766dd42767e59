"""What pages and films show of a body: its surface, how far it is from rest, and its wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.take import LazyFrames, Take, Track, measure

from .facets import Facets


@dataclass(frozen=True)
class Shown:
    """One body, frame by frame; without a rest shape `shares`, `ghosts` and `distance` are None.

    Positions, shares and ghosts of a frame are computed when they are asked for.
    """

    name: str
    facets: Facets
    positions: LazyFrames  # (frames, m, 3) [m]
    shares: LazyFrames | None  # (frames, m): distance to rest, 1 is the farthest at the start
    ghosts: LazyFrames | None  # (1 or frames, m, 3): the rest shape, laid on a body that is free
    distance: np.ndarray | None  # (frames,), root mean square [m]
    asked: dict[str, Any]  # rest_in [s], bounces, within; empty if there was no wish, or no rest
    measured: float | None  # when it rested [s]; inf: not within the take
    size: float  # [m]
    plane: bool
    words: str  # what was asked and what came of it, in one sentence

    @classmethod
    def of(cls, track: Track) -> Shown:
        """Look at a track."""
        skin, count = track.skin, len(track.skin.surface.points)
        frames = track.position_frames
        shares = ghosts = distance = measured = None
        words = ""
        asked: dict[str, Any] = {}
        if track.rests is not None and len(track.times) > 1:
            distance, shares = _distances(track)
            ghosts = _ghosts(track)
            if "rest_in" in track.asked:
                measured = when_at_rest(track, distance)
                asked = {} if driven(track) else track.asked
                words = outcome(track, measured)
        return cls(
            track.name,
            Facets.of(skin.surface),
            LazyFrames((len(frames), count, 3), lambda frame: skin.positions(frames[frame])),
            shares,
            ghosts,
            distance,
            asked,
            measured,
            track.size,
            track.mesh.dim == 2,
            words,
        )


def _distances(track: Track) -> tuple[np.ndarray, LazyFrames]:
    """The distance to rest of every frame [m], and the shares of it that colour the skin."""
    skin, squares, most = track.skin, [], []
    for moved in track.displacement_frames():
        away = np.linalg.norm(moved, axis=1)
        squares.append((away**2) @ track.masses)
        most.append(away.max())
    still = 1e-9 * track.size
    farthest = most[0] if most[0] > still else max(*most, still)

    def share(frame: int) -> np.ndarray:
        away = np.clip(np.linalg.norm(track.displacement(frame), axis=1) / farthest, 0.0, 1.0)
        out: np.ndarray = np.einsum("mc,mc->m", skin.weights, away[skin.nodes])
        return out

    shape = (len(most), len(skin.surface.points))
    return np.sqrt(np.array(squares) / track.masses.sum()), LazyFrames(shape, share)


def outcome(track: Track, measured: float | None) -> str:
    """The wish of a body, and when it rested [s] or why that is not known, in one sentence."""
    asked = track.asked
    bounces = asked.get("bounces")
    wish = f"asked to rest in {asked['rest_in']:.3g}\u00a0s"
    if bounces is not None:
        wish += f" with {bounces or 'no'} bounce" + "s" * (bounces > 1)
    if measured is None:
        return f"{wish}; {_unmeasured(track)}"
    if not np.isfinite(measured):
        return f"{wish}; not at rest when the take ends"
    of = measured / asked["rest_in"]
    return f"{wish}, measured {measured:.3f}\u00a0s ({100.0 * of:.1f}\u00a0%)"


def driven(track: Track) -> bool:
    """Whether pins move: the rest shape then moves with them, and no time to rest is promised."""
    if not track.pinned.any():
        return False
    first = track.position_frames[0][track.pinned]
    return not all(np.allclose(x[track.pinned], first) for x in track.position_frames)


def up_axis(take: Take) -> int:
    """The axis that gravity pulls along, downwards; y if there is none."""
    pull = np.asarray(take.about.get("gravity", ()), dtype=float)
    return 2 if len(pull) == 3 and -pull[2] > np.abs(pull[:2]).max() else 1


def _ghosts(track: Track) -> LazyFrames:
    """The rest shape of every frame, moved rigidly to the body; one frame if all are the same."""
    rests, skin, frames = track.rests, track.skin, track.position_frames
    assert rests is not None

    def ghost(frame: int) -> np.ndarray:
        return track.align(rests[frame], frames[frame])

    first, near = ghost(0), 1e-6 * track.size
    same = all(np.abs(ghost(k) - first).max() <= near for k in range(len(frames)))
    shape = (1 if same else len(frames), len(skin.surface.points), 3)
    return LazyFrames(shape, lambda frame: skin.positions(ghost(frame)))


def _unmeasured(track: Track) -> str:
    """Why `when_at_rest` does not tell."""
    if driven(track):
        return "its pins are driven, so no time is promised"
    if track.times[-1] - track.times[0] < track.asked["rest_in"] * (1.0 - 1e-9):
        return "the take ends before that"
    return "it began at rest"


def when_at_rest(track: Track, distance: np.ndarray) -> float | None:
    """When it rested: by the distance, or with bounces by the envelope, as `Settle` promises."""
    times, within = track.times - track.times[0], track.asked.get("within", 0.01)
    if driven(track) or distance[0] <= 1e-9 * track.size:
        return None  # its rest shape moves, or it started at rest
    if not track.asked.get("bounces"):
        return measure.rest_time(times, distance, within)
    if times[-1] < track.asked["rest_in"] * (1.0 - 1e-9):
        return None  # an envelope needs the whole decay
    ring = track.ring()
    return ring.rest_time(within) if ring.rate > 0.0 else float("inf")
