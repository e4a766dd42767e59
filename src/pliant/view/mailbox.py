"""Wishes from other threads, for the one thread that owns the bodies."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Errand = Callable[[], None]


class Mailbox:
    """A queue of errands; of those with the same key only the newest is run.

    A slider that is dragged sends more values than there are steps: the last one counts.
    """

    def __init__(self) -> None:
        self._errands: deque[tuple[str | None, Errand]] = deque()
        self._news = threading.Condition()

    def post(self, errand: Errand, *, key: str | None = None) -> None:
        """Leave an errand, from any thread."""
        with self._news:
            if key is not None:
                kept = [e for e in self._errands if e[0] != key]
                self._errands = deque(kept)
            self._errands.append((key, errand))
            self._news.notify_all()

    def take(self) -> list[Errand]:
        """All errands, oldest first; the box is then empty."""
        with self._news:
            errands = [errand for _, errand in self._errands]
            self._errands.clear()
        return errands

    def wait(self, seconds: float) -> None:
        """Sleep until there is an errand, or so long [s]."""
        with self._news:
            if not self._errands:
                self._news.wait(seconds)
