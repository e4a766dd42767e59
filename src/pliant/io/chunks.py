"""Arrays in a folder, in the Zarr format (version 2): JSON that describes, and one file per chunk.

Written here in a few lines, because all that a take needs is to append: a chunk appears under its
name only when it is whole, so a reader, or a run that was killed, never meets half of one. Any Zarr
library reads it. Format: the Zarr storage specification, version 2.
"""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import shown

from .plain_files import DamagedError, read_json, read_part, read_regular

NOT_YET: dict[str, Any] = {"f": "NaN", "i": 0, "u": 0, "b": False, "U": ""}
#: Types of arrays that a take has: little-endian numbers, truth values, short text.
_ZARR_TYPES = re.compile(r"[<|][biu][1248]|<f[48]|\|b1|<U[0-9]{1,3}")
#: Most rows of an axis, and most bytes of a chunk: more is no take but a mistake.
_MOST_ROWS, _MOST_BYTES = 1 << 40, 1 << 40

#: The file of a folder that says what it is.
ATTRIBUTES = ".zattrs"


class Chunked:
    """One array, cut along its first axis into chunks of `rows` rows."""

    def __init__(self, folder: Path, *, shape: tuple[int, ...], dtype: Any, rows: int):
        self.folder, self.shape, self.rows = folder, shape, rows
        self.dtype = np.dtype(dtype).newbyteorder("<")

    @classmethod
    def create(cls, folder: Path, shape: tuple[int, ...], dtype: Any, *, rows: int) -> Chunked:
        """An array of which no chunk is written yet."""
        array = cls(folder, shape=shape, dtype=dtype, rows=max(1, rows))
        folder.mkdir(parents=True, exist_ok=True)
        array._describe()
        return array

    @classmethod
    def write(cls, folder: Path, values: np.ndarray) -> Chunked:
        """A whole array in one chunk."""
        array = cls.create(folder, values.shape, values.dtype, rows=len(values))
        if values.size:
            array.put(0, values)
        return array

    @classmethod
    def open(cls, folder: Path) -> Chunked:
        """An array that is there already."""
        path = folder / ".zarray"
        said = read_json(path)
        shape, chunks, dtype = (_field(said, k) for k in ("shape", "chunks", "dtype"))
        if not (isinstance(dtype, str) and _ZARR_TYPES.fullmatch(dtype)):
            raise DamagedError(
                f"{path}: got dtype {shown(dtype)}; expected numbers or text, e.g. '<f8'"
            )
        if not (_whole_numbers(shape, least=0) and 1 <= len(shape) <= 3):
            raise DamagedError(
                f"{path}: got shape {shown(shape)}; expected one to three whole numbers"
            )
        if not (
            _whole_numbers(chunks, least=1)
            and chunks
            and chunks[1:] == [max(1, n) for n in shape[1:]]
            and math.prod(chunks) * np.dtype(dtype).itemsize <= _MOST_BYTES
        ):
            raise DamagedError(
                f"{path}: got chunks {shown(chunks)} of {shape}; expected chunks of rows"
            )
        if _field(said, "compressor") or _field(said, "filters") or _field(said, "order") != "C":
            raise DamagedError(f"{path}: the array is packed; expected it as pliant wrote it")
        return cls(folder, shape=tuple(shape), dtype=np.dtype(dtype), rows=chunks[0])

    def put(self, chunk: int, values: np.ndarray) -> None:
        """Write a chunk; one that is not full is padded, as the format wants it."""
        whole = np.zeros((self.rows, *self.shape[1:]), self.dtype)
        whole[: len(values)] = values
        replace_file(self._file(chunk), whole.tobytes())

    def has(self, chunk: int) -> bool:
        """Whether a chunk is written."""
        return self._file(chunk).exists()

    def row(self, index: int) -> np.ndarray:
        """One row; refuses a chunk that is missing or has another size."""
        chunk, place = divmod(index, self.rows)
        size = math.prod(self.shape[1:]) * self.dtype.itemsize
        if not size:
            return np.empty(self.shape[1:], self.dtype.newbyteorder("="))
        if not self.has(chunk):
            raise DamagedError(f"{self._file(chunk)} is missing")
        found = read_part(self._file(chunk), place * size, size, whole=self.rows * size)
        values = np.frombuffer(found, self.dtype).reshape(self.shape[1:])
        return values.astype(self.dtype.newbyteorder("="), copy=False)

    def get(self, count: int | None = None) -> np.ndarray:
        """The first `count` rows; refuses an array of which a chunk is missing or has another size."""
        count = self.shape[0] if count is None else count
        empty = math.prod(self.shape[1:]) == 0  # no chunk is written
        chunks = range(0 if empty else -(-count // self.rows))
        missing = next((k for k in chunks if not self.has(k)), None)
        if missing is not None:  # before memory is taken for what is not there
            raise DamagedError(f"{self._file(missing)} is missing")
        size = self.rows * math.prod(self.shape[1:]) * self.dtype.itemsize
        values = np.empty((count, *self.shape[1:]), self.dtype)
        for chunk in chunks:
            found = np.frombuffer(read_regular(self._file(chunk), exactly=size), self.dtype)
            start = chunk * self.rows
            rows = found.reshape(self.rows, *self.shape[1:])[: count - start]
            values[start : start + len(rows)] = rows
        return values.astype(self.dtype.newbyteorder("="), copy=False)

    def resize(self, count: int) -> None:
        """Say that there are `count` rows, and drop the chunks beyond them."""
        chunk = -(-count // self.rows)
        while self.has(chunk):
            self._file(chunk).unlink()
            chunk += 1
        self.shape = (count, *self.shape[1:])
        self._describe()

    def _file(self, chunk: int) -> Path:
        return self.folder / ".".join([str(chunk)] + ["0"] * (len(self.shape) - 1))

    def _describe(self) -> None:
        said = {
            "zarr_format": 2,
            "shape": self.shape,
            "chunks": [self.rows, *(max(1, n) for n in self.shape[1:])],
            "dtype": self.dtype.str,
            "compressor": None,  # positions are nearly noise to a compressor, and time is short
            "fill_value": NOT_YET[self.dtype.kind],
            "order": "C",
            "filters": None,
        }
        replace_file(self.folder / ".zarray", json.dumps(said).encode())


def _field(said: Any, name: str) -> Any:
    return said.get(name) if isinstance(said, dict) else None


def _whole_numbers(given: Any, *, least: int) -> bool:
    return isinstance(given, list) and all(
        type(n) is int and least <= n <= _MOST_ROWS for n in given
    )


def make_group(folder: Path, said: dict[str, Any] | None = None) -> None:
    """A folder of arrays, with what is said about them."""
    folder.mkdir(parents=True, exist_ok=True)
    if said is not None:  # first: a folder is known by what is said of it
        replace_file(folder / ATTRIBUTES, json.dumps(said, indent=1).encode())
    replace_file(folder / ".zgroup", b'{"zarr_format": 2}')


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    half = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        half.write_bytes(content)
        os.replace(half, path)
    except OSError as error:  # a full disk does not say which
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        half.unlink(missing_ok=True)
