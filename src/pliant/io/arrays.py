"""A take as named arrays: what every file that can be read back holds.

| array | shape | what |
|---|---|---|
| `times` | (frames,) | [s] |
| `body0/positions`, `body0/velocities` | (frames, n, d) | [m], [m/s] |
| `body0/reduced/columns` | (n, d, r) | of a body in its modes, without these two |
| `body0/reduced/eigenvalues` | (r,) | [1/s^2] of each column |
| `body0/reduced/lines`, `body0/reduced/shares` | (n, d) | of a `LineBasis`, without `columns` |
| `body0/reduced/sections` | (r,) | [m^2] of each long element |
| `body0/reduced/coordinates` | (frames, 2 r + 24) | q, p, and the numbers of a `BodyFrame` |
| `body0/energies` | (frames, 7) | [J], fields of `ENERGIES`; 4 in old takes; absent if not recorded |
| `body0/resting` | (frames,) | which of `rests` the damping aimed for; -1: none |
| `body0/changed` | (frames,) | when pins, loads or matter had changed last [s]; absent in old takes |
| `body0/plastic` | (frames, cells) | equivalent plastic strain; absent of bodies that do not flow |
| `body0/rests` | (k, n, d) | the shapes it aimed for [m]; absent without one |
| `body0/solver/{field}` | (steps,) | time [s], iterations, linear_iterations, residual [N], reason |
| `body0/masses`, `body0/pinned` | (n,) | [kg]; whether a point is fixed or driven |
| `body0/components` | (n,) | the connected part each point is in, after all that was cut |
| `body0/points` | (n, d) | points of the mesh [m] |
| `body0/cells/{kind}` | (cells, nodes) | point indices of the cells of each kind |
| `body0/groups/{number}` | (k,) | point indices of named groups |
| `obstacles/{number}` | (frames, d, d + 1) | [R, shift] of those that move; or points [m] |
| `contacts/spans` | (frames, 2) | first row and number of rows; absent if not recorded |
| `contacts/rows` | (k, 3 d + 2) | points [m], normals, forces [N], and the numbers of both sides |
| `body0/changes/{k}/...` | | what is of points or cells, of the mesh after the k-th change |
| `body0/changes/{k}/first` | (1,) | the first frame that has it: rows of its frames count from there |
| `body0/changes/{k}/parents/starts`, `points`, `weights` | | its points as means of those before |
| `body0/changes/{k}/parents/cells` | (cells,) | the cell before that each is a piece of, of all kinds |
| `body0/skin/{field}` | | points, sizes, corners, uv, normals, nodes, weights of what is drawn |

The arrays of body i begin with `body{i}/`. Beside them, as JSON: `dt` [s], `names` of the bodies,
`asked` of each (rest_in [s], bounces, within), `groups`, the names of each body's groups in the order
of their numbers, `about`, what made the take, `energies`: false if they were not recorded, and
`contacts`: the names that contacts are numbered by, those of bodies before those of obstacles.
`take_reader.py` reads and checks all this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.contact import FrameContacts
from pliant.mesh import MeshChange
from pliant.reduced import OF_FRAME, Basis, LineBasis, row_of
from pliant.take import (
    ENERGIES,
    SOLVER,
    CoordinateFrames,
    Frames,
    LazyFrames,
    Picked,
    Take,
    Topology,
    Track,
)

Arrays = dict[str, np.ndarray]
#: Said by a take without energies, so that one whose energies were lost is refused.
NO_ENERGIES = {"energies": False}
#: Has one row per frame, of bodies that have no positions.
COORDINATES = "reduced/coordinates"
#: Where the meshes are that cuts have made, by number from 1 on, and the first frame of each.
CHANGES, FIRST = "changes", "first"
_SURFACE = ("points", "sizes", "corners", "uv", "normals")


def facts(take: Take) -> dict[str, Any]:
    """The facts that are stored beside the arrays."""
    recorded = all(track.count_energies is not None for track in take.tracks)
    return {
        "dt": take.dt,
        "names": [track.name for track in take.tracks],
        "asked": [track.asked for track in take.tracks],
        "about": take.about,
        "groups": [_all_group_names(track) for track in take.tracks],
        **({} if recorded else NO_ENERGIES),
        **(contact_facts(take.contacts[0].names) if take.has_contacts else {}),
    }


def contact_facts(names: Sequence[str]) -> dict[str, Any]:
    """What is said of recorded contacts."""
    return {"contacts": list(names)}


def contact_rows(contacts: FrameContacts) -> np.ndarray:
    """The contacts of one frame as rows, (k, 3 d + 2)."""
    return np.concatenate(
        [contacts.points, contacts.normals, contacts.forces, contacts.pairs], axis=1
    )


def contacts_of(rows: np.ndarray, names: Sequence[str]) -> FrameContacts:
    """The contacts that `contact_rows` wrote."""
    d = (rows.shape[1] - 2) // 3
    points, normals, forces = (rows[:, k * d : (k + 1) * d] for k in range(3))
    return FrameContacts(points, normals, forces, rows[:, 3 * d :].astype(np.int64), tuple(names))


def shared_arrays(take: Take) -> tuple[Arrays, dict[str, Frames]]:
    """The arrays of no body: those that are small, and those to be written row by row."""
    arrays: Arrays = {}
    if take.has_contacts:
        found = [contact_rows(contacts) for contacts in take.contacts]
        counts = np.array([len(rows) for rows in found], dtype=np.int64)
        arrays["contacts/spans"] = np.stack([np.cumsum(counts) - counts, counts], axis=1)
        arrays["contacts/rows"] = np.concatenate(found)
    return arrays, {f"obstacles/{i}": frames for i, frames in enumerate(take.motions)}


def group_names(of: Topology | Deformable) -> dict[str, Any]:
    """Names of the groups of points, in the order in which their arrays are numbered.

    A name comes from a mesh file, and must never become a path.
    """
    return {"groups": list(of.mesh.groups), "skin/groups": list(of.skin.surface.groups)}


def _all_group_names(track: Track) -> dict[str, Any]:
    """Those of its first mesh, and those of each that a cut has made."""
    first, *later = track.topologies
    cut = {str(k): group_names(each) for k, each in enumerate(later, 1)}
    return group_names(first) | ({CHANGES: cut} if cut else {})


def fixed_arrays(of: Topology | Deformable) -> Arrays:
    """The arrays of one body that do not change over the frames, while its mesh stays."""
    mesh, skin = of.mesh, of.skin
    arrays = {"masses": of.masses, "pinned": of.pinned, "components": of.components}
    arrays["points"] = mesh.points
    arrays |= {f"cells/{kind}": cells for kind, cells in mesh.cells.items()}
    arrays |= {f"groups/{i}": members for i, members in enumerate(mesh.groups.values())}
    surface = {name: getattr(skin.surface, name) for name in _SURFACE}
    arrays |= {f"skin/{name}": array for name, array in surface.items() if array is not None}
    groups = skin.surface.groups.values()
    arrays |= {f"skin/groups/{i}": members for i, members in enumerate(groups)}
    return arrays | {"skin/nodes": skin.nodes, "skin/weights": skin.weights}


def track_arrays(track: Track) -> tuple[Arrays, dict[str, Frames]]:
    """Every array of one body: those that are small, and those to be written row by row."""
    arrays: Arrays = {}
    if track.count_energies is not None:
        arrays["energies"] = np.stack([track.energies[k] for k in ENERGIES.names or ()], axis=1)
    arrays |= {f"solver/{k}": track.solver[k] for k in SOLVER.names or ()}
    rows: dict[str, Frames] = {}
    if track.changed is not None:
        arrays["changed"] = track.changed
    resting = []
    for number, topology in enumerate(track.topologies):
        own, frames, which = _topology_arrays(topology)
        place = f"{CHANGES}/{number}/" if number else ""
        arrays |= {f"{place}{name}": array for name, array in own.items()}
        rows |= {f"{place}{name}": array for name, array in frames.items()}
        resting.append(which)
    arrays["resting"] = np.concatenate(resting)
    return arrays, rows


def _topology_arrays(topology: Topology) -> tuple[Arrays, dict[str, Frames], np.ndarray]:
    """The arrays of a body while its mesh stays, and which of `rests` each of its frames has."""
    arrays = fixed_arrays(topology)
    rows = _motion(topology, arrays)
    if topology.plastic is not None:
        rows["plastic"] = topology.plastic
    if topology.change is not None:
        arrays |= change_arrays(topology.change) | {FIRST: np.array([topology.first])}
    which = np.full(len(topology.positions), -1)
    if topology.rests is not None:
        first, which = distinct(topology.rests)
        rows["rests"] = Picked(topology.rests, first)
    return arrays, rows, which


def change_arrays(change: MeshChange) -> Arrays:
    """Where the points and cells of a mesh that was cut come from."""
    matrix = change.points
    return {
        "parents/starts": matrix.indptr.astype(np.int64),
        "parents/points": matrix.indices.astype(np.int64),
        "parents/weights": matrix.data.astype(float),
        "parents/cells": np.asarray(change.cells, dtype=np.int64),
    }


def basis_arrays(basis: Basis) -> Arrays:
    """The columns of a reduced body, or which of its coordinates each point follows."""
    if isinstance(basis, LineBasis):
        lines = {"reduced/lines": basis.of, "reduced/shares": basis.shares}
        return lines | {
            "reduced/sections": basis.sections,
            "reduced/eigenvalues": basis.eigenvalues,
        }
    columns = basis.columns.reshape(*basis.points.shape, len(basis))
    return {"reduced/columns": columns, "reduced/eigenvalues": basis.eigenvalues}


def _motion(of: Topology, arrays: Arrays) -> dict[str, Frames]:
    """Positions and velocities by frame, or coordinates; their basis goes to `arrays`."""
    x, v = of.positions, of.velocities
    if not (isinstance(x, CoordinateFrames) and isinstance(v, CoordinateFrames)):
        return {"positions": x, "velocities": v}
    if len({id(shape.basis) for shape in x.kept}) > 1:  # loads came or went
        return {"positions": x, "velocities": v}
    arrays |= basis_arrays(x.kept[0].basis)
    width = 2 * len(x.kept[0].basis) + OF_FRAME
    rows = LazyFrames((len(x), width), lambda k: row_of(x.kept[k], getattr(v.kept[k], "p", None)))
    return {COORDINATES: rows}


def distinct(rests: Sequence[np.ndarray]) -> tuple[list[int], np.ndarray]:
    """The frames whose rest shape differs from the one before, and which of these each frame has."""
    first: list[int] = []
    which = np.zeros(len(rests), dtype=np.int64)
    before: np.ndarray | None = None
    for i, rest in enumerate(rests):
        if before is None or not (rest is before or np.array_equal(rest, before)):
            first.append(i)
        before = rest
        which[i] = len(first) - 1
    return first, which
