"""Makes the track of a body from arrays that were read: what they say of each other is checked here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from pliant.mesh import Mesh, MeshChange, Skin, Surface
from pliant.reduced import Basis, LineBasis, ReducedRows
from pliant.take import (
    ENERGIES,
    SOLVER,
    CoordinateFrames,
    Frames,
    Picked,
    Topology,
    Track,
    track_fields,
)

from .arrays import COORDINATES
from .plain_files import DamagedError

Arrays = dict[str, np.ndarray]
#: What a body has coordinates in place of.
MOTION = ("positions", "velocities")


@dataclass(frozen=True)
class MeshPlace:
    """Where the arrays of one mesh of a body are, its number, and the frames that have it."""

    name: str
    number: int
    first: int
    rows: int


@dataclass(frozen=True)
class ReadMesh:
    """The arrays of a body for one of its meshes; names: of groups, which are numbered in the file."""

    place: MeshPlace
    arrays: Arrays
    frames: dict[str, Frames]
    names: dict[str, list[str]] | None

    def groups(self, kind: str) -> Arrays:
        """Its groups by name."""
        found = under(f"{kind}/", self.arrays)
        if self.names is None:
            return found
        return dict(zip(self.names[kind], found.values(), strict=True))

    def mesh(self, before: Mesh | None) -> Mesh:
        """The mesh; before: the one that it was made of by a cut, whose sides may touch."""
        points, cells = self.arrays["points"], under("cells/", self.arrays)
        groups = self.groups("groups")
        if before is None:
            return Mesh.of_sides(points, cells, groups)  # of a body that was torn before
        if cells.keys() != before.cells.keys():
            raise ValueError(f"a cut made {sorted(cells)} of {sorted(before.cells)}")
        for numbers in (*cells.values(), *groups.values()):
            if numbers.size and (numbers.min() < 0 or numbers.max() >= len(points)):
                raise ValueError("a mesh after a cut has numbers of points that it does not have")
        return before.with_parts(points, cells, groups)


def track_of(
    path: Path, name: str, asked: dict[str, Any], times: np.ndarray, read: Sequence[ReadMesh]
) -> Track:
    """The track of a body, of which the arrays of all meshes were read."""
    own = read[0].arrays
    changed = own.get("changed")
    if changed is not None and ((np.diff(changed) < 0.0).any() or (changed > times).any()):
        raise DamagedError(f"{path}: {name} has changes that come after the frames that tell them")
    painted = asked.get("painted", [])
    if painted and len(painted) not in (len(own["points"]), len(read[-1].arrays["points"])):
        raise DamagedError(f"{path}: {name} has {len(painted)} wishes, not one for each point")
    solver = np.zeros(len(own["solver/time"]), SOLVER)
    for field in SOLVER.names or ():
        solver[field] = own[f"solver/{field}"]
    return Track(
        name=name,
        times=times,
        count_energies=_energies(own.get("energies")),
        solver=solver,
        asked=asked,
        changed=changed,
        **track_fields(_topologies(path, name, read)),
    )


def _topologies(path: Path, name: str, read: Sequence[ReadMesh]) -> list[Topology]:
    """The meshes that a body has, one after the other."""
    found: list[Topology] = []
    for each in read:
        change: MeshChange | None = None
        try:
            mesh = each.mesh(found[-1].mesh if found else None)
        except ValueError as error:
            raise DamagedError(f"{path}: {name}: {error}") from None
        if found:
            change = _change(path, found[-1].mesh, mesh, each)
        found.append(_topology(path, name, mesh, each, read[0].arrays["resting"], change))
    return found


def _change(path: Path, before: Mesh, mesh: Mesh, read: ReadMesh) -> MeshChange:
    """What made a mesh of the one before it."""
    own, where = read.arrays, f"{path}: {read.place.name}"
    starts, points = own["parents/starts"], own["parents/points"]
    weights, cells = own["parents/weights"], own["parents/cells"]
    fits = starts[0] == 0 and starts[-1] == len(points) and (np.diff(starts) > 0).all()
    if not fits or points.min() < 0 or points.max() >= len(before):
        raise DamagedError(f"{where} has parents that the mesh before does not have")
    matrix = csr_array((weights, points, starts), shape=(len(mesh), len(before)))
    if np.abs(matrix.sum(axis=1) - 1.0).max() > 1e-6:
        raise DamagedError(f"{where} has parents whose weights do not sum to one")
    count = sum(map(len, before.cells.values()))
    if len(cells) != sum(map(len, mesh.cells.values())) or cells.min() < 0 or cells.max() >= count:
        raise DamagedError(f"{where} has pieces of cells that the mesh before does not have")
    return MeshChange(mesh, matrix, cells)


def _topology(
    path: Path,
    name: str,
    mesh: Mesh,
    read: ReadMesh,
    resting: np.ndarray,
    change: MeshChange | None,
) -> Topology:
    """A body in the frames that have one mesh."""
    own = read.arrays
    try:
        skin = _skin(own, read.groups("skin/groups"))
    except ValueError as error:
        raise DamagedError(f"{path}: {name}: {error}") from None
    _require_of_mesh(path, name, mesh, skin, own)
    rests, first = read.frames.get("rests"), read.place.first
    which = resting[first : first + read.place.rows]
    if which.min() < -1 or which.max() >= (0 if rests is None else len(rests)):
        raise DamagedError(f"{path}: {name} aims for rest shapes that are not there")
    return Topology(
        first=first,
        mesh=mesh,
        skin=skin,
        masses=own["masses"],
        pinned=own["pinned"].astype(bool),
        components=own["components"],
        **_motion(mesh, own, read.frames),
        # Frame 0 is written before the damping has looked for its rest shape.
        rests=None if rests is None or not len(rests) else Picked(rests, np.maximum(which, 0)),
        plastic=own.get("plastic"),
        change=change,
    )


def _require_of_mesh(path: Path, name: str, mesh: Mesh, skin: Skin, own: Arrays) -> None:
    """Refuse a skin, parts or long elements of another mesh."""
    nodes = skin.nodes
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


def under(prefix: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays whose names begin so, by the rest of these."""
    return {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}
