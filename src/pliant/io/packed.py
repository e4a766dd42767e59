"""Arrays as text in a page: whole numbers, differences between frames, deflated, base64.

Neighbouring frames are alike, so the differences are mostly zeros and small numbers; their bytes
are sorted by place value, which deflate likes.
"""

from __future__ import annotations

import base64
import math
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO, Any

import numpy as np

from pliant.take import LazyFrames, box

#: Positions are rounded to 16 bits per axis where this keeps them within this share of the size.
POSITION_ERROR = 1e-5
#: Bytes that are held in memory at a time.
_BLOCK = 1 << 20


class Packed:
    """The text of frames of unsigned whole numbers, made while it is written."""

    def __init__(self, frames: np.ndarray | LazyFrames):
        self._frames = frames

    def __str__(self) -> str:
        return "".join(self.pieces())

    def pieces(self, folder: str | None = None) -> Iterator[str]:
        """The text piece by piece; what waits for its turn is in files in `folder`."""
        with ExitStack() as open_files:
            planes: list[IO[bytes]] = [
                open_files.enter_context(tempfile.SpooledTemporaryFile(_BLOCK, dir=folder))
                for _ in range(self._frames.dtype.itemsize)
            ]
            for change in self._changes():
                for plane, values in zip(
                    planes, change.reshape(-1, 1).view(np.uint8).T, strict=True
                ):
                    plane.write(values.tobytes())
            rest = b""
            for piece in _deflated(planes):
                rest += piece
                whole = len(rest) - len(rest) % 3  # three bytes are four characters
                yield base64.b64encode(rest[:whole]).decode("ascii")
                rest = rest[whole:]
            yield base64.b64encode(rest).decode("ascii")

    def _changes(self) -> Iterator[np.ndarray]:
        """Differences to the frame before, modulo 2^bits, of some frames at a time."""
        frames, kind = self._frames, self._frames.dtype.newbyteorder("<")
        width = math.prod(frames.shape[1:])
        before = np.zeros((1, width), kind)
        rows = max(1, _BLOCK // max(1, width * kind.itemsize))
        for start in range(0, len(frames), rows):
            now = np.asarray(frames[start : start + rows], kind).reshape(-1, width)
            yield np.diff(now, axis=0, prepend=before)
            before = now[-1:]


def _deflated(files: Sequence[IO[bytes]]) -> Iterator[bytes]:
    squeeze = zlib.compressobj(6)
    for file in files:
        file.seek(0)
        while block := file.read(_BLOCK):
            yield squeeze.compress(block)
    yield squeeze.flush()


def pack(frames: np.ndarray | LazyFrames) -> dict[str, Any]:
    """Frames (f, ...) of floats, which are rounded to 32 bits, or of unsigned whole numbers."""
    shape = list(frames.shape)
    if frames.dtype.kind != "f":
        return {"kind": f"u{frames.dtype.itemsize}", "shape": shape, "data": Packed(frames)}
    bits = LazyFrames(
        frames.shape, lambda k: np.asarray(frames[k], "<f4").view("<u4"), dtype=np.uint32
    )
    return {"kind": "f4", "shape": shape, "data": Packed(bits)}


def pack_positions(x: np.ndarray | LazyFrames, size: float) -> dict[str, Any]:
    """Positions (frames, m, 3) [m] of a body of a size [m].

    They are rounded to 1/65535 of the box around all frames if that moves no point by more than
    `POSITION_ERROR` of the size; a body that travels farther is kept in float32.
    """
    low, high = box(x)
    step = (high - low) / 65535.0
    if 0.5 * float(np.linalg.norm(step)) > POSITION_ERROR * size:
        return pack(x)
    unit = np.where(step > 0.0, step, 1.0)
    grid = LazyFrames(
        x.shape, lambda k: np.rint((x[k] - low) / unit).astype(np.uint16), dtype=np.uint16
    )
    return pack(grid) | {"low": low.tolist(), "step": step.tolist()}


def pack_indices(indices: np.ndarray) -> dict[str, Any]:
    """Indices of any shape, each as the difference to the one before."""
    return pack(indices.reshape(-1, 1).astype("<u4")) | {"shape": list(indices.shape)}
