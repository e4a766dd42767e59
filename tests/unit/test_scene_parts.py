"""Scene files that name other files: meshes, surfaces, animations."""

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from tests.unit.scene_texts import body_of


def test_groups_and_volume_meshes_of_files(tmp_path):
    mesh = pl.Mesh(
        pl.meshes.box(cells=(2, 1, 1)).points,
        pl.meshes.box(cells=(2, 1, 1)).cells,
        groups={"foot": [0, 3]},
    )
    mesh.write(tmp_path / "part.vtu")
    body = body_of(
        'fix = { group = "foot" }', mesh='{ file = "part.vtu", scale = 10 }', folder=tmp_path
    )
    assert np.flatnonzero(body.pinned).tolist() == [0, 3]
    assert np.ptp(body.mesh.points, axis=0) == pytest.approx([10, 10, 10])
    with pytest.raises(scene.SceneError, match=r"mesh.edge_length: got 1; expected it only for"):
        body_of(mesh='{ file = "part.vtu", edge_length = 1 }', folder=tmp_path)


def test_usd_animations_lead_points(tmp_path):
    pytest.importorskip("pxr")
    from pxr import Gf, Usd, UsdGeom, Vt

    stage = Usd.Stage.CreateNew(str(tmp_path / "hand.usda"))
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(25)
    stage.SetTimeCodesPerSecond(24)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    xform = UsdGeom.Xform.Define(stage, "/Hand")
    turn, shift = xform.AddRotateXOp(), xform.AddTranslateOp()
    turn.Set(0.0, 1)
    turn.Set(90.0, 25)
    shift.Set(Gf.Vec3d(0, 0, 0), 1)
    shift.Set(Gf.Vec3d(100, 0, 0), 25)  # centimetres
    cloud = UsdGeom.Mesh.Define(stage, "/Cloud")
    cloud.GetPointsAttr().Set(Vt.Vec3fArray([(400, 0, 0), (400, 100, 0)]), 1)
    cloud.GetPointsAttr().Set(Vt.Vec3fArray([(400, 0, 0), (400, 150, 0)]), 13)
    UsdGeom.Xform.Define(stage, "/Still")
    stage.Save()
    drive = 'drive = [{{ where = "x > 3.99", usd = "hand.usda", prim = "{}" }}]'

    body = body_of(drive.format("/Hand"), folder=tmp_path)
    x = body.mesh.points[body.pinned]
    turned = np.stack([x[:, 0] + 1, -x[:, 2], x[:, 1]], axis=1)
    assert body.pin_positions(0.0)[body.pinned] == pytest.approx(x)
    assert body.pin_positions(1.0)[body.pinned] == pytest.approx(turned)

    body = body_of(drive.format("/Cloud"), folder=tmp_path)
    moved = body.pin_positions(0.5)[body.pinned] - x
    assert moved[x[:, 1] < 0.4] == pytest.approx(0.0, abs=1e-6)  # float32 points
    assert moved[x[:, 1] > 0.6][:, 1] == pytest.approx(0.5, abs=1e-6)

    for prim, said in (("/Nobody", "hand.usda has /Hand, /Cloud, /Still"),
                       ("/Still", "/Still of hand.usda does not move")):  # fmt: skip
        with pytest.raises(scene.SceneError, match=f"drive.0.prim: .*{said}"):
            body_of(drive.format(prim), folder=tmp_path)


def cube(path, size=1.0):
    """A closed cube of quads with uv, as an artist's program writes it."""
    corners = [(x, y, z) for z in (0, size) for y in (0, size) for x in (0, size)]
    faces = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    lines += ["f " + " ".join(f"{p}/{t}" for t, p in enumerate(f, 1)) for f in faces]
    path.write_text("\n".join(lines) + "\n")


def test_a_surface_file_is_filled_scaled_and_worn_and_the_mesh_is_kept(tmp_path):
    pytest.importorskip("pytetwild")
    cube(tmp_path / "cube.obj", 100)
    mesh = '{ file = "cube.obj", edge_length = 0.4, scale = 0.01, move = [0, 2, 0] }'
    body = body_of(mesh=mesh, folder=tmp_path)
    assert body.mesh.volume == pytest.approx(1.0, rel=0.1)
    assert body.mesh.points.min(axis=0) == pytest.approx([0, 2, 0], abs=0.05)
    skin = body.skin
    assert skin.surface.sizes.tolist() == [4] * 6 and skin.surface.uv is not None
    assert skin.positions(body.positions) == pytest.approx(skin.surface.points, abs=0.05)
    again = body_of(mesh=mesh, folder=tmp_path)
    assert np.array_equal(again.mesh.points, body.mesh.points)  # fTetWild alone would not do that


def test_an_open_surface_is_told_every_time_and_a_torn_cache_is_made_again(
    tmp_path, monkeypatch, caplog
):
    pytest.importorskip("pytetwild")
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path / "cache"))
    cube(tmp_path / "cube.obj")
    whole = (tmp_path / "cube.obj").read_text().splitlines()
    (tmp_path / "cube.obj").write_text("\n".join(whole[:-1]))  # one face is missing
    mesh = '{ file = "cube.obj", edge_length = 0.5 }'
    for _ in range(2):
        caplog.clear()
        body_of(mesh=mesh, folder=tmp_path)
        assert "body.beam.mesh.file: the surface is not closed: 4 open edges" in caplog.text
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(kept.read_bytes()[:100])
    body_of(mesh=mesh, folder=tmp_path)
    assert "cannot be used and is made again" in caplog.text
    assert np.load(kept)["points"].shape[1] == 3


def test_a_fine_surface_on_a_generated_mesh(tmp_path):
    cube(tmp_path / "fine.obj")
    body = body_of('surface = "fine.obj"', mesh="{ box = {}, scale = 3 }", folder=tmp_path)
    assert body.skin.surface.points.max() == pytest.approx(3.0)
    assert len(body.skin.surface.sizes) == 6


def test_a_flat_surface_file_is_a_plane_body(tmp_path):
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
    assert body_of(mesh='{ file = "flat.obj" }', folder=tmp_path).dim == 2
