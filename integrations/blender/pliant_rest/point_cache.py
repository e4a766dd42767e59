"""PC2 and MDD files: positions of every sample, float32."""

import struct

import numpy as np

from .failure import Failure

_HEAD = struct.Struct("<12siiffi")


def read(path):
    """The positions of a PC2 file, (samples, n, 3)."""
    data = path.read_bytes()
    if len(data) < _HEAD.size or data[:11] != b"POINTCACHE2":
        raise Failure(f"{path} is no PC2 file; bake again")
    _, _, points, _, _, frames = _HEAD.unpack_from(data)
    if len(data) != _HEAD.size + 12 * points * frames:
        raise Failure(f"{path} is cut short; bake again")
    return np.frombuffer(data, dtype="<f4", offset=_HEAD.size).reshape(frames, points, 3)


def write(path, positions, each=1.0):
    """Write positions (samples, n, 3), by the suffix as PC2 or MDD; each [s]: between two samples."""
    frames, points, _ = positions.shape
    if path.suffix == ".mdd":
        head = struct.pack(">ii", frames, points)
        head += (each * np.arange(frames)).astype(">f4").tobytes()
        path.write_bytes(head + np.ascontiguousarray(positions, dtype=">f4").tobytes())
        return
    head = _HEAD.pack(b"POINTCACHE2", 1, points, 0.0, 1.0, frames)
    path.write_bytes(head + np.ascontiguousarray(positions, dtype="<f4").tobytes())
