"""Bodies of lines in files of surfaces: as lines, since triangles without area are invisible."""

import json

import numpy as np
import pytest

import pliant as pl


@pytest.fixture(scope="module")
def take():
    points = np.stack([np.linspace(0.0, 1.0, 6), np.zeros(6)], axis=1)
    pairs = np.stack([np.arange(5), np.arange(1, 6)], axis=1)
    wire = pl.FormCurve(pl.Mesh(points, {"line": pairs}), metric=1e3, curvature=0.1, density=0.1)
    wire.fix([0, 1])
    block = pl.FormSolid(pl.meshes.rectangle((1, 1), (2, 2)), metric=1e5, density=1e3, name="block")
    block.fix([0, 1, 2])
    return pl.Scene([wire, block], gravity=(0, -1)).run(seconds=0.1, dt=1 / 20)


def test_a_surface_knows_whether_it_is_lines(take):
    wire, block = (track.skin.surface for track in take.tracks)
    assert block.lines is None
    assert wire.lines.tolist() == [[i, i + 1] for i in range(5)]


def test_glb_draws_lines(take, tmp_path):
    data = take.save(tmp_path / "wire.glb").read_bytes()
    content = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    wire, block = (mesh["primitives"][0] for mesh in content["meshes"])
    assert wire["mode"] == 1 and "mode" not in block
    assert content["accessors"][wire["indices"]]["count"] == 10


def test_usd_has_curves_that_move(take, tmp_path):
    Usd, UsdGeom = pytest.importorskip("pxr.Usd"), pytest.importorskip("pxr.UsdGeom")
    stage = Usd.Stage.Open(str(take.save(tmp_path / "wire.usdc")))
    wire, block = stage.GetDefaultPrim().GetChildren()
    assert (wire.GetTypeName(), block.GetTypeName()) == ("BasisCurves", "Mesh")
    curves = UsdGeom.BasisCurves(wire)
    assert list(curves.GetCurveVertexCountsAttr().Get()) == [2] * 5
    assert curves.GetTypeAttr().Get() == "linear" and curves.GetWidthsAttr().Get()[0] > 0.0
    order = take.tracks[0].skin.surface.lines.ravel()
    for frame, x in enumerate(take.tracks[0].positions):
        found = np.array(curves.GetPointsAttr().Get(frame))
        np.testing.assert_allclose(found[:, :2], x[order], atol=1e-7)  # 32-bit numbers
    assert np.array(curves.GetVelocitiesAttr().Get(2)).any()


def test_obj_has_line_elements(take, tmp_path):
    take.save(tmp_path / "wire.obj")
    rows = (tmp_path / "wire-curve_0000.obj").read_text().splitlines()
    assert [row for row in rows if row[0] == "l"] == [f"l {i} {i + 1}" for i in range(1, 6)]
    assert not [row for row in rows if row[0] == "f"]
