"""Takes as VTKHDF: every frame in one file that ParaView opens (5.12 or newer, several bodies: 5.13).

The cells are written once for every mesh that a body has; steps refer to them and bring their own
points and fields. One body is an UnstructuredGrid, several are the blocks of a MultiBlockDataSet.
Recorded contacts are one more block, of points with fields `force` [N], `normal` and `pair`, the
numbers of both sides.
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import optional
from pliant.mesh import in_space
from pliant.take import Take, progress_bar

from .arrays import facts
from .atomic import atomic_write
from .grids import VtkGrid
from .registry import writes
from .surfaces import unique_names

if TYPE_CHECKING:
    from h5py import Group

#: The block of contacts.
CONTACTS = "contacts"
_VTKHDF_VERSION = (2, 2)  # of the VTKHDF layout


@writes(".vtkhdf", energies=False)
def save_vtkhdf(take: Take, path: Path) -> None:
    """Write all bodies and frames; float64, so that nothing is rounded."""
    h5py = optional("h5py", ".vtkhdf files", "vtk")
    grids = [VtkGrid.of(track) for track in take.tracks]
    _require_room(take, path)
    with (
        progress_bar(len(take) * len(grids), path.name) as advance,
        atomic_write(path) as draft,
        h5py.File(draft, "w") as file,
    ):
        file.attrs["pliant"] = json.dumps(facts(take))
        root = file.create_group("VTKHDF", track_order=True)
        if len(grids) == 1 and not take.has_contacts:
            _write_grid(root, grids[0], take.times, advance)
            return
        # Not a PartitionedDataSetCollection: VTK 9.7 takes the steps of one for another block, and
        # without them stays at the first step.
        _describe(root, "MultiBlockDataSet")
        _write_steps(root, take.times)
        assembly = root.create_group("Assembly", track_order=True)
        names = _block_names([track.name for track in take.tracks])
        for i, (grid, name) in enumerate(zip(grids, names, strict=True)):
            block = root.create_group(name, track_order=True)
            block.attrs["Index"] = i
            _write_grid(block, grid, take.times, advance)
            assembly[name] = h5py.SoftLink(f"/VTKHDF/{name}")
        if take.has_contacts:
            block = root.create_group(CONTACTS, track_order=True)
            block.attrs["Index"] = len(grids)
            write_contacts(block, take)
            assembly[CONTACTS] = h5py.SoftLink(f"/VTKHDF/{CONTACTS}")


def _require_room(take: Take, path: Path) -> None:
    """Refuse a disk that positions and velocities would fill: HDF5 does not survive a full one."""
    each = [own for track in take.tracks for own in track.topologies]
    needed = sum(2 * 3 * 8 * len(own.positions) * len(own.mesh) for own in each)
    free = shutil.disk_usage(path.parent).free
    if needed > free:
        raise OSError(
            errno.ENOSPC, f"needs {needed / 1e6:.0f} MB; {free / 1e6:.0f} MB are free", str(path)
        )


def _block_names(names: list[str]) -> list[str]:
    """The bodies' names as HDF5 and VTK allow them: no slash, no dot, and not the assembly's own."""
    plain = ["".join(c if c.isalnum() or c in "-_ " else "_" for c in name) for name in names]
    return unique_names(["Assembly", "Steps", CONTACTS, *(name or "body" for name in plain)])[3:]


def write_contacts(group: Group, take: Take) -> None:
    """Write what touches in every frame, as points."""
    counts = np.array([len(contacts) for contacts in take.contacts], dtype=np.int64)
    firsts = np.cumsum(counts) - counts
    _describe(group, "PolyData")
    every = take.contacts
    group["NumberOfPoints"] = counts
    group["Points"] = in_space(np.concatenate([c.points for c in every]))
    data = group.create_group("PointData")
    data["force"] = in_space(np.concatenate([c.forces for c in every]))
    data["normal"] = in_space(np.concatenate([c.normals for c in every]))
    data["pair"] = np.concatenate([c.pairs for c in every])
    none = np.zeros(len(counts), dtype=np.int64)
    for kind in ("Vertices", "Lines", "Polygons", "Strips"):
        cells, some = group.create_group(kind), counts if kind == "Vertices" else none
        cells["NumberOfCells"] = cells["NumberOfConnectivityIds"] = some
        cells["Connectivity"] = np.concatenate([np.arange(n) for n in some])
        cells["Offsets"] = np.concatenate([np.arange(n + 1) for n in some])
    steps = _write_steps(group, take.times)
    frames = np.arange(len(counts))
    steps["NumberOfParts"], steps["PartOffsets"] = np.ones_like(frames), frames
    steps["PointOffsets"] = firsts
    # For vertices, lines, polygons and strips.
    places = np.zeros((len(counts), 4), dtype=np.int64)
    places[:, 0] = firsts
    steps["CellOffsets"] = steps["ConnectivityIdOffsets"] = places
    offsets = steps.create_group("PointDataOffsets")
    for name in data:
        offsets[name] = firsts


def _describe(group: Group, kind: str) -> None:
    group.attrs["Version"] = _VTKHDF_VERSION
    group.attrs.create("Type", kind.encode("ascii"), dtype=f"S{len(kind)}")  # VTK wants ASCII


def _write_steps(group: Group, times: np.ndarray) -> Group:
    steps = group.create_group("Steps")
    steps.attrs["NSteps"] = len(times)
    steps["Values"] = times
    return steps


def _write_grid(
    group: Group, grids: list[VtkGrid], times: np.ndarray, advance: Callable[[], None]
) -> None:
    """Write a body: a part for each mesh that it has, to which the steps refer that have it."""
    _describe(group, "UnstructuredGrid")
    cells = [grid.cells for grid in grids]
    counts = {
        "NumberOfPoints": [len(grid.own.mesh) for grid in grids],
        "NumberOfCells": [len(c.types) for c in cells],
        "NumberOfConnectivityIds": [len(c.connectivity) for c in cells],
    }
    for name, each in counts.items():
        group[name] = each
    group["Connectivity"] = np.concatenate([c.connectivity for c in cells])
    group["Offsets"] = np.concatenate([np.append(0, c.ends) for c in cells])
    group["Types"] = np.concatenate([c.types for c in cells])

    steps, part = _write_steps(group, times), np.repeat(*_parts(grids))
    steps["NumberOfParts"] = np.ones(len(times), dtype=np.int64)
    steps["PartOffsets"] = part
    points, numbers, ids = (_before(np.array(each)) for each in counts.values())
    steps["CellOffsets"], steps["ConnectivityIdOffsets"] = numbers[part, None], ids[part, None]
    steps["PointOffsets"] = rows = _before(np.array(counts["NumberOfPoints"])[part])
    of_cells = _before(np.array(counts["NumberOfCells"])[part])
    total = len(grids[-1].own.mesh) + int(rows[-1])
    held = {"Points": _rows(group, "Points", grids[0].points(0), total)}
    data, places = group.create_group("PointData"), steps.create_group("PointDataOffsets")
    for name, value in grids[0].fields(0).items():
        still = name == "pinned"
        held[name] = _rows(data, name, value, sum(counts["NumberOfPoints"]) if still else total)
        places[name] = points[part] if still else rows
    if grids[0].cell_fields(0):
        data, places = group.create_group("CellData"), steps.create_group("CellDataOffsets")
        for name, value in grids[0].cell_fields(0).items():
            held[name] = _rows(data, name, value, len(cells[-1].types) + int(of_cells[-1]))
            places[name] = of_cells
    for grid, point in zip(grids, points, strict=True):
        held["pinned"][point : point + len(grid.own.mesh)] = grid.own.pinned.astype(np.uint8)
        for frame in grid.frames:
            found = {"Points": grid.points(frame)} | grid.fields(frame)
            del found["pinned"]
            for name, value in found.items():
                held[name][rows[frame] : rows[frame] + len(value)] = value
            for name, value in grid.cell_fields(frame).items():
                held[name][of_cells[frame] : of_cells[frame] + len(value)] = value
            advance()


def _parts(grids: list[VtkGrid]) -> tuple[np.ndarray, list[int]]:
    """The numbers of parts, and how many steps refer to each."""
    return np.arange(len(grids)), [len(grid.frames) for grid in grids]


def _before(counts: np.ndarray) -> np.ndarray:
    """How many there are before each."""
    return np.asarray(np.cumsum(counts) - counts)


def _rows(group: Group, name: str, first: np.ndarray, rows: int) -> Any:
    """A dataset of so many rows for values like the first ones, of which each chunk has as many."""
    shape = (rows, *first.shape[1:])
    return group.create_dataset(
        name, shape, first.dtype, chunks=first.shape, compression="gzip", shuffle=True
    )
