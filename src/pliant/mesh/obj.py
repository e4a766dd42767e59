"""Wavefront OBJ: polygons with texture coordinates, normals and names; materials are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pliant.errors import shown

from .arrays import Floats, Indices
from .errors import MeshError
from .surface import Surface, weld


@dataclass
class _Read:
    """What has been read so far: v, vt and vn rows, and per corner an index into each, or -1."""

    v: list[list[float]] = field(default_factory=list)
    vt: list[list[float]] = field(default_factory=list)
    vn: list[list[float]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    corners: list[tuple[int, int, int]] = field(default_factory=list)
    object: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    parts: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # runs of corners


def read_obj(path: Path) -> Surface:
    """Read all objects of a file as one surface; `g` and `o` names become groups of points."""
    read = _Read()
    for number, words in _lines(path):
        try:
            _take(read, words)
        except (ValueError, IndexError) as error:
            said = str(error) if isinstance(error, MeshError) else "expected numbers"
            raise MeshError(f"{path}, line {number}: {' '.join(words)[:60]!r}: {said}") from None
    if not read.sizes:
        raise MeshError(f"{path} has {len(read.v)} points and no faces; expected lines 'f 1 2 3'")
    points = np.array(read.v)
    corners, uv, normals = np.array(read.corners).T
    named = {
        name: np.unique(np.concatenate([corners[a:b] for a, b in runs]))
        for name, runs in read.parts.items()
    }
    surface = Surface(points, np.array(read.sizes), corners, groups=named)
    return Surface(
        points,
        surface.sizes,
        corners,
        uv=_per_corner(np.array(read.vt), uv, np.zeros((1, 2))) if (uv >= 0).any() else None,
        normals=_per_corner(np.array(read.vn), normals, _face_normals(surface))
        if (normals >= 0).any()
        else None,
        groups=named,
    )


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Words of each line with its number; comments are gone, lines that end in \\ are joined."""
    held: list[str] = []
    # Names may be in any encoding; numbers are ASCII in all of them.
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            words = line.split("#", 1)[0].split()
            if words and words[-1].endswith("\\"):
                held += [*words[:-1], *words[-1][:-1].split()]
                continue
            if held or words:
                yield number, held + words
            held = []


def _take(read: _Read, words: list[str]) -> None:
    key, rest = words[0], words[1:]
    if key == "v":
        if len(rest) < 3:
            raise MeshError("expected 'v x y z'")
        read.v.append([float(rest[0]), float(rest[1]), float(rest[2])])
    elif key == "vt":
        read.vt.append([float(rest[0]), float(rest[1]) if len(rest) > 1 else 0.0])
    elif key == "vn":
        if len(rest) < 3:
            raise MeshError("expected 'vn x y z'")
        read.vn.append([float(rest[0]), float(rest[1]), float(rest[2])])
    elif key in ("f", "fo"):
        if len(rest) < 3:
            raise MeshError(f"a face of {len(rest)} corners; expected at least 3")
        for name in dict.fromkeys(read.object + read.groups):
            read.parts.setdefault(name, []).append(
                (len(read.corners), len(read.corners) + len(rest))
            )
        read.sizes.append(len(rest))
        read.corners += [_corner(read, word) for word in rest]
    elif key == "g":
        read.groups = tuple(rest)
    elif key == "o":
        read.object = (" ".join(rest),) if rest else ()


def _corner(read: _Read, word: str) -> tuple[int, int, int]:
    parts = word.split("/")
    if len(parts) > 3:
        raise MeshError(f"corner {word[:60]!r}; expected point/texture/normal")
    parts += [""] * (3 - len(parts))
    return (
        _index(parts[0], len(read.v), "point"),
        _index(parts[1], len(read.vt), "texture coordinate") if parts[1] else -1,
        _index(parts[2], len(read.vn), "normal") if parts[2] else -1,
    )


def _index(word: str, count: int, what: str) -> int:
    """From one-based, or negative from the last so far, to zero-based."""
    given = int(word)
    index = given - 1 if given > 0 else count + given
    if given == 0 or not 0 <= index < count:
        raise MeshError(
            f"{what} {shown(given)}, but {count} stand before this line; the first is 1"
        )
    return index


def _per_corner(rows: Floats, index: Indices, missing: Floats) -> Floats:
    return np.where((index >= 0)[:, None], rows[index], missing)


def _face_normals(surface: Surface) -> Floats:
    """The normal of its face at each corner, for faces that were given none."""
    largest = np.abs(surface.points).max(initial=1.0)  # squares of 1e200 are no floats
    points = surface.points / largest
    a, b, c = (points[surface.corners[i]] for i in surface.triangles.T)
    area = np.cross(b - a, c - a)
    owner = np.repeat(np.arange(len(surface.sizes)), surface.sizes - 2)
    normal = np.stack([np.bincount(owner, area[:, i]) for i in range(3)], axis=1)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.repeat(normal / np.where(length > 0, length, 1.0), surface.sizes, axis=0)


def write_obj(surface: Surface, path: Path) -> None:
    """Write a surface so that every number is read back exactly."""
    words = [list(map(str, (surface.corners + 1).tolist()))]
    lines = [_rows("v", surface.points)]
    for key, array in (("vt", surface.uv), ("vn", surface.normals)):
        if array is None:
            words.append([""] * len(surface.corners))
            continue
        which, first = weld(array)
        lines.append(_rows(key, array[first]))
        words.append(list(map(str, (which + 1).tolist())))
    corners = ["/".join(parts).rstrip("/") for parts in zip(*words, strict=True)]
    ends = np.cumsum(surface.sizes)
    starts = ends - surface.sizes
    faces = [
        f"f {' '.join(corners[a:b])}\n" for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    if surface.lines is not None:
        faces = [f"l {a} {b}\n" for a, b in (surface.lines + 1).tolist()]
    path.write_text("".join([*lines, *faces]), encoding="utf-8")


def _rows(key: str, rows: Floats) -> str:
    return "".join(f"{key} {' '.join(map(repr, row))}\n" for row in rows.tolist())
