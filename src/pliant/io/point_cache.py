"""Point caches that other programs wrote, .pc2 and .mdd: positions of numbered points over time."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np

from .plain_files import open_regular

PC2, MDD = ".pc2", ".mdd"
_PC2_HEAD, _MDD_HEAD = struct.Struct("<12siiffi"), struct.Struct(">ii")
_PER_POINT = 12  # three numbers of four bytes


def read_point_cache(path: Path, frame_rate: float | None) -> tuple[np.ndarray, np.ndarray]:
    """Times since the first sample [s], (frames,), and positions (frames, points, 3).

    .pc2 counts frames, so it needs `frame_rate` [1/s]; .mdd has times.
    """
    length = path.stat().st_size
    with open_regular(path, follow=True) as file:
        if path.suffix.lower() == MDD:
            return _mdd(path, file, length)
        if frame_rate is None:
            raise ValueError(
                f"{path}: a .pc2 file has no frame rate; expected fps, e.g. "
                f'pl.PointTracks.read("{path.name}", fps=24)'
            )
        return _pc2(path, file, length, frame_rate)


def _pc2(
    path: Path, file: BinaryIO, length: int, frame_rate: float
) -> tuple[np.ndarray, np.ndarray]:
    head = file.read(_PC2_HEAD.size)
    if len(head) < _PC2_HEAD.size or not head.startswith(b"POINTCACHE2"):
        raise ValueError(f"{path} is no .pc2 file; expected one that begins with POINTCACHE2")
    _, _, points, _, each, samples = _PC2_HEAD.unpack(head)
    if not 0.0 < each < np.inf:
        raise ValueError(f"{path}: a sample every {each:g} frames; expected more than 0")
    x = _positions(path, file, length - _PC2_HEAD.size, (samples, points), "<f4")
    return each / frame_rate * np.arange(samples), x


def _mdd(path: Path, file: BinaryIO, length: int) -> tuple[np.ndarray, np.ndarray]:
    head = file.read(_MDD_HEAD.size)
    samples, points = _MDD_HEAD.unpack(head) if len(head) == _MDD_HEAD.size else (0, 0)
    left = length - _MDD_HEAD.size - 4 * samples
    _require_size(path, left, (samples, points))
    times = np.frombuffer(file.read(4 * samples), ">f4").astype(float)
    return times - times[0], _positions(path, file, left, (samples, points), ">f4")


def _positions(
    path: Path, file: BinaryIO, length: int, shape: tuple[int, int], number: str
) -> np.ndarray:
    _require_size(path, length, shape)
    return np.frombuffer(file.read(length), number).astype(float).reshape(*shape, 3)


def _require_size(path: Path, length: int, shape: tuple[int, int]) -> None:
    samples, points = shape
    if samples < 1 or points < 1 or length != samples * points * _PER_POINT:
        raise ValueError(
            f"{path}: got {samples} samples of {points} points in {length} bytes; expected "
            f"{max(samples, 1)} x {max(points, 1)} x {_PER_POINT}: no {path.suffix} file, or not whole"
        )
