"""Arrays in a folder, in the Zarr format (version 2): JSON that describes, and one file per chunk.

Written here in a few lines, because all that a take needs is to append: a chunk appears under its
name only when it is whole, so a reader, or a run that was killed, never meets half of one. Any Zarr
library reads it. Format: the Zarr storage specification, version 2.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

NOT_YET: dict[str, Any] = {"f": "NaN", "i": 0, "u": 0, "b": False, "U": ""}


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
        said = json.loads((folder / ".zarray").read_text())
        return cls(
            folder,
            shape=tuple(said["shape"]),
            dtype=np.dtype(said["dtype"]),
            rows=said["chunks"][0],
        )

    def put(self, chunk: int, values: np.ndarray) -> None:
        """Write a chunk; one that is not full is padded, as the format wants it."""
        whole = np.zeros((self.rows, *self.shape[1:]), self.dtype)
        whole[: len(values)] = values
        replace_file(self._file(chunk), whole.tobytes())

    def has(self, chunk: int) -> bool:
        """Whether a chunk is written."""
        return self._file(chunk).exists()

    def get(self, count: int | None = None) -> np.ndarray:
        """The first `count` rows; what was never written is not a number, zero or empty."""
        count = self.shape[0] if count is None else count
        empty = np.nan if self.dtype.kind == "f" else NOT_YET[self.dtype.kind]
        values = np.full((count, *self.shape[1:]), empty, self.dtype)
        for chunk in range(-(-count // self.rows)):
            if self.has(chunk):
                found = np.frombuffer(self._file(chunk).read_bytes(), self.dtype)
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


def make_group(folder: Path, said: dict[str, Any] | None = None) -> None:
    """A folder of arrays, with what is said about them."""
    folder.mkdir(parents=True, exist_ok=True)
    if said is not None:  # first: a folder is known by what is said of it
        replace_file(folder / ".zattrs", json.dumps(said, indent=1).encode())
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
