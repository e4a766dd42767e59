"""Arrays in files that are described before they are read, so that what they say can be checked."""

from __future__ import annotations

import math
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.resources import require_memory

from .plain_files import DamagedError, open_regular

#: What zipfile raises for archives that are none: OSError, too, for places before their beginning.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    struct.error,
    OSError,
    UnicodeDecodeError,
)


@dataclass(frozen=True)
class Stored:
    """An array that a file says it has; `row` is None where it can only be read whole."""

    shape: tuple[int, ...]
    dtype: np.dtype
    read: Callable[[], np.ndarray]
    row: Callable[[int], np.ndarray] | None = None

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return math.prod(self.shape) * self.dtype.itemsize


def require_room(path: Path, arrays: Iterable[Stored], rows: Iterable[Stored] = ()) -> None:
    """Refuse what cannot fit into this machine's memory: `arrays`, and one row of each of `rows`."""
    size = sum(array.size for array in arrays)
    size += sum(math.prod(array.shape[1:]) * array.dtype.itemsize for array in rows)
    require_memory(str(path), size, "a shorter take, or one of a lower fps")


def archive_arrays(path: Path, *, follow: bool) -> dict[str, Stored]:
    """The arrays of a NumPy archive by name; `follow`: the user named the file, it may be a link."""
    found: dict[str, Stored] = {}
    try:
        with open_regular(path, follow=follow) as file, zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise zipfile.BadZipFile("unknown compression")
                if member.filename.endswith(".npy"):
                    name = member.filename.removesuffix(".npy")
                    found[name] = _described(path, archive, member)
    except FileNotFoundError:
        raise
    except BROKEN:
        raise _broken(path) from None
    require_room(path, found.values())
    return found


def read_text(path: Path, array: Stored) -> str:
    """The text that an array of no dimensions holds."""
    if array.shape != () or array.dtype.kind != "U":
        raise _broken(path)
    try:
        return str(array.read())
    except ValueError:  # no characters of Unicode
        raise _broken(path) from None


def member_sums(path: Path) -> dict[str, int]:
    """The checksum of every member of an archive that `archive_arrays` has read."""
    with open_regular(path) as file, zipfile.ZipFile(file) as archive:
        return {member.filename: member.CRC for member in archive.infolist()}


def _described(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Stored:
    """An array by its header; its values are read when they are asked for."""
    with archive.open(member) as content:
        try:
            version = np.lib.format.read_magic(content)
            read_header: Any = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
            }[version]
            shape, fortran, dtype = read_header(content)
        except Exception:  # numpy evaluates the text of the header, and raises whatever that raises
            raise _broken(path) from None
        start = content.tell()
    if dtype.hasobject or dtype.fields is not None or any(n < 0 for n in shape):
        raise DamagedError(
            f"{path}: {member.filename} holds objects; expected plain numbers or text"
        )
    size = math.prod(shape) * dtype.itemsize
    if member.file_size != start + size:
        raise _broken(path)

    def read() -> np.ndarray:
        try:
            with (
                open_regular(path, follow=True) as file,
                zipfile.ZipFile(file) as again,
                again.open(member) as content,
            ):
                content.read(start)
                values = np.frombuffer(content.read(size), dtype)
            return np.asarray(values.reshape(shape, order="F" if fortran else "C").copy())
        except (*BROKEN, ValueError):
            raise _broken(path) from None

    return Stored(shape, dtype, read)


def _broken(path: Path) -> DamagedError:
    return DamagedError(f"{path} is broken or no archive of numpy; expected one that pliant wrote")
