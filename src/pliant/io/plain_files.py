"""Reading from folders and archives that a stranger may have made.

Only regular files are opened, no link inside a take is followed, and nothing is read that is longer
than expected: a link to an endless device, a pipe or a file of a terabyte is refused at once.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

#: Most bytes of a JSON text: a scene file and the facts of its bodies are far shorter.
MOST_JSON = 64 << 20
#: Open without following a link and without waiting for the other end of a pipe.
_SAFE_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class DamagedError(ValueError):
    """A take or an archive is not as pliant wrote it; the message says where and what to do."""

    def __init__(self, what: str, mend: str = "run its scene again"):
        super().__init__(f"{what}. It is damaged: restore it from a copy, or {mend}")


def open_regular(path: Path, *, follow: bool = False) -> BinaryIO:
    """Open a regular file to read; `follow`: the user named it, so it may be a link."""
    if path.is_symlink() and not follow:
        raise DamagedError(f"{path} is a link; expected a file of the take itself")
    flags = _SAFE_FLAGS | _BINARY
    handle = os.open(path, flags & ~getattr(os, "O_NOFOLLOW", 0) if follow else flags)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise DamagedError(f"{path} is a folder, a device or a pipe; expected a regular file")
    return os.fdopen(handle, "rb")


def read_regular(path: Path, *, exactly: int | None = None, most: int = MOST_JSON) -> bytes:
    """The bytes of a regular file: `exactly` so many, or at `most` so many."""
    with open_regular(path) as file:
        length = os.fstat(file.fileno()).st_size
        if exactly is not None and length != exactly:
            raise DamagedError(f"{path} has {length} bytes; expected {exactly}")
        if exactly is None and length > most:
            raise DamagedError(f"{path} has {length} bytes; expected at most {most}")
        return file.read(length)


def read_part(path: Path, start: int, count: int, *, whole: int) -> bytes:
    """Some bytes of a regular file that has `whole` bytes in all."""
    with open_regular(path) as file:
        length = os.fstat(file.fileno()).st_size
        if length != whole:
            raise DamagedError(f"{path} has {length} bytes; expected {whole}")
        file.seek(start)
        return file.read(count)


def read_json(path: Path) -> Any:
    """The content of a JSON file."""
    return parse_json(read_regular(path), str(path))


def parse_json(text: bytes | str, where: str) -> Any:
    """The content of a JSON text; `where` it stands is named if it is broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedError(f"{where} is not readable JSON, or is nested too deeply") from None


def require_plain_tree(root: Path) -> list[Path]:
    """The folders of a take, `root` first; refuses links, pipes and devices anywhere in it.

    `root` itself may be a link: the user named it.
    """
    folders = [root]
    for folder in folders:  # grows while it is walked
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    raise DamagedError(f"{entry.path} is a link; a take has none")
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif not entry.is_file(follow_symlinks=False):
                    raise DamagedError(f"{entry.path} is a device or a pipe; a take has none")
    return folders
