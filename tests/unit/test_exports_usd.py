"""USD files, read back by Pixar's library."""

import builtins

import numpy as np
import pytest

import pliant as pl
from tests.moving import equal, moving_take, shown


@pytest.fixture
def stage(tmp_path):
    Usd = pytest.importorskip("pxr.Usd")

    def opened(take, name="my take.usdc"):
        return Usd.Stage.Open(str(take.save(tmp_path / name)))

    return opened


@pytest.mark.parametrize("suffix", [".usdc", ".usda", ".usd"])
def test_usd_holds_every_frame(stage, suffix):
    from pxr import UsdGeom

    take = moving_take(normals=False)
    found = stage(take, f"my take{suffix}")
    root = found.GetDefaultPrim()
    assert root.GetName() == "my_take" and root.GetTypeName() == "Xform"
    assert [p.GetName() for p in root.GetChildren()] == ["K__rper_1_2", "K__rper_1_2_2", "plate"]
    assert root.GetChildren()[0].GetDisplayName() == "Körper 1/2"
    for body, prim in enumerate(root.GetChildren()):
        mesh, surface = UsdGeom.Mesh(prim), take.tracks[body].skin.surface
        assert mesh.GetPointsAttr().GetTimeSamples() == [0.0, 1.0, 2.0, 3.0, 4.0]
        assert list(mesh.GetFaceVertexCountsAttr().Get()) == surface.sizes.tolist()
        assert list(mesh.GetFaceVertexIndicesAttr().Get()) == surface.corners.tolist()
        assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
        for frame in range(5):
            x = np.array(mesh.GetPointsAttr().Get(frame))
            assert equal(x, shown(take, body, frame))
            extent = np.array(mesh.GetExtentAttr().Get(frame))
            assert (extent == [x.min(axis=0), x.max(axis=0)]).all()


def test_usd_says_units_times_and_wish(stage):
    from pxr import UsdGeom

    take = moving_take(fps=25.0)
    found = stage(take)
    assert found.GetTimeCodesPerSecond() == found.GetFramesPerSecond() == 25.0
    assert (found.GetStartTimeCode(), found.GetEndTimeCode()) == (0.0, 4.0)
    assert UsdGeom.GetStageUpAxis(found) == "Y" and UsdGeom.GetStageMetersPerUnit(found) == 1.0
    about = found.GetRootLayer().customLayerData["pliant"]
    assert about["version"] == pl.__version__ and about["rest_in"] == 0.5
    prim = found.GetDefaultPrim().GetChildren()[0]
    assert prim.GetAttribute("userProperties:rest_in").Get() == 0.5
    assert not prim.GetAttribute("userProperties:bounces")  # None was asked


def test_usd_velocities_are_per_second(stage):
    from pxr import UsdGeom

    take = moving_take(frames=3, fps=1000.0)
    found = stage(take)
    mesh = UsdGeom.Mesh(found.GetDefaultPrim().GetChildren()[0])
    before, v, after = (
        np.array(mesh.GetPointsAttr().Get(0)),
        np.array(mesh.GetVelocitiesAttr().Get(1)),
        np.array(mesh.GetPointsAttr().Get(2)),
    )
    # Central differences over 2 ms of coordinates near 2, rounded at 1e-7: 1e-4.
    np.testing.assert_allclose((after - before) * 500.0, v, atol=3e-4)


def test_usd_has_uv_and_turning_normals(stage):
    from pxr import UsdGeom

    take = moving_take()
    track = take.tracks[0]
    found = stage(take)
    mesh = UsdGeom.Mesh(found.GetDefaultPrim().GetChildren()[0])
    st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    primvar = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("normals")
    assert st.GetInterpolation() == primvar.GetInterpolation() == "faceVarying"
    np.testing.assert_array_equal(np.array(st.Get()), track.skin.surface.uv)  # 32nds are exact
    for frame in range(5):
        normals = np.array(primvar.ComputeFlattened(frame))
        expected = track.skin.normals(track.positions[frame], track.mesh.points)
        np.testing.assert_allclose(normals, expected, atol=1e-6)


def test_usd_goes_to_the_file_in_parts(stage, monkeypatch):
    from pxr import UsdGeom

    from pliant.io import usd_stage

    monkeypatch.setattr(usd_stage, "_BYTES_AT_ONCE", 1.0)  # saves after every frame
    take = moving_take(frames=7)
    found = stage(take)
    mesh = UsdGeom.Mesh(found.GetDefaultPrim().GetChildren()[1])
    for frame in range(7):
        assert equal(np.array(mesh.GetPointsAttr().Get(frame)), shown(take, 1, frame))


def test_usd_without_its_package_says_how_to_get_it(tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.split(".")[0] == "pxr":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"usd-core.*pip install 'pliant\[usd\]'"):
        moving_take().save(tmp_path / "a.usdc")
    assert list(tmp_path.iterdir()) == []
