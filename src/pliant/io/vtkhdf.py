"""Takes as VTKHDF: every frame in one file that ParaView opens (5.12 or newer, several bodies: 5.13).

The cells are written once; every step refers to them and brings its own points and fields. One body
is an UnstructuredGrid, several are the blocks of a MultiBlockDataSet. Recorded contacts are one
more block, of points with fields `force` [N], `normal` and `pair`, the numbers of both sides.
"""

from __future__ import annotations

import errno
import json
import shutil
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
    grids = [VtkGrid(track) for track in take.tracks]
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
        for i, (grid, name) in enumerate(zip(grids, _block_names(grids), strict=True)):
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
    needed = sum(2 * 3 * 8 * len(take) * len(track.mesh) for track in take.tracks)
    free = shutil.disk_usage(path.parent).free
    if needed > free:
        raise OSError(
            errno.ENOSPC, f"needs {needed / 1e6:.0f} MB; {free / 1e6:.0f} MB are free", str(path)
        )


def _block_names(grids: list[VtkGrid]) -> list[str]:
    """The bodies' names as HDF5 and VTK allow them: no slash, no dot, and not the assembly's own."""
    plain = ["".join(c if c.isalnum() or c in "-_ " else "_" for c in g.name) for g in grids]
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


def _write_grid(group: Group, grid: VtkGrid, times: np.ndarray, advance: Any) -> None:
    cells, count, frames = grid.cells, len(grid.track.mesh), len(times)
    _describe(group, "UnstructuredGrid")
    group["NumberOfPoints"] = [count]
    group["NumberOfCells"] = [len(cells.types)]
    group["NumberOfConnectivityIds"] = [len(cells.connectivity)]
    group["Connectivity"] = cells.connectivity
    group["Offsets"] = np.concatenate([[0], cells.ends])
    group["Types"] = cells.types

    steps, every = _write_steps(group, times), np.arange(frames) * count
    steps["NumberOfParts"] = np.ones(frames, dtype=np.int64)
    steps["PartOffsets"] = np.zeros(frames, dtype=np.int64)  # all steps share the one part
    steps["PointOffsets"] = every
    steps["CellOffsets"] = steps["ConnectivityIdOffsets"] = np.zeros((frames, 1), dtype=np.int64)

    points = _frames(group, "Points", grid.points(0), frames)
    data, places = group.create_group("PointData"), steps.create_group("PointDataOffsets")
    held = {}
    for name, value in grid.fields(0).items():
        moving = name != "pinned"
        held[name] = _frames(data, name, value, frames if moving else 1)
        places[name] = every if moving else np.zeros(frames, dtype=np.int64)
    of_cells = {}
    if grid.cell_fields(0):
        data, places = group.create_group("CellData"), steps.create_group("CellDataOffsets")
        for name, value in grid.cell_fields(0).items():
            of_cells[name] = _frames(data, name, value, frames)
            places[name] = np.arange(frames) * len(value)
    for frame in range(frames):
        rows = slice(frame * count, (frame + 1) * count)
        points[rows] = grid.points(frame)
        for name, value in grid.cell_fields(frame).items():
            of_cells[name][frame * len(value) : (frame + 1) * len(value)] = value
        for name, value in grid.fields(frame).items():
            if len(held[name]) > count or frame == 0:
                held[name][rows] = value
        advance()


def _frames(group: Group, name: str, first: np.ndarray, frames: int) -> Any:
    """A dataset for frames like the first, one after the other, one chunk each."""
    shape = (frames * len(first), *first.shape[1:])
    return group.create_dataset(
        name, shape, first.dtype, chunks=first.shape, compression="gzip", shuffle=True
    )
