"""Options that several commands share."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from pliant.take import Show

SceneName = Annotated[Path, typer.Argument(help="A scene file, e.g. beam.toml.")]
Seconds = Annotated[str | None, typer.Option(help="Length of the run in seconds.")]
Dt = Annotated[str | None, typer.Option(help="Time step in seconds, e.g. 1/240.")]
Device = Annotated[str | None, typer.Option(help="cpu or cuda.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a field, e.g. --set body.settle.rest_in=1.2"),
]


class RestMeasure(str, Enum):
    """The distance that a time to rest is measured by: see `pliant.take.measure`."""

    rms = "rms"
    farthest = "farthest"


MeasuredBy = Annotated[
    RestMeasure,
    typer.Option(
        help="At rest by the root mean square of the distances, by mass, or by the farthest point."
    ),
]


def changes(settings: list[str] | None, **given: str | None) -> list[str]:
    """The fields of a scene that the options of a command change: those of --set and of [run]."""
    of_run = [f"run.{k}={json.dumps(v)}" for k, v in given.items() if v is not None]
    return [*(settings or []), *of_run]


class Progress(str, Enum):
    """How progress is reported: a bar for people, lines for programs, or nothing."""

    bar = "bar"
    json = "json"
    none = "none"

    def tell(self, doing: str) -> None:
        """Say what is done now, where no steps are counted; only programs are told."""
        if self is Progress.json:
            say(doing=doing)

    def of_steps(self, per_frame: int = 1) -> Show:
        """The argument of `scene.run(progress=...)`; per_frame: steps in a frame."""
        if self is Progress.bar:
            return None  # on a terminal
        return json_lines(per_frame) if self is Progress.json else False


def say(**words: Any) -> None:
    """Print one line of JSON at once.

    {"doing": "filling 384 faces with tetrahedra"}: before and after the steps, when it begins.
    {"frame": 3, "of": 30, "step": 13, "steps": 120, "seconds_left": 4.2}: after each step; frame counts
    whole frames, all four those of this run.
    {"result": "beam: asked to ..."} for each body with a wish, {"written": "beam.pc2"} for each file.
    """
    print(json.dumps(words), flush=True)


def json_lines(per_frame: int) -> Callable[[int, int], None]:
    """A function that says after each step how far the run is."""
    began = time.perf_counter()

    def told(done: int, total: int) -> None:
        left = (time.perf_counter() - began) / done * (total - done)
        frames = {"frame": done // per_frame, "of": total // per_frame}
        say(**frames, step=done, steps=total, seconds_left=round(left, 2))

    return told
