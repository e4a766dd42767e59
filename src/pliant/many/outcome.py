"""What came of a variant: a line of JSON beside its take, and a row of `results.csv`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import shown
from pliant.io import atomic_write, rested
from pliant.take import Take, Track

from .variants import Variant


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


def write_results(path: Path, rows: Sequence[tuple[Variant, Outcome | None]]) -> None:
    """Write `results.csv`: a line for each variant, with its fields and what came of it."""
    fields = list(dict.fromkeys(f for variant, _ in rows for f in variant.values))
    columns = list(dict.fromkeys(c for _, o in rows if o is not None for c in o.measured))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["variant", *fields, "state", *columns, "seconds", "trouble"])
    for variant, outcome in rows:
        found = outcome or Outcome(variant.name, VariantState.stopped)
        told = [variant.name, *(_cell(variant.values.get(f)) for f in fields)]
        told += ["" if outcome is None else found.state.value]
        told += [_cell(found.measured.get(c)) for c in columns]
        table.writerow([*told, "" if outcome is None else f"{found.seconds:.3f}", found.trouble])
    with atomic_write(path) as draft:
        draft.write_text(text.getvalue(), encoding="utf-8")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, default=shown)
