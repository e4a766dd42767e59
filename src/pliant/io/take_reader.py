"""Reads takes: what a file says is checked here, and trusted everywhere else.

Facts, then shapes and types of all arrays, are checked before an array is read; then its values.
Frames that a file has one by one are not kept: each is checked whenever it is read.
Whatever is wrong is one line with the file, what was found and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.boundary import obstacle_of
from pliant.contact import FrameContacts
from pliant.errors import shown
from pliant.mesh import BEYOND_SENSE, CELL_KINDS, KINDS, Mesh, Skin, Surface
from pliant.reduced import OF_FRAME, Basis, LineBasis, ReducedRows
from pliant.take import (
    ENERGIES,
    SOLVER,
    CoordinateFrames,
    Frames,
    LazyFrames,
    Picked,
    Take,
    Track,
)

from .arrays import COORDINATES, contacts_of
from .plain_files import DamagedError
from .stored import Stored, require_room
from .take_facts import group_names, require_facts

Arrays = dict[str, np.ndarray]
_NUMBER, _WHOLE, _TRUTH, _TEXT = "f", "iu", "biu", "U"


@dataclass(frozen=True)
class Field:
    """The required type and shape of an array; letters in `shape` are sizes that must agree."""

    shape: tuple[str | int, ...]
    kinds: str  # kinds of NumPy's dtypes
    finite: bool = True
    optional: bool = False
    positive: bool = False


#: The arrays of a body: F frames, N points, D dimensions, S steps, R rest shapes, M points of the skin.
TAKE_FIELDS = {
    "points": Field(("N", "D"), _NUMBER),
    "positions": Field(("F", "N", "D"), _NUMBER),
    "velocities": Field(("F", "N", "D"), _NUMBER),
    "reduced/columns": Field(("N", "D", "Q"), _NUMBER, optional=True),
    "reduced/eigenvalues": Field(("Q",), _NUMBER, optional=True, positive=True),
    "reduced/lines": Field(("N", "D"), _WHOLE, optional=True),
    "reduced/shares": Field(("N", "D"), _NUMBER, optional=True),
    "reduced/sections": Field(("Q",), _NUMBER, optional=True, positive=True),
    COORDINATES: Field(("F", "K"), _NUMBER, optional=True),
    "energies": Field(("F", "E"), _NUMBER, finite=False),
    "resting": Field(("F",), _WHOLE),
    "changed": Field(("F",), _NUMBER, optional=True),
    "plastic": Field(("F", "P"), _NUMBER, optional=True),
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


#: What a body has coordinates in place of.
MOTION = ("positions", "velocities")
#: Arrays that may be larger than memory: read row by row where the file has rows.
BY_ROW = ("positions", "velocities", COORDINATES, "rests")


def read_take(
    path: Path, facts: Any, stored: Mapping[str, Stored], *, check_frames: bool = True
) -> Take:
    """The take that a file at `path` holds; check_frames: look at every frame now, too."""
    require_facts(path, facts)
    count = _count(path, stored)
    bodies = [_select(path, i, facts, stored, count) for i in range(len(facts["names"]))]
    by_row = [b[k] for b in bodies for k in BY_ROW if k in b and b[k].row is not None]
    whole = [array for body in bodies for array in body.values() if array not in by_row]
    require_room(path, whole, by_row)
    times = _times(path, stored["times"])
    tracks = []
    for i, (name, asked) in enumerate(zip(facts["names"], facts["asked"], strict=True)):
        own = bodies[i]
        read = {
            key: _values(path, f"body{i}/{key}", array)
            for key, array in own.items()
            if key not in BY_ROW
        }
        frames = {k: _rows(path, f"body{i}/{k}", own[k], check_frames) for k in BY_ROW if k in own}
        tracks.append(_track(path, name, asked, times, read, frames, group_names(facts, i)))
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


def _times(path: Path, found: Stored) -> np.ndarray:
    times = _values(path, "times", found)
    if (np.diff(times) <= 0.0).any():
        frame = int(np.flatnonzero(np.diff(times) <= 0.0)[0]) + 1
        raise DamagedError(f"{path}: frame {frame} is not later than the one before it")
    return times


def _select(
    path: Path, body: int, facts: dict[str, Any], stored: Mapping[str, Stored], frames: int
) -> dict[str, Stored]:
    """The arrays of a body, of which shapes and types are as they must be."""
    own = _under(f"body{body}/", stored)
    sizes: dict[str, int] = {"F": frames}
    chosen: dict[str, Stored] = {}
    for name, field in TAKE_FIELDS.items():
        if name in own:
            _require_field(f"{path}: body{body}/{name}", field, own[name], sizes)
            chosen[name] = own[name]
        elif name in MOTION and COORDINATES in own:
            continue
        elif not (field.optional or (name == "energies" and facts.get("energies") is False)):
            raise DamagedError(f"{path} has no array body{body}/{name}")
    if sizes.get("E", 4) not in (4, len(ENERGIES.names or ())):  # the first four are in all takes
        raise DamagedError(f"{path}: body{body} has {sizes['E']} energies; expected 4 or 6")
    whole = "reduced/eigenvalues" in own
    of_lines = {"reduced/lines", "reduced/shares", "reduced/sections"} <= own.keys()
    columns = of_lines or "reduced/columns" in own
    if COORDINATES in own and not (whole and columns and sizes["K"] == 2 * sizes["Q"] + OF_FRAME):
        raise DamagedError(f"{path}: body{body} has coordinates of other columns than it has")
    if sizes["D"] not in (2, 3):
        raise DamagedError(f"{path}: body{body} has {sizes['D']} coordinates; expected 2 or 3")
    names = group_names(facts, body)
    for kind in ("groups", "skin/groups"):
        there = _under(f"{kind}/", own)
        for key in there if names is None else map(str, range(len(names[kind]))):
            if key not in there:
                raise DamagedError(f"{path} has no array body{body}/{kind}/{key}")
            _require_field(
                f"{path}: body{body}/{kind}/{key}", Field((key,), _WHOLE), there[key], {}
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
    field = TAKE_FIELDS.get(name.split("/", 1)[-1])
    if values.dtype.kind == "f" and (field is None or field.finite):
        _require_sense(path, name, values)
    if field is not None and field.positive and not (values > 0.0).all():
        raise DamagedError(f"{path}: {name} has a number that is not above zero")
    if values.dtype.kind == "U" and (values.view(np.uint32) > 0x10FFFF).any():
        raise DamagedError(f"{path}: {name} is no text")
    return values


def _track(
    path: Path,
    name: str,
    asked: dict[str, Any],
    times: np.ndarray,
    own: Arrays,
    frames: dict[str, Frames],
    names: dict[str, list[str]] | None,
) -> Track:
    def groups(kind: str) -> Arrays:
        found = _under(f"{kind}/", own)
        return found if names is None else dict(zip(names[kind], found.values(), strict=True))

    try:
        mesh = Mesh(own["points"], _under("cells/", own), groups=groups("groups"))
        skin = _skin(own, groups("skin/groups"))
    except ValueError as error:
        raise DamagedError(f"{path}: {name}: {error}") from None
    nodes, resting = skin.nodes, own["resting"]
    if nodes.size and (nodes.min() < 0 or nodes.max() >= len(mesh)):
        raise DamagedError(f"{path}: the skin of {name} follows points that its mesh does not have")
    parts = own["components"]
    labels = np.unique(parts[parts >= 0])
    if parts.min() < -1 or not np.array_equal(labels, np.arange(len(labels))):
        raise DamagedError(f"{path}: the parts of {name} are not numbered from 0")
    if np.abs(skin.weights.sum(axis=1) - 1.0).max(initial=0.0) > 1e-6:
        raise DamagedError(f"{path}: the skin of {name} has weights that do not sum to one")
    lines = own.get("reduced/lines")
    if lines is not None and (lines.min() < -1 or lines.max() >= len(own["reduced/sections"])):
        raise DamagedError(f"{path}: points of {name} follow long elements that it does not have")
    rests = frames.get("rests")
    if resting.min() < -1 or resting.max() >= (0 if rests is None else len(rests)):
        raise DamagedError(f"{path}: {name} aims for rest shapes that are not there")
    changed = own.get("changed")
    if changed is not None and ((np.diff(changed) < 0.0).any() or (changed > times).any()):
        raise DamagedError(f"{path}: {name} has changes that come after the frames that tell them")
    solver = np.zeros(len(own["solver/time"]), SOLVER)
    for field in SOLVER.names or ():
        solver[field] = own[f"solver/{field}"]
    return Track(
        name=name,
        mesh=mesh,
        times=times,
        **_motion(mesh, own, frames),
        count_energies=_energies(own.get("energies")),
        solver=solver,
        # Frame 0 is written before the damping has looked for its rest shape.
        rests=None if rests is None or not len(rests) else Picked(rests, np.maximum(resting, 0)),
        masses=own["masses"],
        pinned=own["pinned"].astype(bool),
        components=own["components"],
        asked=asked,
        skin=skin,
        changed=changed,
        plastic=own.get("plastic"),
    )


def _motion(mesh: Mesh, own: Arrays, frames: dict[str, Frames]) -> dict[str, Any]:
    """Positions and velocities by frame; of a reduced body expanded when they are asked for."""
    if COORDINATES not in frames:
        return {name: frames[name] for name in MOTION}
    rows, basis = frames[COORDINATES], _basis(mesh, own)
    found = {}
    for name in MOTION:
        kept = ReducedRows(basis, rows, velocities=name == "velocities")
        found[name] = CoordinateFrames((len(rows), *mesh.points.shape), _at(kept), kept)
    return found


def _basis(mesh: Mesh, own: Arrays) -> Basis:
    values = own["reduced/eigenvalues"]
    if "reduced/columns" not in own:
        lines = (own[f"reduced/{name}"] for name in ("lines", "shares", "sections"))
        return LineBasis.of_lines(mesh.points, own["masses"], *lines)
    columns = np.ascontiguousarray(own["reduced/columns"]).reshape(-1, len(values))
    free = not own["pinned"].any()
    return Basis(mesh.points, columns, values, own["masses"], len(values), free)


def _at(kept: ReducedRows) -> Callable[[int], np.ndarray]:
    return lambda frame: np.asarray(kept[frame])


def _energies(columns: np.ndarray | None) -> Callable[[], np.ndarray] | None:
    """A function that returns the energies of a body; None if they were not recorded."""
    if columns is None:
        return None
    energies = np.zeros(len(columns), ENERGIES)
    for field, column in zip(ENERGIES.names or (), columns.T, strict=False):
        energies[field] = column
    return lambda: energies


def _skin(own: Arrays, groups: Arrays) -> Skin:
    surface = Surface(
        own["skin/points"],
        own["skin/sizes"],
        own["skin/corners"],
        own.get("skin/uv"),
        own.get("skin/normals"),
        groups=groups,
    )
    return Skin(surface, own["skin/nodes"], own["skin/weights"])


def _under(prefix: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    return {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}
