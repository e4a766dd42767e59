"""One writer at a time: a take that a run writes to is refused to every other run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

LOCK_NAME = ".writer"


class Lock:
    """A lock on a folder, held until it is released or its process ends, however it ends."""

    def __init__(self, folder: Path):
        self._path, self._file = folder / LOCK_NAME, -1
        # Not through a link, which could lead out of the take.
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0))
        try:
            _lock(self._file)
            if not self._is_there():
                raise FileExistsError  # released and made anew by another run between the two calls
        except OSError:
            os.close(self._file)
            self._file = -1
            raise ValueError(
                f"{folder} is being written by another run; wait for it to end, or write to another "
                "name, e.g. -o other.zarr"
            ) from None

    def release(self) -> None:
        """Let others write."""
        if self._file >= 0:
            # Not the lock of another take that lies here by now; Windows removes no open file.
            if self._is_there() and sys.platform != "win32":
                self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1

    def _is_there(self) -> bool:
        """Whether the file of that name is the one that was locked."""
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self._path))
        except FileNotFoundError:
            return False

    def __del__(self) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
