"""Threads: one records launches at a time, while no other computes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager


class Computing(ContextDecorator):
    """`@computing` marks what launches kernels or makes their arrays; `with computing:` does, too.

    Warp's recorder on the CPU hears the launches of all threads. So a thread records only if no other
    computes, and others wait until it has ended, some milliseconds later.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0  # threads that compute
        self._records = False
        self._mine = threading.local()

    def __enter__(self) -> None:
        mine = self._mine
        depth = getattr(mine, "depth", 0)
        if not depth:
            with self._changed:
                while self._records:
                    self._changed.wait()
                self._inside += 1
        mine.depth = depth + 1

    def __exit__(self, *_: object) -> None:
        self._mine.depth -= 1
        if not self._mine.depth:
            with self._changed:
                self._inside -= 1

    @contextmanager
    def recording(self) -> Iterator[bool]:
        """Whether this thread may record; if so, until the end of the block no other computes."""
        with self:
            with self._changed:
                alone = self._inside == 1
                self._records = alone
            try:
                yield alone
            finally:
                with self._changed:
                    self._records = False
                    self._changed.notify_all()


#: The only one: Warp has one recorder.
computing = Computing()
