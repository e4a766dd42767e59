"""How long the searches of a step may take, for programs that must keep up with a clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

#: A search that is cut short has made so many Newton steps at least: the first ones lead farthest.
FEWEST_ITERATIONS = 4


class _Deadline(threading.local):
    at: float | None = None  # [s], of `time.thread_time`


_deadline = _Deadline()


@contextmanager
def time_budget(seconds: float) -> Iterator[None]:
    """Cut searches of this thread short that still run after so many seconds of its processor time.

    What they have found by then counts as the answer: it is admissible, and lower than where they
    began, but no minimum. Results then depend on how fast the machine is. Only searches with
    `Newton.brief` are cut, those of time steps: rest shapes and equilibria are found as ever.
    """
    before, _deadline.at = _deadline.at, time.thread_time() + seconds
    try:
        yield
    finally:
        _deadline.at = before


def overdue() -> bool:
    """Whether the time budget of this thread, if it has one, is spent."""
    return _deadline.at is not None and time.thread_time() > _deadline.at
