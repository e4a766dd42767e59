"""The folder that recordings and saved scenes go to."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from pliant.take import Take


class Shelf:
    """Hands out names in one folder, each of them once, and writes takes there."""

    def __init__(self, folder: Path):
        self._folder, self._given = folder, set[Path]()
        self._lock = threading.Lock()
        self._writers: list[threading.Thread] = []

    def keep(self, take: Take, suffix: str, say: Callable[[str], None]) -> None:
        """Write a take, in a thread of its own, and say where; the simulation must not wait."""
        path = self.free("take-", suffix)

        def write() -> None:
            try:
                take.save(path)
            except Exception as error:
                say(f"{path.name} was not saved: {error}")
                return
            say(f"saved {take.times[-1] - take.times[0]:.1f} s as {path}")

        writer = threading.Thread(target=write, daemon=True)
        self._writers.append(writer)
        writer.start()

    def close(self) -> None:
        """Wait until all is written."""
        for writer in self._writers:
            writer.join()

    def free(self, stem: str, suffix: str) -> Path:
        """The first of stem1, stem2, ... that is nothing yet, not even a link to elsewhere."""
        number = 1
        with self._lock:
            while True:
                path = self._folder / f"{stem}{number}{suffix}"
                if path not in self._given and not os.path.lexists(path):
                    self._given.add(path)
                    return path
                number += 1
