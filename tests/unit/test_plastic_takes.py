"""Plastic strain in takes, files, pictures and scene files."""

import json

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.io.shown import Shown
from pliant.scenefile import read
from pliant.scenefile.materials import FLOW

wp.config.quiet = True
SCENE = """
[body.clay]
mesh = { box = { size = [1, 0.2, 0.2], cells = [4, 2, 2], kind = "hex" } }
material = { model = "Hencky", young = 1e6, poisson = 0.3MORE }
fix = "x < 0.01"
settle = { rest_in = 0.3 }
start = { bend = { degrees = 60 } }

[run]
seconds = 0.2
"""


def clay(yield_stress=2e4):
    mesh = pl.meshes.box((1, 0.2, 0.2), (4, 2, 2), kind="hex")
    material = pl.Plastic(
        pl.Hencky(young=1e6, poisson=0.3), yield_stress=yield_stress, hardening=1e5
    )
    body = pl.Body(mesh, material, damping=pl.Settle(rest_in=0.3), name="clay")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.4 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    return body


@pytest.fixture(scope="module")
def take():
    body = clay()
    return pl.Scene([body], gravity=(0, -10, 0)).run(seconds=0.2, dt=1 / 60, progress=False)


def test_a_take_has_the_plastic_strain_of_every_frame(take):
    body = take.bodies[0]
    assert take.plastic.shape == (len(take), 16)
    assert np.array_equal(take.plastic[-1], body.plastic)
    assert take.plastic[0].max() > 0.02, "placed beyond yield it has flowed when the run begins"
    assert (np.diff(take.plastic, axis=0) >= 0.0).all()
    assert take.plastic[-1].sum() > take.plastic[0].sum()
    # What is stored is elastic: flow has taken the rest.
    firm = clay(yield_stress=1e9)
    whole = pl.Scene([firm]).run(seconds=0.1, dt=0.05, progress=False)
    assert 0.0 < take.energies["elastic"][0] < 0.3 * whole.energies["elastic"][0]


@pytest.mark.parametrize("suffix", [".zarr", ".npz"])
def test_files_keep_it(take, tmp_path, suffix):
    path = take.save(tmp_path / f"clay{suffix}")
    assert np.array_equal(pl.Take.read(path).plastic, take.plastic)


def test_a_run_into_a_folder_keeps_it(take, tmp_path):
    scene = pl.Scene([clay()], gravity=(0, -10, 0))
    scene.run(seconds=0.2, dt=1 / 60, progress=False, into=tmp_path / "clay.zarr")
    assert np.array_equal(pl.Take.read(tmp_path / "clay.zarr").plastic, take.plastic)


def test_takes_of_elastic_bodies_have_none(tmp_path):
    body = pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), pl.Hencky(young=1e6, poisson=0.3))
    take = pl.Scene([body]).run(seconds=0.1, dt=0.05, progress=False)
    assert take.plastic is None
    assert pl.Take.read(take.save(tmp_path / "a.npz")).plastic is None


def test_paraview_gets_it_on_cells(take, tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(take.save(tmp_path / "clay.vtkhdf")) as file:
        root = file["VTKHDF"]
        found = root["CellData/plastic"][:].reshape(len(take), 16)
        assert np.array_equal(found, take.plastic)
        assert root["Steps/CellDataOffsets/plastic"][:].tolist() == [
            16 * k for k in range(len(take))
        ]


def test_what_has_flowed_is_coloured_by_it(take):
    (track,) = take.tracks
    shown = Shown.of(track)
    here = track.plastic_shares(len(take) - 1)
    assert 0.5 < here.max() <= 1.0
    last = np.einsum("mc,mc->m", track.skin.weights, here[track.skin.nodes])
    assert np.array_equal(shown.shares[-1], last)
    most = track.mesh.cells["hex8"][take.plastic[-1].argmax()]
    assert here[most].mean() > here.mean()
    firm = clay(yield_stress=1e9)
    whole = pl.Scene([firm]).run(seconds=0.1, dt=0.05, progress=False)
    assert Shown.of(whole.tracks[0]).shares[0].max() == pytest.approx(1.0)  # distance to rest


def scene(tmp_path, more):
    path = tmp_path / "clay.toml"
    path.write_text(SCENE.replace("MORE", more and f", {more}"))
    return read(path)


def test_scene_files_say_how_it_flows(tmp_path):
    setup = scene(tmp_path, "yield_stress = 2e4, hardening = 1e5, most = 0.5").build()
    (body,) = setup.scene.bodies
    assert repr(body.material) == (
        "Plastic(Hencky(young=1000000.0, poisson=0.3), "
        "yield_stress=20000.0, hardening=100000.0, most=0.5)"
    )
    (plain,) = scene(tmp_path, "").build().scene.bodies
    assert isinstance(plain.material, pl.Hencky)


@pytest.mark.parametrize(
    "more, says",
    [
        ("hardening = 1e5", r"hardening: is given alone; expected it beside yield_stress"),
        ("yield_stress = 0", r"yield_stress: got 0; expected yield_stress > 0 \[Pa\]"),
        ("yield_stress = 2e4, most = 0.0", r"most: got 0"),
    ],
)
def test_mistakes_in_scene_files(tmp_path, more, says):
    with pytest.raises(ValueError, match=says):
        scene(tmp_path, more)


def test_materials_that_cannot_flow_say_so_in_scene_files(tmp_path):
    path = tmp_path / "clay.toml"
    text = SCENE.replace("Hencky", "Linear").replace("MORE", ", yield_stress = 1e4")
    path.write_text(text)
    with pytest.raises(ValueError, match="expected it beside an isotropic material"):
        read(path)


def test_every_material_of_the_schema_that_can_flow_has_the_fields():
    from pliant.kinds import MATERIALS
    from pliant.scenefile.materials import material_table

    for name, cls in MATERIALS.own().items():
        fields = material_table(cls, name, False).model_json_schema()["properties"]
        flows = cls.isotropic and cls.rotation_invariant
        assert all((p.name in fields) == flows for p in FLOW), name
        assert json.dumps(fields)
