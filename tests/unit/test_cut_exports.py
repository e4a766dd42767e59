"""What other programs read of bodies that are cut."""

import json
import struct

import numpy as np
import pytest

import pliant as pl
from pliant.io.facets import Facets
from pliant.io.html import page
from pliant.io.shown import Shown

DT = 1 / 60


@pytest.fixture(scope="module")
def take():
    """A bar of clay that is cut at its middle after two steps."""
    mesh = pl.meshes.box((1.0, 0.2, 0.2), (4, 1, 1))
    matter = pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), yield_stress=2e4, hardening=5e5)
    body = pl.Body(mesh, matter, name="bar", damping=pl.Settle(rest_in=0.1))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.3 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.cut(pl.HalfSpace((0.6, 0, 0), (1, 0.3, 0)), at=2 * DT)
    made = pl.Scene([body], gravity=(0, -9.81, 0), contact=False)
    return made.run(seconds=5 * DT, dt=DT, progress=False)


@pytest.fixture(scope="module")
def strip():
    """A strip of the plane that is cut across."""
    mesh = pl.meshes.rectangle((1.0, 0.2), (6, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), name="strip")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.cut(pl.HalfSpace((0.55, 0), (1, 0.2)), at=2 * DT)
    made = pl.Scene([body], gravity=(0, -9.81), contact=False)
    return made.run(seconds=5 * DT, dt=DT, progress=False)


def frames_of(track):
    """Every frame with its mesh."""
    return [(k, own, x) for own in track.topologies for k, x in enumerate(own.positions, own.first)]


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_usd_has_the_faces_of_each_frame(take, strip, tmp_path, suffix):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    for cut in (take, strip):
        (track,) = cut.tracks
        stage = Usd.Stage.Open(str(cut.save(tmp_path / f"{track.name}{suffix}")))
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/{track.name}/{track.name}"))
        faces = mesh.GetFaceVertexIndicesAttr()
        assert faces.GetTimeSamples() == mesh.GetFaceVertexCountsAttr().GetTimeSamples() == [0, 3]
        normals = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("normals")
        for k, own, x in frames_of(track):
            points = np.array(mesh.GetPointsAttr().Get(k))
            assert np.array_equal(faces.Get(k), own.skin.surface.corners)
            assert np.array_equal(mesh.GetFaceVertexCountsAttr().Get(k), own.skin.surface.sizes)
            assert np.array_equal(points, own.skin.positions(x).astype(np.float32))
            assert len(mesh.GetVelocitiesAttr().Get(k)) == len(points)
            valid, why = UsdGeom.Mesh.ValidateTopology(
                faces.Get(k), mesh.GetFaceVertexCountsAttr().Get(k), len(points)
            )
            assert valid, why
            each = np.array(normals.ComputeFlattened(k))
            assert len(each) == len(own.skin.surface.corners)
            np.testing.assert_allclose(np.linalg.norm(each, axis=1), 1.0, atol=1e-5)  # float32


def test_usd_of_what_stays_whole_has_its_faces_once(tmp_path):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    body = pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), pl.Linear(young=1e5, poisson=0.3), name="a")
    whole = pl.Scene([body]).run(seconds=0.1, dt=0.05, progress=False)
    stage = Usd.Stage.Open(str(whole.save(tmp_path / "b.usda")))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/b/a"))
    assert mesh.GetFaceVertexIndicesAttr().GetTimeSamples() == []
    assert len(mesh.GetPointsAttr().GetTimeSamples()) == 3


