"""SIGTERM ends a command as Ctrl-C does."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

#: What a command leaves with, by convention 128 and the number of the signal.
INTERRUPTED, TERMINATED = 130, 143
#: An interrupt that Python has dropped comes again after this time [s].
AGAIN = 0.01


class Termination:
    """A context in which SIGTERM interrupts, so that frames are kept and programs ended.

    Ctrl-C and SIGTERM differ in the exit code only. Shells make jobs in the background ignore Ctrl-C,
    and pliant does not change that: SIGTERM ends such a run. A handler that was set before, or a
    signal that was ignored, stays as it was.

    Python drops an interrupt that comes while an object is deleted, and a step deletes thousands of
    arrays. Such an interrupt is sent again.
    """

    def __enter__(self) -> Termination:
        self._came = self._ours = False
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._interrupt)
            self._ours = True
        self._hook = sys.unraisablehook
        if main:
            sys.unraisablehook = self._send_again
        return self

    def __exit__(self, *failure: object) -> None:
        if self._ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if sys.unraisablehook == self._send_again:
            sys.unraisablehook = self._hook

    def code(self, code: int | str | None) -> int | str | None:
        """The exit code of a command that wants to leave with this one."""
        return TERMINATED if self._came and code == INTERRUPTED else code

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._came = True
        raise KeyboardInterrupt

    def _send_again(self, dropped: UnraisableHookArgs) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            self._hook(dropped)
            return
        number = signal.SIGTERM if self._came else signal.SIGINT
        later = threading.Timer(AGAIN, _thread.interrupt_main, (number,))
        later.daemon = True
        later.start()
