"""SIGTERM ends a command as Ctrl-C does."""

from __future__ import annotations

import signal
import threading
from types import FrameType

#: What a command leaves with, by convention 128 and the number of the signal.
INTERRUPTED, TERMINATED = 130, 143


class Termination:
    """A context in which SIGTERM interrupts, so that frames are kept and programs ended.

    Ctrl-C and SIGTERM differ in the exit code only. Shells make jobs in the background ignore Ctrl-C,
    and pliant does not change that: SIGTERM ends such a run. A handler that was set before, or a
    signal that was ignored, stays as it was.
    """

    def __enter__(self) -> Termination:
        self._came = self._ours = False
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._interrupt)
            self._ours = True
        return self

    def __exit__(self, *failure: object) -> None:
        if self._ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def code(self, code: int | str | None) -> int | str | None:
        """The exit code of a command that wants to leave with this one."""
        return TERMINATED if self._came and code == INTERRUPTED else code

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._came = True
        raise KeyboardInterrupt
