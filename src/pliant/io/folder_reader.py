"""Reads takes that are folders, also while a run still writes them."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import shown
from pliant.take import Take

from .arrays import CHANGES, COORDINATES, FIRST
from .chunks import ATTRIBUTES, Chunked
from .plain_files import DamagedError, read_json, require_plain_tree
from .registry import reads
from .stored import Stored
from .take_facts import require_facts
from .take_reader import read_take

FORMAT = {"format": "pliant take", "version": 2}
#: Of takes in which a body has coordinates in place of positions: earlier versions cannot read them.
REDUCED = {"version": 3}
#: Of takes in which the mesh of a body changes, which earlier versions cannot read either.
CHANGED = {"version": 4}
#: Arrays with one row per frame; the rows of `solver/` are steps.
BY_FRAME = ("energies", "resting", "changed")
#: Arrays with one row for each frame in which the mesh of a body is the one that they stand beside.
OF_TOPOLOGY = ("positions", "velocities", COORDINATES, "plastic")
#: Arrays of no body that have one row per frame: see `arrays.py`.
SPANS, OBSTACLES = "contacts/spans", "obstacles/"


@reads(".zarr")
def load_folder(path: Path, retime: float | None = None) -> Take:
    """Read a take, whether its run has ended or not: its complete frames are checked one by one.

    Positions, velocities and rest shapes stay on disk, and are read again when they are asked for.
    """
    return _open(path, check_frames=True, retime=retime)


def open_written(path: Path) -> Take:
    """The take that this process has written; its frames are not looked at before they are read."""
    return _open(path, check_frames=False)


def _open(path: Path, *, check_frames: bool, retime: float | None = None) -> Take:
    facts = facts_of(path)
    count = count_frames(path)
    if count == 0:
        raise ValueError(f"{path} has no complete frame: its run ended before it began")
    stored = _stored(path, count)
    take = read_take(path, facts, stored, check_frames=check_frames, retime=retime)
    take.source = path
    return take


def count_frames(path: Path) -> int:
    """The number of complete frames of a take, also while it is being written."""
    if (path / "times").is_symlink():
        raise DamagedError(f"{path / 'times'} is a link; a take has none")
    if not (path / "times" / ".zarray").exists():
        return 0
    times = Chunked.open(path / "times")
    if len(times.shape) != 1 or times.rows != 1:
        raise DamagedError(f"{path / 'times'} is not one time per chunk")
    count = 0
    while count < times.shape[0] and times.has(count):
        count += 1
    return count


def said_of(path: Path) -> dict[str, Any]:
    """The description in a folder, unchecked. Refuses a folder that is no take."""
    found = None
    if path.is_dir():
        try:
            found = read_json(path / ATTRIBUTES)
        except (ValueError, FileNotFoundError):
            found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT["format"]:
        raise ValueError(f"{path} is not a take of pliant; expected a folder that pliant wrote")
    return found


def facts_of(path: Path) -> dict[str, Any]:
    """The facts about a take, without reading its frames."""
    found = said_of(path)
    version = found.get("version")
    if type(version) is not int or version < 1:
        raise DamagedError(f"{path}: got version {shown(version)}; expected a whole number")
    if version > CHANGED["version"]:
        about = found.get("about")
        by = about.get("pliant") if isinstance(about, dict) else None
        raise ValueError(
            f"{path} was written by pliant {by} in a newer format ({version}); expected "
            f"{CHANGED['version']}: pip install -U pliant"
        )
    require_facts(path, found)
    return found


def first_frames(place: Path, count: int) -> list[int]:
    """The first frame of each mesh that cuts have made of a body, of `count` complete frames.

    A run that was killed may have left the mesh of a frame that was not completed: it does not count.
    """
    found: list[int] = []
    while (first := place / CHANGES / str(len(found) + 1) / FIRST).joinpath(".zarray").exists():
        array = Chunked.open(first)
        if array.shape != (1,) or array.dtype.kind not in "iu":
            raise DamagedError(f"{first} has the shape {array.shape}; expected one whole number")
        frame = int(array.row(0)) if array.has(0) else count
        if frame >= count:
            break
        if frame <= (found[-1] if found else 0):
            raise DamagedError(f"{first} is frame {frame}; expected one after those before it")
        found.append(frame)
    return found


def _stored(path: Path, count: int) -> dict[str, Stored]:
    """The arrays in the folder. Arrays that grow with the run have the rows of complete frames."""
    found, seen = {}, _identity(path)
    firsts: dict[str, list[int]] = {}
    for folder in require_plain_tree(path):
        if not (folder / ".zarray").exists():
            continue
        name = folder.relative_to(path).as_posix()
        body, own = name.split("/", 1)[0], name.split("/", 1)[-1]
        if body.startswith("body") and body not in firsts:
            firsts[body] = first_frames(path / body, count)
        array, rows = Chunked.open(folder), None
        number, inner = _number_of(own)
        if number > len(firsts.get(body, ())):
            continue
        if inner in OF_TOPOLOGY:
            ends = [0, *firsts[body], count]
            rows = ends[number + 1] - ends[number]
        elif own in (*BY_FRAME, "times") or name == SPANS or name.startswith(OBSTACLES):
            rows = count
        elif own.startswith("solver/"):
            rows = min((count - 1) * array.rows, array.shape[0])
        shape = array.shape if rows is None else (rows, *array.shape[1:])
        row = partial(_row, path, seen, array)
        found[name] = Stored(shape, array.dtype.newbyteorder("="), partial(array.get, rows), row)
    return found


def _number_of(name: str) -> tuple[int, str]:
    """Of an array of a body the number of its mesh, 0 for the first, and its name beside that mesh."""
    head, _, rest = name.partition("/")
    number, _, inner = rest.partition("/")
    return (int(number), inner) if head == CHANGES and number.isdecimal() else (0, name)


def _row(path: Path, seen: tuple[int, int], array: Chunked, index: int) -> np.ndarray:
    """One row of an array of the take that was opened. Refuses a row of a later run in its place."""
    try:
        return array.row(index)
    finally:
        try:
            same = _identity(path) == seen
        except FileNotFoundError:
            same = False
        if not same:
            raise ValueError(
                f"{path} was removed or written again after this take was read; expected it to stay "
                "while it is used: read it again, or save it under another name"
            )


def _identity(path: Path) -> tuple[int, int]:
    """Identifies a take: the file of its first time is written only once."""
    found = os.stat(path / "times" / "0")
    return found.st_ino, found.st_mtime_ns
