"""What was on the stage in the last seconds, to look at again."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import deque
from dataclasses import replace

from .snapshot import StageSnapshot

#: So much of the past is kept [s of the scene], if it fits.
TAPE = 20.0
#: Pictures of it per second of the scene.
TAPE_RATE = 30.0
#: Bytes that positions on the tape take at most; of larger scenes less is kept.
ROOM_ON_TAPE = 1 << 28


class Tape:
    """The snapshots of the last seconds of the scene, for any thread."""

    def __init__(self) -> None:
        self._kept: deque[StageSnapshot] = deque()
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, snapshot: StageSnapshot) -> None:
        """Keep a snapshot, unless the last one is of almost the same moment."""
        with self._lock:
            last = self._kept[-1].time if self._kept else None
            if last is not None and snapshot.time < last:  # the scene began anew
                self._kept.clear()
                self._bytes, last = 0, None
            if last is not None and snapshot.time < last + 0.999 / TAPE_RATE:
                return
            self._kept.append(replace(snapshot, before=snapshot.positions))  # it holds no others
            self._bytes += _size(snapshot)
            while len(self._kept) > 1 and (
                self._kept[0].time < snapshot.time - TAPE or self._bytes > ROOM_ON_TAPE
            ):
                self._bytes -= _size(self._kept.popleft())

    @property
    def seconds(self) -> float:
        """How far back it goes [s of the scene]."""
        with self._lock:
            return self._kept[-1].time - self._kept[0].time if self._kept else 0.0

    def at(self, ago: float) -> StageSnapshot | None:
        """What was so many seconds of the scene before its last picture, or the oldest."""
        with self._lock:
            if not self._kept:
                return None
            times = [snapshot.time for snapshot in self._kept]
            return self._kept[max(bisect_right(times, times[-1] - ago + 1e-9) - 1, 0)]


def _size(snapshot: StageSnapshot) -> int:
    return sum(x.nbytes for x in snapshot.positions)
