"""The container of binary glTF 2.0: arrays one after the other, and the JSON that names them."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np

VERTICES, INDICES = 34962, 34963  # what a graphics card will use an array for
_NUMBERS = {"float32": 5126, "uint32": 5125}
_ACCESSOR_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3"}
_GLB_LIMIT = 2**32 - 1  # the format counts bytes in 32 bits


class GlbFile:
    """Collects arrays in a file of their own, so that none has to stay in memory."""

    def __init__(self, arrays: BinaryIO):
        self._arrays = arrays
        self._length = 0
        self._views: list[str] = []  # JSON, which is a tenth of the dictionaries of all frames
        self._accessors: list[str] = []

    def add(self, values: np.ndarray, use: int | None = None, *, bounds: bool = False) -> int:
        """Append an array (n,) or (n, k) of 32-bit numbers; returns the index of its accessor."""
        rows = np.ascontiguousarray(values).reshape(len(values), -1)
        ends = {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        return self.add_pieces([rows], len(rows), use, ends if bounds else {})

    def add_pieces(
        self,
        pieces: Iterable[np.ndarray],
        count: int,
        use: int | None = None,
        bounds: Mapping[str, list[float]] = MappingProxyType({}),
    ) -> int:
        """Append an array that comes in pieces, (n,) or (n, k) each, with `count` rows in all."""
        start = self._length
        for piece in pieces:
            rows = piece.reshape(len(piece), -1)
            self.require_room(rows.nbytes)
            self._arrays.write(rows.astype(rows.dtype.newbyteorder("<"), copy=False).tobytes())
            self._length += rows.nbytes
        view = {"buffer": 0, "byteOffset": start, "byteLength": self._length - start}
        self._views.append(_json(view if use is None else view | {"target": use}))
        accessor = {
            "bufferView": len(self._views) - 1,
            "componentType": _NUMBERS[rows.dtype.name],
            "count": count,
            "type": _ACCESSOR_TYPES[rows.shape[1]],
        }
        self._accessors.append(_json({**accessor, **bounds}))
        return len(self._accessors) - 1

    def require_room(self, more: int) -> None:
        """Refuse more bytes than the format can hold."""
        if self._length + more > _GLB_LIMIT:
            raise ValueError(
                f"save: the take needs over {_GLB_LIMIT / 1e9:.1f} GB, which a .glb cannot hold; "
                'expected fewer frames or a coarser surface, or take.save("take.usdc")'
            )

    def write(self, path: Path, content: dict[str, Any]) -> None:
        """Write the file: `content` is the JSON without accessors, bufferViews and buffers."""
        buffers = _json([{"byteLength": self._length}])
        lists = {"accessors": self._accessors, "bufferViews": self._views}
        inner = "".join(f',"{name}":[{",".join(found)}]' for name, found in lists.items())
        text = f'{_json(content)[:-1]}{inner},"buffers":{buffers}}}'.encode()
        text += b" " * (-len(text) % 4)  # chunks begin at multiples of four bytes
        self._arrays.seek(0)
        with path.open("wb") as file:
            length = 12 + 8 + len(text) + 8 + self._length
            file.write(struct.pack("<4sII", b"glTF", 2, length))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", self._length, b"BIN\0"))
            shutil.copyfileobj(self._arrays, file, 1 << 16)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
