"""Ends a loop whose device has stopped answering."""

from __future__ import annotations

import os
import threading

import numpy as np

from .device import Device

Array = np.ndarray
#: Places in the file that is shared: ticks done; a wish to stop, or that the loop has; how the body was
#: let go, four numbers, and how often; the motion that the other process has found for it, four, and for
#: which time; q.
TICKS, STOP, LET_GO, MOTION, SHOWN = 0, 1, 2, 7, 12
#: A device that has not answered for so many looks of so many seconds has stopped. Looks are counted
#: and not time, since a machine that stands still for a moment is no device that does.
LOOK, LOOKS = 0.025, 4
#: Looks until the first tick, in which the device opens its driver: ten seconds.
OPENING = 400
#: What a driver has to take a force of zero [s].
LAST = 0.25
#: Exit statuses of a loop whose device stopped answering: that took a force of zero, and that did not.
STOPPED, MUTE = 9, 10


class Watch(threading.Thread):
    """Ends this process if no tick was done for too long, with zero force if the device takes that."""

    def __init__(self, device: Device, shared: Array):
        super().__init__(daemon=True)
        self._device, self._shared = device, shared
        self._ended, self._parent = threading.Event(), os.getppid()

    def run(self) -> None:
        """Look at the ticks now and then."""
        last, looks = 0.0, 0
        while not self._ended.wait(LOOK):
            now = float(self._shared[TICKS])
            looks = looks + 1 if now == last else 0
            last = now
            if looks >= (LOOKS if now else OPENING):
                os._exit(STOPPED if self._released() else MUTE)
            if os.getppid() != self._parent:  # whoever started the loop is gone
                self._shared[STOP] = 1.0

    def _released(self) -> bool:
        """Write zero force, in a thread of its own: the driver may not come back from that either."""
        taken = threading.Event()

        def write() -> None:
            self._device.write(np.zeros(3))
            taken.set()

        threading.Thread(target=write, daemon=True).start()
        return taken.wait(LAST)

    def end(self) -> None:
        """The loop has ended by itself."""
        self._ended.set()
