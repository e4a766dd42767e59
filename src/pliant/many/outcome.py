"""What came of a variant: a line of JSON beside its take."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from pliant.io import atomic_write, rested
from pliant.take import Take, Track


class VariantState(str, Enum):
    """What became of a run: whole, failed at a step, or stopped, so that it can go on."""

    done = "done"
    failed = "failed"
    stopped = "stopped"


@dataclass(frozen=True)
class Outcome:
    """What came of one variant.

    how: "run", "resumed" or "kept". measured: by column, see `measured_of`. seconds: of this run.
    trouble: why it failed or stopped, and what it warned of.
    """

    name: str
    state: VariantState
    how: str = "run"
    frames: int = 0
    measured: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    host: str = ""
    trouble: str = ""

    def save(self, path: Path) -> None:
        """Write it beside its take."""
        with atomic_write(path) as draft:
            draft.write_text(json.dumps(asdict(self)), encoding="utf-8")


def read_outcome(path: Path) -> Outcome | None:
    """The outcome in a file; None if there is none, or none that can be read: it is made again."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return Outcome(**said | {"state": VariantState(said["state"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def measured_of(take: Take) -> dict[str, Any]:
    """What a row of `results.csv` tells of a take; of several bodies each with its name before it.

    asked_rest_in, rest [s]; asked_bounces, bounces; largest_motion [m] of any point from the start;
    iterations of Newton's method.
    """
    one = len(take.tracks) == 1
    return {
        name if one else f"{track.name}.{name}": value
        for track in take.tracks
        for name, value in _of_track(track).items()
    }


def _of_track(track: Track) -> dict[str, Any]:
    start = np.array(track.position_frames[0])
    moved = max(float(np.linalg.norm(x - start, axis=1).max()) for x in track.position_frames)
    wished = "rest_in" in track.asked and track.rests is not None and len(track.times) > 1
    return {
        "asked_rest_in": track.asked.get("rest_in"),
        "rest": rested(track).time if wished else None,
        "asked_bounces": track.asked.get("bounces"),
        "bounces": _bounces(track) if wished else None,
        "largest_motion": moved,
        "iterations": int(track.solver["iterations"].sum()),
    }


def _bounces(track: Track) -> float | None:
    """Bounces in the asked time, by the period of the oscillation; of what lands its hops."""
    if not track.asked.get("bounces"):
        return None
    if track.lands:
        return float(track.asked.get("hops", np.nan))
    try:
        return float(track.asked["rest_in"] / track.ring().period)
    except ValueError:  # it does not move, or the take is too short
        return None
