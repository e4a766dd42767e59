"""Options that several commands share."""

from __future__ import annotations

import json
import sys
import time
from enum import Enum

from pliant.progress import Show


class Progress(str, Enum):
    """How far a run is, for people, for programs, or for nobody."""

    bar = "bar"
    json = "json"
    none = "none"


def progress_of(choice: Progress) -> Show:
    """What `scene.run(progress=...)` wants."""
    if choice is Progress.bar:
        return None  # on a terminal
    return JsonLines() if choice is Progress.json else False


class JsonLines:
    """One line of JSON per step on standard output: frame, of, seconds_left."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    def __call__(self, done: int, total: int) -> None:
        """Print the line of a step."""
        passed = time.perf_counter() - self._began
        left = passed / done * (total - done)
        print(json.dumps({"frame": done, "of": total, "seconds_left": round(left, 2)}))
        sys.stdout.flush()
