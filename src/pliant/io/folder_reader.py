"""Reads takes that are folders, also while a run still writes them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from pliant.given import shown
from pliant.take import Take

from .chunks import SAID, Chunked
from .plain_files import DamagedError, read_json, require_plain_tree
from .registry import reads
from .stored import Stored
from .take_facts import require_facts
from .take_reader import read_take

FORMAT = {"format": "pliant take", "version": 2}
#: Arrays with one row per frame; the rows of `solver/` are steps.
FRAMES = ("positions", "velocities", "energies", "resting")


@reads(".zarr")
def load_folder(path: Path) -> Take:
    """Read all complete frames of a take, whether its run has ended or not."""
    facts = facts_of(path)
    count = count_frames(path)
    if count == 0:
        raise ValueError(f"{path} has no complete frame: its run ended before it began")
    return read_take(path, facts, _stored(path, count))


def count_frames(path: Path) -> int:
    """How many frames of a take are complete, also while it is written."""
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
    """What the folder says of itself, unchecked; refuses what is no take at all."""
    found = None
    if path.is_dir():
        try:
            found = read_json(path / SAID)
        except (ValueError, FileNotFoundError):
            found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT["format"]:
        raise ValueError(f"{path} is not a take of pliant; expected a folder that pliant wrote")
    return found


def facts_of(path: Path) -> dict[str, Any]:
    """What is said about a take, without reading its frames."""
    found = said_of(path)
    version = found.get("version")
    if type(version) is not int or version < 1:
        raise DamagedError(f"{path}: got version {shown(version)}; expected a whole number")
    if version > FORMAT["version"]:  # type: ignore[operator]
        about = found.get("about")
        by = about.get("pliant") if isinstance(about, dict) else None
        raise ValueError(
            f"{path} was written by pliant {by} in a newer format ({version}); expected "
            f"{FORMAT['version']}: pip install -U pliant"
        )
    require_facts(path, found)
    return found


def _stored(path: Path, count: int) -> dict[str, Stored]:
    """The arrays in the folder, of those that grow the rows of complete frames."""
    found = {}
    for folder in require_plain_tree(path):
        if not (folder / ".zarray").exists():
            continue
        name = folder.relative_to(path).as_posix()
        array, rows = Chunked.open(folder), None
        own = name.split("/", 1)[-1]
        if own in (*FRAMES, "times"):
            rows = count
        elif own.startswith("solver/"):
            rows = min((count - 1) * array.rows, array.shape[0])
        shape = array.shape if rows is None else (rows, *array.shape[1:])
        found[name] = Stored(shape, array.dtype.newbyteorder("="), partial(array.get, rows))
    return found
