"""A run that nobody waits for any more ends."""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time

#: Seconds for what Ctrl-C does: keeping the frames and ending the mesher. Then it ends anyhow.
SECONDS_TO_STOP = 10.0


def end_with_input() -> None:
    """End this process, as Ctrl-C does, when its standard input closes.

    A program that starts it with a pipe there, and never writes, is gone when the pipe closes,
    however it went. Not for shells: there the input may be closed from the beginning.
    """
    # Whoever ignores Ctrl-C passes that on to what it starts; here it is how we end.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    try:
        # Not sys.stdin.read(): it would hold a lock that Python wants when it shuts down.
        while os.read(0, 4096):
            pass
    except OSError:
        pass  # there is no input at all: as if it were closed
    if hasattr(signal, "pthread_kill"):  # wakes it from waiting, too
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
    time.sleep(SECONDS_TO_STOP)
    os._exit(130)
