"""Bodies in the schema of OpenUSD's proposal 111, written and read; materials and wishes in USD."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl

pxr = pytest.importorskip("pxr")
from pliant.io.usd import save_usd  # noqa: E402
from pliant.io.usd_bodies import read_bodies  # noqa: E402
from pliant.io.usd_deformable import PROPOSAL  # noqa: E402

FLOAT = 4.0 * float(np.finfo(np.float32).eps)


def beam():
    mesh = pl.meshes.box(size=(2, 0.5, 0.5), cells=(4, 1, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e5, poisson=0.42), density=700.0, name="beam")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.velocity = 0.1 * mesh.points
    body.damping = pl.Settle(rest_in=0.5, bounces=2)
    return body


def plate():
    flat = pl.meshes.rectangle(size=(1, 1), cells=(3, 3))
    mesh = pl.Mesh(np.insert(flat.points, 1, 2.0, axis=1), flat.cells)
    return pl.Shell(mesh, young=1e6, poisson=0.3, density=500.0, thickness=0.01, name="plate")


@pytest.fixture(scope="module")
def take():
    return pl.Scene([beam(), plate()], gravity=(0, -9.81, 0)).run(seconds=0.1, dt=1 / 30)


def opened(path):
    return pxr.Usd.Stage.Open(str(path))


def test_usd_says_times_materials_and_the_wish(take, tmp_path):
    from pxr import UsdGeom, UsdShade

    stage = opened(take.save(tmp_path / "take.usda"))
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 30.0
    prim = stage.GetPrimAtPath("/take/beam")
    wish = {
        n: prim.GetAttribute(f"userProperties:{n}").Get() for n in ("rest_in", "bounces", "within")
    }
    assert wish == {"rest_in": 0.5, "bounces": 2.0, "within": 0.01}
    looks = {}
    for name in ("beam", "plate"):
        material, _ = UsdShade.MaterialBindingAPI(
            stage.GetPrimAtPath(f"/take/{name}")
        ).ComputeBoundMaterial()
        shader, *_ = material.ComputeSurfaceSource()
        assert shader.GetIdAttr().Get() == "UsdPreviewSurface"
        looks[name] = tuple(shader.GetInput("diffuseColor").Get())
        (shown,) = UsdGeom.Mesh(stage.GetPrimAtPath(f"/take/{name}")).GetDisplayColorAttr().Get()
        assert tuple(shown) == looks[name]
    assert looks["beam"] != looks["plate"]
    matter = stage.GetPrimAtPath("/take/beam/look")
    assert matter.GetAttribute("userProperties:young").Get() == 2e5
    assert matter.GetAttribute("userProperties:density").Get() == 700.0
    assert not any(
        "Deformable" in s
        for p in stage.Traverse()
        for s in str(p.GetMetadata("apiSchemas")).split()
    )


def test_what_is_written_is_read_as_the_same_bodies(take, tmp_path):
    path = save_usd(take, tmp_path / "bodies.usdc", deformable=True)
    stage = opened(path)
    about = stage.GetRootLayer().customLayerData["pliant"]
    assert about["deformable_schema"] == PROPOSAL
    solid, sheet = read_bodies(path)
    assert isinstance(solid, pl.Body) and isinstance(sheet, pl.Shell)
    for body, own, track in zip((solid, sheet), (beam(), plate()), take.tracks, strict=True):
        assert body.name == own.name
        np.testing.assert_allclose(body.mesh.points, own.mesh.points, atol=FLOAT * 3)
        np.testing.assert_allclose(body.positions, track.positions[0], atol=FLOAT * 3)
        np.testing.assert_allclose(body.velocity, track.velocities[0], atol=FLOAT * 3)
        np.testing.assert_allclose(body.masses, track.masses, rtol=FLOAT)
        assert np.array_equal(body.pinned, own.pinned)
    assert solid.material.young == pytest.approx(2e5) and solid.material.poisson == pytest.approx(
        0.42
    )
    # They move as those of the take did: single precision of the start is all that is lost.
    solid.damping = pl.Settle(rest_in=0.5, bounces=2)
    again = pl.Scene([solid, sheet], gravity=(0, -9.81, 0)).run(seconds=0.1, dt=1 / 30)
    for name in ("beam", "plate"):
        moved = np.abs(take[name].positions - take[name].positions[0]).max()
        np.testing.assert_allclose(again[name].positions, take[name].positions, atol=1e-3 * moved)


BY_HAND = """#usda 1.0
( metersPerUnit = 0.01 )
def Xform "jelly" ( prepend apiSchemas = ["PhysicsDeformableBodyAPI"] )
{
    double3 xformOp:translate = (100, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    float physics:mass = 6
    def Material "soft" ( prepend apiSchemas = ["PhysicsVolumeDeformableMaterialAPI"] )
    {
        float physics:youngsModulus = 500
        float physics:poissonsRatio = 0.4
    }
    def TetMesh "sim" (
        prepend apiSchemas = ["PhysicsVolumeDeformableSimAPI", "MaterialBindingAPI"] )
    {
        point3f[] points = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)]
        int4[] tetVertexIndices = [(0, 1, 2, 3)]
        rel material:binding:physics = </jelly/soft>
    }
}
"""


def test_a_file_of_another_program_in_centimetres(tmp_path):
    (tmp_path / "jelly.usda").write_text(BY_HAND)
    (body,) = read_bodies(tmp_path / "jelly.usda")
    assert body.name == "jelly" and body.masses.sum() == pytest.approx(6.0)
    np.testing.assert_allclose(body.mesh.points.max(axis=0), [1.1, 0.1, 0.1], atol=1e-7)
    # 500 kg / (cm s^2) are 50,000 Pa.
    assert body.material.young == pytest.approx(50_000) and body.material.poisson == pytest.approx(
        0.4
    )


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("VolumeDeformableSim", "Other", "has no deformable body; expected prims with Physics"),
        ("int4[] tetVertexIndices = [(0, 1, 2, 3)]", "", "has no points or no cells"),
        ("#usda 1.0", "nonsense", "cannot be read as USD"),
        (
            "int4[] tet",
            "point3f[] physics:restShapePoints = [(0, 0, 0)]\n        int4[] tet",
            "1 rest points of 4 points",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(tmp_path, old, new, said):
    (tmp_path / "bad.usda").write_text(BY_HAND.replace(old, new))
    with pytest.raises(ValueError, match=said):
        read_bodies(tmp_path / "bad.usda")


def test_what_the_schema_has_no_cells_for_is_refused(tmp_path):
    flat = pl.Body(pl.meshes.rectangle((1, 1), (1, 1)), pl.StableNeoHookean(young=1e5, poisson=0.3))
    take = pl.Scene([flat]).run(seconds=0.1, dt=0.1)
    with pytest.raises(ValueError, match="is of tri3 in 2D; expected linear tetrahedra"):
        save_usd(take, tmp_path / "flat.usda", deformable=True)
    assert not (tmp_path / "flat.usda").exists()
