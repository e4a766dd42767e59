"""Checks of a file before it is read: it is a regular file, and memory can hold it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .memory import require_memory

#: Bytes of memory that reading takes for each byte of a file (measured: 4 to 15 where it is text).
ROOM_FACTOR = 4

_NOT_FILES = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def require_file(path: Path, what: str) -> None:
    """Refuse anything but a regular file that is not empty: a pipe or a device may never end."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        folder = path.absolute().parent
        raise FileNotFoundError(f"no {what} {str(path)!r} (looked in {folder})") from None
    except (OSError, ValueError) as error:  # a name that is too long, or has a null character
        said = getattr(error, "strerror", None) or "its name has a character that no name can have"
        raise ValueError(f"{what}: {str(path)[:100]!r} cannot be read: {said}") from None
    kind = stat.S_IFMT(found.st_mode)
    if kind != stat.S_IFREG:
        given = _NOT_FILES.get(kind, "something else")
        raise ValueError(f"{what} {str(path)!r} is {given}; expected a file")
    if found.st_size == 0:
        raise ValueError(f"{what} {str(path)!r} is empty")
    require_memory(f"reading {path.name}", float(ROOM_FACTOR) * found.st_size, "a smaller file")
