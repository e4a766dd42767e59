"""Reads takes: what a file says is checked here, and trusted everywhere else.

Facts, then shapes and types of all arrays, are checked before an array is read; then its values.
Frames that a file has one by one are not kept: each is checked whenever it is read.
Whatever is wrong is one line with the file, what was found and what was expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.boundary import obstacle_of
from pliant.contact import FrameContacts
from pliant.errors import shown
from pliant.mesh import BEYOND_SENSE, CELL_KINDS, KINDS
from pliant.reduced import OF_FRAME
from pliant.take import ENERGIES, Frames, LazyFrames, Take

from .arrays import CHANGES, COORDINATES, FIRST, contacts_of
from .plain_files import DamagedError
from .stored import Stored, require_room
from .take_facts import group_names, require_facts
from .track_reader import MOTION, MeshPlace, ReadMesh, track_of, under

_NUMBER, _WHOLE, _TRUTH, _TEXT = "f", "iu", "biu", "U"


@dataclass(frozen=True)
class Field:
    """The required type and shape of an array; letters in `shape` are sizes that must agree."""

    shape: tuple[str | int, ...]
    kinds: str  # kinds of NumPy's dtypes
    finite: bool = True
    optional: bool = False
    positive: bool = False


#: The arrays of a body: F frames, of which T have its first mesh, N points, D dimensions, S steps, R
#: rest shapes, M points of the skin.
TAKE_FIELDS = {
    "points": Field(("N", "D"), _NUMBER),
    "positions": Field(("T", "N", "D"), _NUMBER),
    "velocities": Field(("T", "N", "D"), _NUMBER),
    "reduced/columns": Field(("N", "D", "Q"), _NUMBER, optional=True),
    "reduced/eigenvalues": Field(("Q",), _NUMBER, optional=True, positive=True),
    "reduced/lines": Field(("N", "D"), _WHOLE, optional=True),
    "reduced/shares": Field(("N", "D"), _NUMBER, optional=True),
    "reduced/sections": Field(("Q",), _NUMBER, optional=True, positive=True),
    COORDINATES: Field(("F", "K"), _NUMBER, optional=True),
    "energies": Field(("F", "E"), _NUMBER, finite=False),
    "resting": Field(("F",), _WHOLE),
    "changed": Field(("F",), _NUMBER, optional=True),
    "plastic": Field(("T", "P"), _NUMBER, optional=True),
    "rests": Field(("R", "N", "D"), _NUMBER, optional=True),
    "solver/time": Field(("S",), _NUMBER, finite=False),
    "solver/iterations": Field(("S",), _WHOLE),
    "solver/linear_iterations": Field(("S",), _WHOLE),
    "solver/residual": Field(("S",), _NUMBER, finite=False),
    "solver/reason": Field(("S",), _TEXT),
    "masses": Field(("N",), _NUMBER, positive=True),
    "pinned": Field(("N",), _TRUTH),
    "components": Field(("N",), _WHOLE),
    "skin/points": Field(("M", 3), _NUMBER),
    "skin/sizes": Field(("faces",), _WHOLE),
    "skin/corners": Field(("corners",), _WHOLE),
    "skin/uv": Field(("corners", 2), _NUMBER, optional=True),
    "skin/normals": Field(("corners", 3), _NUMBER, optional=True),
    "skin/nodes": Field(("M", "C"), _WHOLE),
    "skin/weights": Field(("M", "C"), _NUMBER),
}
TAKE_FIELDS |= {f"cells/{k}": Field((k, KINDS[k].nodes), _WHOLE, optional=True) for k in CELL_KINDS}

#: Those for a mesh that a cut has made, and where it comes from: W parents in all.
CUT_FIELDS = {
    k: f
    for k, f in TAKE_FIELDS.items()
    if k in ("points", *MOTION, "plastic", "rests", "masses", "pinned", "components")
    or k.startswith(("skin/", "cells/"))
} | {
    FIRST: Field((1,), _WHOLE),
    "parents/starts": Field(("N1",), _WHOLE),
    "parents/points": Field(("W",), _WHOLE),
    "parents/weights": Field(("W",), _NUMBER),
    "parents/cells": Field(("pieces",), _WHOLE),
}
#: Arrays that may be larger than memory: read row by row where the file has rows.
BY_ROW = ("positions", "velocities", COORDINATES, "rests")


def read_take(
    path: Path,
    facts: Any,
    stored: Mapping[str, Stored],
    *,
    check_frames: bool = True,
    retime: float | None = None,
) -> Take:
    """The take that a file at `path` holds; check_frames: look at every frame now, too.

    retime: frames per second, for new times in place of those of the file.
    """
    require_facts(path, facts)
    count = _count(path, stored)
    bodies = [_select_all(path, i, facts, stored, count) for i in range(len(facts["names"]))]
    every = [found for body in bodies for found in body]
    by_row = [f.arrays[k] for f in every for k in BY_ROW if k in f.arrays and f.arrays[k].row]
    whole = [array for f in every for array in f.arrays.values() if array not in by_row]
    require_room(path, whole, by_row)
    times = np.arange(count) / retime if retime else _times(path, stored["times"], facts["dt"])
    tracks = []
    for name, asked, body in zip(facts["names"], facts["asked"], bodies, strict=True):
        read = [
            ReadMesh(
                place=found.place,
                arrays={
                    key: _values(path, f"{found.place.name}/{key}", array)
                    for key, array in found.arrays.items()
                    if key not in BY_ROW
                },
                frames={
                    k: _rows(path, f"{found.place.name}/{k}", found.arrays[k], check_frames)
                    for k in BY_ROW
                    if k in found.arrays
                },
                names=found.names,
            )
            for found in body
        ]
        tracks.append(track_of(path, name, asked, times, read))
    dim = tracks[0].mesh.dim
    return Take(
        tracks,
        dt=float(facts["dt"]),
        about=facts["about"],
        contacts=_contacts(path, facts.get("contacts"), stored, count, dim),
        motions=_motions(path, facts["about"], stored, count, check_frames),
    )


def _contacts(
    path: Path, names: Any, stored: Mapping[str, Stored], frames: int, dim: int
) -> list[FrameContacts] | None:
    """What touches in each frame; None if it was not recorded."""
    if names is None:
        return None
    if not (isinstance(names, list) and names and all(isinstance(n, str) for n in names)):
        raise DamagedError(f"{path}: got contacts of {shown(names)}; expected a list of names")
    fields = {"spans": Field((frames, 2), _WHOLE), "rows": Field(("K", 3 * dim + 2), _NUMBER)}
    found = {}
    for name, field in fields.items():
        array = stored.get(f"contacts/{name}")
        if array is None:
            raise DamagedError(f"{path} has no array contacts/{name}")
        _require_field(f"{path}: contacts/{name}", field, array, {})
        require_room(path, [array])
        found[name] = _values(path, f"contacts/{name}", array)
    spans, rows = found["spans"].astype(np.int64), found["rows"]
    sides = rows[:, 3 * dim :]
    if (spans < 0).any() or (spans.sum(axis=1) > len(rows)).any():
        raise DamagedError(f"{path}: contacts/spans has rows that are not there")
    if ((sides < 0) | (sides >= len(names))).any():
        raise DamagedError(f"{path}: contacts/rows has numbers of no name")
    return [contacts_of(rows[first : first + count], names) for first, count in spans]


def _motions(
    path: Path, about: dict[str, Any], stored: Mapping[str, Stored], frames: int, check: bool
) -> list[Frames]:
    """Where obstacles that move are in each frame."""
    found: list[Frames] = []
    for facts in about.get("obstacles", ()):
        if "motion" not in facts:
            continue
        name, obstacle = f"obstacles/{len(found)}", obstacle_of(facts)
        shape = obstacle.contact_points(0.0).shape
        if facts["motion"] == "rigid":
            shape = (obstacle.dim, obstacle.dim + 1)
        if name not in stored:
            raise DamagedError(f"{path} has no array {name}")
        _require_field(f"{path}: {name}", Field((frames, *shape), _NUMBER), stored[name], {})
        found.append(_rows(path, name, stored[name], check))
    return found


def _count(path: Path, stored: Mapping[str, Stored]) -> int:
    """The number of frames, from the shape of the times, which are not read yet."""
    found = stored.get("times")
    if found is None or len(found.shape) != 1 or found.dtype.kind != "f" or not found.shape[0]:
        raise DamagedError(f"{path} has no times of frames; expected the arrays of a take")
    return found.shape[0]


def _times(path: Path, found: Stored, dt: float) -> np.ndarray:
    times = _values(path, "times", found)
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if len(back):
        k, rate = int(back[0]), f"{1.0 / dt:.6g}" if dt > 0.0 else "24"
        raise DamagedError(
            f"{path}: frame {k + 1} is not later than the one before it",
            f"give its frames new times: pliant convert {path} {path.stem}-mended.npz --retime {rate}",
        )
    return times


@dataclass(frozen=True)
class FoundMesh:
    """The arrays of a body for one of its meshes, of which shapes and types are as they must be."""

    place: MeshPlace
    arrays: dict[str, Stored]
    names: dict[str, list[str]] | None


def _select_all(
    path: Path, body: int, facts: dict[str, Any], stored: Mapping[str, Stored], frames: int
) -> list[FoundMesh]:
    """The arrays of a body, for each of its meshes."""
    places = _places(path, body, stored, frames)
    energies = facts.get("energies") is not False
    found = [
        FoundMesh(place, _select(path, place, facts, stored, frames, energies), names)
        for place in places
        for names in [group_names(facts, body, place.number)]
    ]
    if len(places) > 1 and COORDINATES in found[0].arrays:
        raise DamagedError(f"{path}: body{body} has coordinates; expected positions of what is cut")
    if any(
        each.arrays["points"].shape[1:] != found[0].arrays["points"].shape[1:] for each in found
    ):
        raise DamagedError(f"{path}: body{body} is cut into one of another dimension")
    return found


def _places(path: Path, body: int, stored: Mapping[str, Stored], frames: int) -> list[MeshPlace]:
    """Where the arrays of each mesh of a body are, and which frames have it."""
    firsts = [0]
    while (name := f"body{body}/{CHANGES}/{len(firsts)}/{FIRST}") in stored:
        _require_field(f"{path}: {name}", CUT_FIELDS[FIRST], stored[name], {})
        first = int(stored[name].read()[0])
        if not firsts[-1] < first < frames:
            raise DamagedError(f"{path}: {name} is {first}; expected a frame after those before it")
        firsts.append(first)
    ends = [*firsts[1:], frames]
    return [
        MeshPlace(f"body{body}/{CHANGES}/{k}" if k else f"body{body}", k, first, end - first)
        for k, (first, end) in enumerate(zip(firsts, ends, strict=True))
    ]


def _select(
    path: Path,
    place: MeshPlace,
    facts: dict[str, Any],
    stored: Mapping[str, Stored],
    frames: int,
    energies: bool,
) -> dict[str, Stored]:
    """The arrays of a body for one of its meshes."""
    own, where = under(f"{place.name}/", stored), f"{path}: {place.name}"
    sizes: dict[str, int] = {"F": frames, "T": place.rows}
    chosen: dict[str, Stored] = {}
    for name, field in (CUT_FIELDS if place.number else TAKE_FIELDS).items():
        if name in own:
            _require_field(f"{where}/{name}", field, own[name], sizes)
            chosen[name] = own[name]
        elif name in MOTION and COORDINATES in own:
            continue
        elif not (field.optional or (name == "energies" and not energies)):
            raise DamagedError(f"{path} has no array {place.name}/{name}")
    if sizes.get("E", 4) not in (4, len(ENERGIES.names or ())):  # the first four are in all takes
        raise DamagedError(f"{where} has {sizes['E']} energies; expected 4 or 6")
    if place.number and sizes["N1"] != sizes["N"] + 1:
        raise DamagedError(
            f"{where} has parents of {sizes['N1'] - 1} points; expected {sizes['N']}"
        )
    whole = "reduced/eigenvalues" in own
    of_lines = {"reduced/lines", "reduced/shares", "reduced/sections"} <= own.keys()
    columns = of_lines or "reduced/columns" in own
    if COORDINATES in own and not (whole and columns and sizes["K"] == 2 * sizes["Q"] + OF_FRAME):
        raise DamagedError(f"{where} has coordinates of other columns than it has")
    if sizes["D"] not in (2, 3):
        raise DamagedError(f"{where} has {sizes['D']} coordinates; expected 2 or 3")
    return chosen | _groups(path, place, own, facts)


def _groups(
    path: Path, place: MeshPlace, own: dict[str, Stored], facts: dict[str, Any]
) -> dict[str, Stored]:
    """The arrays of named groups of points."""
    body = int(place.name.split("/")[0].removeprefix("body"))
    names, chosen = group_names(facts, body, place.number), {}
    for kind in ("groups", "skin/groups"):
        there = under(f"{kind}/", own)
        for key in there if names is None else map(str, range(len(names[kind]))):
            if key not in there:
                raise DamagedError(f"{path} has no array {place.name}/{kind}/{key}")
            _require_field(
                f"{path}: {place.name}/{kind}/{key}", Field((key,), _WHOLE), there[key], {}
            )
            chosen[f"{kind}/{key}"] = there[key]
    return chosen


def _require_field(where: str, field: Field, array: Stored, sizes: dict[str, int]) -> None:
    """Refuse an array of another type, or of a size that differs from what came before."""
    short = array.dtype.kind == "f" and array.dtype.itemsize != 8
    if array.dtype.kind not in field.kinds or short:
        raise DamagedError(f"{where} has the type {array.dtype}; expected kind {field.kinds!r}")
    if len(array.shape) == len(field.shape):
        expected = tuple(
            sizes.setdefault(key, n) if isinstance(key, str) else key
            for key, n in zip(field.shape, array.shape, strict=True)
        )
        if array.shape == expected:
            return
    else:
        expected = tuple(sizes.get(str(key), -1) for key in field.shape)
    told = tuple(n if n >= 0 else "any" for n in expected)
    raise DamagedError(f"{where} has the shape {array.shape}; expected {told}")


def _rows(path: Path, name: str, array: Stored, check: bool) -> Frames:
    """The rows of an array, each checked when it is read; `check`: all of them now, too."""
    read = array.row
    if read is None:
        return _values(path, name, array)

    def row(index: int) -> np.ndarray:
        values = read(index)
        _require_sense(path, name, values[None], first=index)
        return values

    if check:
        for index in range(array.shape[0]):
            row(index)
    return LazyFrames(array.shape, row)


def _require_sense(path: Path, name: str, values: np.ndarray, *, first: int = 0) -> None:
    """Refuse rows, from the `first` on, with numbers that are not finite or beyond all sense."""
    # Compared as float64, in which the limit is a number, and so that NaN is bad.
    good = np.abs(values, dtype=np.float64) <= BEYOND_SENSE
    if not good.all():
        row = first + int(np.argwhere(~good)[0][0])
        raise DamagedError(
            f"{path}: row {row} of {name} has a number that is not finite, or beyond all sense"
        )


def _values(path: Path, name: str, array: Stored) -> np.ndarray:
    values = array.read()
    own = name.split("/", 1)[-1]
    if own.startswith(f"{CHANGES}/"):
        own = own.split("/", 2)[-1]
    field = TAKE_FIELDS.get(own)
    if values.dtype.kind == "f" and (field is None or field.finite):
        _require_sense(path, name, values)
    if field is not None and field.positive and not (values > 0.0).all():
        raise DamagedError(f"{path}: {name} has a number that is not above zero")
    if values.dtype.kind == "U" and (values.view(np.uint32) > 0x10FFFF).any():
        raise DamagedError(f"{path}: {name} is no text")
    return values