def test_vtk_has_the_cells_of_each_frame(take, tmp_path):
    pytest.importorskip("vtkmodules")
    pytest.importorskip("h5py")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    (track,) = take.tracks
    reader, single = vtkHDFReader(), vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(take.save(tmp_path / "a.vtkhdf")))
    reader.Update()
    assert reader.GetNumberOfSteps() == len(take)
    take.save(tmp_path / "a.vtu")
    for k, own, x in [*frames_of(track), *frames_of(track)[::-1]]:  # back, too
        reader.SetStep(k)
        reader.Update()
        single.SetFileName(str(tmp_path / f"a_{k:04}.vtu"))
        single.Update()
        for grid in (reader.GetOutputDataObject(0), single.GetOutput()):
            cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
            assert np.array_equal(cells, own.mesh.cells["tet4"])
            assert np.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), x)
            data = grid.GetPointData()
            moved = vtk_to_numpy(data.GetArray("displacement"))
            assert np.array_equal(moved, x - own.mesh.points)
            assert np.array_equal(vtk_to_numpy(data.GetArray("pinned")), own.pinned)
            far = np.linalg.norm(track.displacement(k), axis=1)
            assert np.array_equal(vtk_to_numpy(data.GetArray("distance_to_rest")), far[own.in_last])
        plastic = vtk_to_numpy(reader.GetOutputDataObject(0).GetCellData().GetArray("plastic"))
        assert np.array_equal(plastic, own.plastic[k - own.first])


def test_caches_and_gltf_have_one_mesh_that_is_sewn(take, tmp_path):
    (track,) = take.tracks
    surface = track.skin.surface
    path = take.save(tmp_path / "a.pc2")
    head = struct.unpack("<12siiffi", path.read_bytes()[:32])
    assert head[2] == len(surface.points) and head[5] == len(take)
    points = np.frombuffer(path.read_bytes()[32:], "<f4").reshape(len(take), -1, 3)
    assert np.array_equal(points, track.skin.positions(track.positions).astype("<f4"))
    once = pl.Surface.read(tmp_path / "a_sewn.obj")
    assert not (tmp_path / "a_0000.obj").exists()  # which is the first frame, with other points
    assert np.array_equal(once.corners, surface.corners)
    np.testing.assert_allclose(once.points, points[0], atol=1e-6)  # OBJ is text
    glb = take.save(tmp_path / "a.glb").read_bytes()
    length = struct.unpack("<I", glb[12:16])[0]
    (mesh,) = json.loads(glb[20 : 20 + length])["meshes"]
    assert len(mesh["primitives"][0]["targets"]) == len(take) - 1


def test_obj_has_a_mesh_for_each_frame(take, tmp_path):
    (track,) = take.tracks
    take.save(tmp_path / "a.obj")
    for k, own, x in frames_of(track):
        found = pl.Surface.read(tmp_path / f"a_{k:04}.obj")
        assert np.array_equal(found.corners, own.skin.surface.corners)
        np.testing.assert_allclose(found.points, own.skin.positions(x), atol=1e-6)


def test_a_seam_is_not_drawn_before_the_cut(take, strip):
    for cut in (take, strip):
        (track,) = cut.tracks
        (zero, before), (first, after) = Shown.of(track).outlines
        assert (zero, first) == (0, 3)
        assert np.array_equal(after, Facets.of(track.skin.surface).creases)
        own = track.topologies[0]
        seen = own.skin.positions(own.mesh.points)
        whole = seen[Facets.of(own.skin.surface).creases]
        drawn = track.skin.positions(own.sewn(own.mesh.points))[before]
        length = [np.linalg.norm(np.diff(each, axis=1), axis=2).sum() for each in (whole, drawn)]
        assert length[0] == pytest.approx(length[1], rel=1e-12) and len(after) > len(before)


def test_the_page_has_both_outlines(take):
    text = page(take)
    facts = json.loads(text.split('id="facts">')[1].split("</script>")[0])
    (body,) = facts[0]["bodies"]
    assert [outline["first"] for outline in body["outlines"]] == [0, 3]
    assert body["positions"]["shape"][0] == len(take)


def test_pictures_are_of_the_mesh_of_each_frame(take, strip, tmp_path):
    pytest.importorskip("matplotlib")
    from pliant.io.png import picture

    for cut in (take, strip):
        figure = picture(cut, instants=[0.0, 5 * DT])
        faces = [len(ax.collections[-1].get_paths()) for ax in figure.axes[:2]]
        assert faces[0] < faces[1], "the first picture is of fewer faces"
    assert take.save(tmp_path / "a.png").stat().st_size > 10_000


def test_no_other_mesh_parts_as_it_does(take):
    with pytest.raises(ValueError, match="'bar' is cut in the take"):
        pl.shape.transfer(take, pl.meshes.box((1.0, 0.2, 0.2), (4, 1, 1)))
