"""The folder that recordings and saved scenes go to."""

from __future__ import annotations

import os
import threading
from pathlib import Path


class Shelf:
    """Hands out names in one folder, each of them once."""

    def __init__(self, folder: Path):
        self._folder, self._given = folder, set[Path]()
        self._lock = threading.Lock()

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
