"""VTKHDF and VTU, read back with VTK's own readers and with meshio."""

from __future__ import annotations

import builtins
import json
import xml.etree.ElementTree as ET

import meshio
import numpy as np
import pytest

import pliant as pl
from pliant.io.grids import VTK_TYPES, Cells
from pliant.mesh.kinds import CELL_KINDS, KINDS
from pliant.mesh.skin import in_space

pyvista = pytest.importorskip("pyvista")
h5py = pytest.importorskip("h5py")


def bar(name="bar", kind="tet", at=0.0):
    mesh = pl.meshes.box(size=(2, 1, 1), cells=(3, 2, 2), kind=kind)
    mesh = pl.Mesh(mesh.points + [0, 0, at], mesh.cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), name=name)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.1 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.damping = pl.Settle(rest_in=0.2, bounces=None)
    return body


@pytest.fixture(scope="module")
def take():
    return pl.Scene([bar()]).run(seconds=0.3, dt=1 / 20)


@pytest.fixture(scope="module")
def pair():
    bodies = [bar("a/b"), bar("a/b", kind="hex", at=2.0)]
    return pl.Scene(bodies).run(seconds=0.2, dt=1 / 20)


@pytest.fixture(scope="module")
def plane():
    mesh = pl.meshes.rectangle(size=(2, 1), cells=(3, 2), kind="quad")
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3))
    body.velocity = (1.0, 2.0)
    return pl.Scene([body]).run(seconds=0.2, dt=1 / 20)


def assert_same(grid, track, frame):
    """A grid as VTK reads it holds a frame of a track, without rounding."""
    cells = Cells.of(track.mesh)
    np.testing.assert_array_equal(grid.points, in_space(track.positions[frame]))
    np.testing.assert_array_equal(grid.celltypes, cells.types)
    np.testing.assert_array_equal(grid.cell_connectivity, cells.connectivity)
    np.testing.assert_array_equal(grid.point_data["velocity"], in_space(track.velocities[frame]))
    moved = in_space(track.positions[frame] - track.mesh.points)
    np.testing.assert_array_equal(grid.point_data["displacement"], moved)
    np.testing.assert_array_equal(grid.point_data["pinned"].astype(bool), track.pinned)
    if track.rests is None:
        assert "distance_to_rest" not in grid.point_data
    else:
        far = np.linalg.norm(track.displacements()[frame], axis=1)
        np.testing.assert_array_equal(grid.point_data["distance_to_rest"], far)
        assert (far.max() > 0.0) or frame > 0


def hdf_frames(path):
    """Times and, for each, what VTK's own reader gives."""
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reader = vtkHDFReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    info = reader.GetOutputInformation(0)
    key = reader.GetExecutive().TIME_STEPS()
    times = [info.Get(key, i) for i in range(info.Length(key))]
    for time in times:
        reader.UpdateTimeStep(time)
        yield time, pyvista.wrap(reader.GetOutputDataObject(0)).copy(deep=True)


@pytest.mark.parametrize("which", ["take", "plane"])
def test_every_frame_of_a_vtkhdf_is_the_take(which, request, tmp_path):
    take = request.getfixturevalue(which)
    found = list(hdf_frames(take.save(tmp_path / "x.vtkhdf")))
    np.testing.assert_array_equal([time for time, _ in found], take.times)
    for frame, (_, grid) in enumerate(found):
        assert_same(grid, take.tracks[0], frame)


def test_several_bodies_are_the_blocks_of_a_vtkhdf(pair, tmp_path):
    found = list(hdf_frames(pair.save(tmp_path / "x.vtkhdf")))
    np.testing.assert_array_equal([time for time, _ in found], pair.times)
    for frame, (_, blocks) in enumerate(found):
        assert blocks.keys() == ["a_b", "a_b_2", "contacts"]
        for block, track in zip(list(blocks)[:2], pair.tracks, strict=True):
            assert_same(block, track, frame)


def test_a_vtkhdf_of_one_frame(tmp_path):
    take = pl.Scene([bar()], gravity=(0, -9.81, 0)).equilibrium()
    grid = pyvista.read(take.save(tmp_path / "x.vtkhdf"))
    np.testing.assert_array_equal(grid.points, take.positions[0])


def test_a_vtkhdf_says_what_made_it(take, tmp_path):
    with h5py.File(take.save(tmp_path / "x.vtkhdf")) as file:
        assert json.loads(file.attrs["pliant"])["asked"][0]["rest_in"] == 0.2


@pytest.mark.parametrize("which", ["take", "pair", "plane"])
def test_a_vtu_series_is_the_take(which, request, tmp_path):
    take = request.getfixturevalue(which)
    take.save(tmp_path / "x.vtu")
    reader = pyvista.PVDReader(str(tmp_path / "x.pvd"))
    np.testing.assert_array_equal(reader.time_values, take.times)
    for frame, time in enumerate(take.times):
        reader.set_active_time_value(time)
        for grid, track in zip(reader.read(), take.tracks, strict=True):
            assert_same(grid, track, frame)
    count = len(take) * len(take.tracks)
    assert len(list(tmp_path.iterdir())) == count + 1  # and no draft is left


def test_meshio_reads_a_vtu(take, tmp_path):
    take.save(tmp_path / "x.vtu")
    mesh = meshio.read(tmp_path / "x_0003.vtu")
    np.testing.assert_array_equal(mesh.points, take.positions[3])
    np.testing.assert_array_equal(mesh.cells_dict["tetra"], take.tracks[0].mesh.cells["tet4"])
    np.testing.assert_array_equal(mesh.point_data["velocity"], take.velocities[3])


def test_names_of_bodies_are_quoted_in_a_pvd(tmp_path):
    take = pl.Scene([bar('<&"'), bar("b", at=3.0)]).run(seconds=0.05, dt=1 / 20)
    take.save(tmp_path / "x.vtu")
    sets = ET.parse(tmp_path / "x.pvd").getroot()[0]
    assert {s.attrib["name"] for s in sets} == {'<&"', "b"}
    assert all((tmp_path / s.attrib["file"]).exists() for s in sets)


@pytest.mark.parametrize("kind", CELL_KINDS)
def test_kinds_have_the_numbers_of_vtk(kind):
    from vtkmodules.vtkCommonDataModel import vtkGenericCell

    cell, ours = vtkGenericCell(), KINDS[kind]
    cell.SetCellType(VTK_TYPES[kind])
    assert cell.GetNumberOfPoints() == ours.nodes and cell.GetCellDimension() == ours.dim
    for i in range(ours.nodes):
        cell.GetPointIds().SetId(i, i)
    edges = {}  # the two corners, and the node between them if there is one
    for i in range(cell.GetNumberOfEdges() if ours.dim > 1 else 0):
        ids = cell.GetEdge(i).GetPointIds()
        first, last, *middle = (ids.GetId(k) for k in range(ids.GetNumberOfIds()))
        edges[frozenset((first, last))] = middle
    for i, edge in enumerate(ours.edges if ours.dim > 1 else ()):
        middle = [ours.corners + i] if ours.nodes > ours.corners else []
        assert edges[frozenset(edge)] == middle


def test_without_h5py_the_extra_is_named(take, tmp_path, monkeypatch):
    found = builtins.__import__

    def missing(name, *rest, **more):
        if name == "h5py":
            raise ImportError(name)
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r"pip install 'pliant\[vtk\]'"):
        take.save(tmp_path / "x.vtkhdf")
    assert list(tmp_path.iterdir()) == []
