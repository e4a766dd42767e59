"""Scene files: what their fields build, how they change and how they are written again."""

import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.io import scene
from pliant.io.scene.meshes import GENERATORS, MeshTable

ROOT = Path(__file__).parents[2]
SCENES = sorted((ROOT / "examples" / "scenes").glob("*.toml"))
BOX = "{ box = { size = [4, 1, 1], cells = [8, 2, 2] } }"
MATERIAL = "material = { young = 5e6, poisson = 0.4 }"


def text(*lines, mesh=BOX, run=""):
    body = "\n".join(lines)
    return f"[run]\n{run}\n[body.beam]\nmesh = {mesh}\n{MATERIAL}\n{body}\n"


def build(*lines, mesh=BOX, run="", folder=""):
    return scene.parse(text(*lines, mesh=mesh, run=run), folder=folder).build()


def body_of(*lines, mesh=BOX, folder=""):
    return build(*lines, mesh=mesh, folder=folder).bodies["beam"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """One cache for the whole session, so that a surface is filled once; never the user's."""
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path_factory.getbasetemp() / "kept meshes"))


def test_a_scene_file_is_the_same_as_the_calls():
    setup = build(
        "density = 900",
        'fix = "x < 0.01"',
        'start = { offset = ["0", "0.05*x**2", 0] }',
        "settle = { rest_in = 0.3, bounces = 1 }",
        run='seconds = 0.1\ndt = "1/50"\ngravity = [0, -9.81, 0]',
    )
    mesh = pl.meshes.box(size=(4, 1, 1), cells=(8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), density=900.0)
    body.fix(mesh.points[:, 0] < 0.01)
    body.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.damping = pl.Settle(rest_in=0.3, bounces=1)
    asked = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.1, dt=1 / 50)
    take = setup.run()
    assert np.array_equal(take.positions, asked.positions)
    assert setup.names == ["beam"] and take.tracks[0].name == "beam"
    assert (setup.seconds, setup.dt, setup.fps, setup.device) == (0.1, 1 / 50, None, "cpu")
    assert setup.steps == 5


@pytest.mark.parametrize(
    ("run", "dt"),
    [("", 1 / 60), ("fps = 60", 1 / 60), ("fps = 24", 1 / 72), ("fps = 240", 1 / 240),
     ("fps = 24\ndt = 0.0416666666666666667", 1 / 24), ("dt = 0.01", 0.01)],
)  # fmt: skip
def test_the_time_step_divides_a_frame(run, dt):
    assert scene.parse(text(run=run)).run.step == pytest.approx(dt, rel=1e-12)


def test_every_generator_is_there_with_its_own_arguments_and_defaults():
    assert set(GENERATORS) == {
        n
        for n in pl.meshes.__all__
        # Those that make another mesh of a mesh or of a surface are no generators.
        if not {"surface", "mesh"} & set(inspect.signature(getattr(pl.meshes, n)).parameters)
    }
    for name in GENERATORS:
        made = body_of(mesh=f"{{ {name} = {{}} }}").mesh
        expected = getattr(pl.meshes, name)()
        assert np.array_equal(made.points, expected.points)
        fields = MeshTable.model_fields[name].annotation.__args__[0].model_fields
        assert list(fields) == list(inspect.signature(getattr(pl.meshes, name)).parameters)


def test_meshes_are_scaled_turned_and_moved_in_this_order():
    made = body_of(
        mesh="{ box = { size = [1, 2, 3], cells = [1, 1, 1] }, scale = 2, turn = [0, 0, 90], "
        "move = [10, 0, 0] }"
    ).mesh.points
    assert np.ptp(made, axis=0) == pytest.approx([4, 2, 6])  # x and y have changed places
    assert made.min(axis=0) == pytest.approx([6, 0, 0])  # y went to -x, then all moved by 10
    flat = body_of(mesh="{ rectangle = { size = [2, 1] }, turn = 90, move = [1, 0, 0] }").mesh
    assert flat.points.min(axis=0) == pytest.approx([0, 0])
    assert flat.points.max(axis=0) == pytest.approx([1, 2])


def test_turns_are_about_x_then_y_then_z():
    made = body_of(mesh="{ box = { cells = [1, 1, 1] }, turn = [90, 90, 0] }").mesh.points
    start = pl.meshes.box(cells=(1, 1, 1)).points
    about_x = start @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    about_y = about_x @ np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    assert made == pytest.approx(about_y)


@pytest.mark.parametrize(
    ("fix", "mask"),
    [
        ('"x < 0.01"', lambda x: x[:, 0] < 0.01),
        ('"x > xmax - 0.6"', lambda x: x[:, 0] > 3.4),
        ("{ box = [[0, 0, 0], [1, 0.5, 1]] }", lambda x: (x <= [1, 0.5, 1]).all(axis=1)),
        (
            "{ sphere = { centre = [4, 1, 1], radius = 0.6 } }",
            lambda x: np.linalg.norm(x - [4, 1, 1], axis=1) <= 0.6,
        ),
        ("{ points = [0, 3] }", lambda x: np.isin(np.arange(len(x)), [0, 3])),
        ('["x < 0.01", { points = [80] }]', lambda x: (x[:, 0] < 0.01) | (np.arange(81) == 80)),
    ],
)
def test_selections(fix, mask):
    body = body_of(f"fix = {fix}")
    assert np.array_equal(body.pinned, mask(body.mesh.points))


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


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("stretch = [1.5, 1, 1]", lambda x: x * [1.5, 1, 1]),  # about the fixed end
        ("stretch = [1.5, 1, 1], about = [4, 0, 0]", lambda x: x * [1.5, 1, 1] - [2, 0, 0]),
        ('offset = ["sin(x)", 0.1, "y*z"]',
         lambda x: x + np.stack([np.sin(x[:, 0]), 0.1 + 0 * x[:, 0], x[:, 1] * x[:, 2]], axis=1)),
    ],
)  # fmt: skip
def test_start_shapes(start, expected):
    body = body_of('fix = "x < 0.01"', f"start = {{ {start} }}")
    assert body.positions == pytest.approx(expected(body.mesh.points))


def test_a_bend_keeps_the_middle_line_and_the_clamp():
    body = body_of('fix = "x < 0.01"', "start = { bend = { degrees = 90 } }")
    x, start = body.mesh.points, body.positions
    clamp = body.pinned
    assert start[clamp] == pytest.approx(x[clamp])
    middle = np.flatnonzero((x[:, 1] == 0.5) & (x[:, 2] == 0.5))
    middle = middle[np.argsort(x[middle, 0])]
    radius = 4 / (np.pi / 2)
    assert start[middle[-1]] == pytest.approx([radius, 0.5 + radius, 0.5])


def test_a_twist_turns_the_far_end():
    body = body_of('fix = "x < 0.01"', "start = { twist = { degrees = 90 } }")
    x, start = body.mesh.points, body.positions
    end = x[:, 0] == 4
    turned = np.stack([x[:, 0], 0.5 - (x[:, 2] - 0.5), 0.5 + (x[:, 1] - 0.5)], axis=1)
    assert start[end] == pytest.approx(turned[end])
    assert start[body.pinned] == pytest.approx(x[body.pinned])


def test_spin_and_velocity_make_the_momentum_they_say():
    body = body_of("start = { velocity = [1, 2, 3], spin = [0, 0, 360] }")
    m, v, x = body.masses, body.velocity, body.positions
    assert m @ v / m.sum() == pytest.approx([1, 2, 3])
    arm = x - m @ x / m.sum()
    assert v - [1, 2, 3] == pytest.approx(np.cross([0, 0, 2 * np.pi], arm))
    flat = body_of("start = { spin = 360 }", mesh="{ rectangle = { size = [2, 1] } }")
    corner = np.flatnonzero((flat.mesh.points == [2, 1]).all(axis=1))
    assert flat.velocity[corner] == pytest.approx(np.array([[-0.5, 1]]) * 2 * np.pi)


def test_a_body_can_begin_at_rest():
    lines = ('fix = "x < 0.01"', "start = { at_rest = true }", "settle = { rest_in = 0.5 }")
    setup = build(*lines, run="gravity = [0, -9.81, 0]\nseconds = 0.1")
    sag = setup.bodies["beam"].positions - setup.bodies["beam"].mesh.points
    assert sag[:, 1].min() < -0.01
    take = setup.run()
    assert np.abs(take.positions - take.positions[0]).max() < 1e-6 * np.abs(sag).max()
    with pytest.raises(scene.SceneError, match="start.at_rest: it finds no rest: .* unstable"):
        build(*lines, run="gravity = [-100, 0, 0]")  # a column that buckles under its weight


def test_keyframes_lead_points():
    keys = "{ times = [1, 2], offsets = [[0, 0, 0], [1, 0, 0]], turns = [[0, 0, 0], [90, 0, 0]] }"
    body = body_of(f'drive = [{{ where = "x > 3.99", keyframes = {keys} }}]')
    end = body.pinned
    x = body.mesh.points[end]
    assert body.pin_positions(0.5)[end] == pytest.approx(x)
    assert body.pin_positions(3.0)[end] == pytest.approx(
        np.stack([x[:, 0] + 1, 0.5 - (x[:, 2] - 0.5), 0.5 + (x[:, 1] - 0.5)], axis=1)
    )
    half = body.pin_positions(1.5)[end]
    assert half[:, 0] == pytest.approx(4.5)
    assert np.linalg.norm(half[:, 1:] - 0.5, axis=1) == pytest.approx(
        np.linalg.norm(x[:, 1:] - 0.5, axis=1)  # turned, not cut through the middle
    )
    smooth = keys.replace("{ times", '{ ease = "smooth", times')
    soft = body_of(f'drive = [{{ where = "x > 3.99", keyframes = {smooth} }}]')
    assert soft.pin_positions(1.25)[end][0, 0] == pytest.approx(4 + 3 / 16 - 2 / 64)


def test_loads_over_time():
    body = body_of('push = [{ traction = [[0, 0, 0], [0, 8, 0]], times = [0, 2], on = "x > 3.9" }]')
    loads = [body.loads_at(body.positions, t, np.zeros(3)).sum(axis=0) for t in (0.0, 1.0, 9.0)]
    assert loads == pytest.approx(np.array([[0, 0, 0], [0, 4, 0], [0, 8, 0]]))  # an area of 1 m^2
    total = body_of('push = [{ total_force = [0, 5, 0], on = "x > 3.9" }]')
    assert total.loads_at(total.positions, 0, np.zeros(3)).sum(axis=0) == pytest.approx([0, 5, 0])
    each = body_of("push = [{ force = [0, 5, 0], on = { points = [0, 1] } }, { pressure = 3 }]")
    assert each.loads_at(each.positions, 0, np.zeros(3)).sum(axis=0) == pytest.approx([0, 10, 0])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('damping = { model = "Rayleigh", mass = 1, stiffness = 0.1 }', "Rayleigh(mass=1.0, sti"),
        ('damping = { model = "StrainRate", phi = 1, psi = 2 }', "StrainRate(phi=1.0, psi=2.0)"),
        ('damping = { model = "EnergyMinimising", tau = 2 }', "EnergyMinimising(tau=2.0, kap"),
        ('damping = { model = "none" }', "Undamped()"),
        ("", "Undamped()"),
        ('settle = { rest_in = 2, law = "first-mode" }', "Settle(rest_in=2.0, bounces=None"),
    ],
)  # fmt: skip
def test_dampings(line, expected):
    assert repr(body_of(line).damping).startswith(expected)


@pytest.mark.parametrize("name", ["Linear", "Corotated", "NeoHookean", "StVenantKirchhoff"])
def test_materials(name):
    made = scene.parse(text(), overrides=[f"body.material.model={name}"]).build()
    assert type(made.bodies["beam"].material) is getattr(pl, name)


def test_a_plane_scene_takes_gravity_of_two_or_three_numbers():
    for gravity in ("[0, -9.81]", "[0, -9.81, 0]"):
        setup = build(mesh="{ trapezoid = {} }", run=f"gravity = {gravity}")
        assert setup.scene.gravity == pytest.approx([0, -9.81])


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


COMMENTED = """# by hand
[run]
seconds = 0.1   # short

[body.beam]
mesh = { file = "parts/part.vtu" }  # from the mesher
material = { young = 5e6 }
settle = { rest_in = 1.0 }
"""


@pytest.fixture
def on_disk(tmp_path):
    (tmp_path / "parts").mkdir()
    pl.meshes.box(cells=(2, 1, 1)).write(tmp_path / "parts" / "part.vtu")
    (tmp_path / "a.toml").write_text(COMMENTED)
    return tmp_path


def test_overrides_change_the_text_and_keep_the_comments(on_disk):
    file = scene.read(on_disk / "a.toml", ["body.settle.rest_in=1.2", "body.settle.bounces=1"])
    assert file.scene_text == COMMENTED.replace("rest_in = 1.0", "rest_in = 1.2, bounces = 1")
    assert scene.read(on_disk / "a.toml").scene_text == COMMENTED
    assert file.override(["run.seconds=3"]).run.seconds == 3.0
    assert file.run.seconds == 0.1  # it never changes itself
    with pytest.raises(ValueError):
        file.run = None


def test_a_saved_scene_finds_its_files_from_anywhere(on_disk, monkeypatch):
    file = scene.read(on_disk / "a.toml", ["body.settle.bounces=2"])
    saved = file.save(on_disk / "deep" / "er" / "b.toml")
    assert "../../parts/part.vtu" in saved.read_text() and "# by hand" in saved.read_text()
    monkeypatch.chdir(on_disk / "parts")
    again = scene.read("../deep/er/b.toml")
    assert again.body["beam"].settle.bounces == 2
    assert len(again.build().bodies["beam"].mesh) == 12
    assert file.save(on_disk / "c.toml").read_text() == file.scene_text


def test_the_text_of_a_take_makes_the_scene_again(on_disk):
    file = scene.read(on_disk / "a.toml")
    again = scene.parse(file.scene_text, folder=file.folder)
    assert again.model_dump() == file.model_dump()
    moved = file.moved_to(on_disk / "parts")
    assert moved.body["beam"].mesh.file == "part.vtu"
    moved.build()


def test_a_scene_made_in_python_can_be_saved(tmp_path):
    made = scene.SceneFile.model_validate(
        {
            "title": "made",
            "run": {"gravity": [0, -1, 0]},
            "body": {
                "my beam": {
                    "mesh": {"box": {"cells": [1, 1, 1]}},
                    "material": {"young": 1e6},
                    "fix": ["x < 0.1", {"points": [7]}],
                }
            },
        }
    )
    again = scene.read(made.save(tmp_path / "made.toml"))
    assert again.model_dump() == made.model_dump()
    assert again.build().names == ["my beam"]


def test_the_published_schema_is_current_and_every_number_has_its_unit():
    published = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
    current = json.loads(scene.json_schema())
    assert published == current, "pliant check --schema > docs/scene.schema.json"
    for name, table in current["$defs"].items():
        for field, about in table["properties"].items():
            assert about.get("description"), f"{name}.{field} has no description"
            numbers = '"type": "number"' in json.dumps(about)
            assert not numbers or "[" in about["description"], f"{name}.{field} has no unit"


def test_there_are_ten_scenes_and_of_every_kind():
    files = [scene.read(path) for path in SCENES]
    assert len(files) == 10
    bodies = [body for file in files for body in file.body.values()]
    assert any(body.mesh.file for body in bodies)
    assert any(body.mesh.annulus for body in bodies)  # 2D
    assert any(body.drive for body in bodies) and any(body.push for body in bodies)
    assert any(len(file.body) > 1 for file in files) and any(file.obstacle for file in files)
    assert any(body.examples for body in bodies)
    assert {body.kind for body in bodies} >= {"material", "cloth", "rod", "springs"}
    assert all(file.title for file in files)


@pytest.mark.parametrize("path", SCENES, ids=lambda p: p.stem)
def test_scenes_build_and_move(path):
    setup = scene.read(path, ["run.seconds=0.05", "run.fps=60"]).build()
    take = setup.run()
    assert len(take) == 4
    for track in take.tracks:
        assert np.isfinite(track.positions).all()


@pytest.mark.slow
@pytest.mark.parametrize("path", SCENES, ids=lambda p: p.stem)
def test_scenes_come_to_rest(path):
    take = scene.read(path).build().run()
    for track in take.tracks:
        # Half a percent of the size: the last wish ends 0.3 s before the film does.
        assert track.distance()[-1] < 5e-3 * track.size


def test_the_guide_runs_and_names_every_field(tmp_path, monkeypatch, capsys):
    guide = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    first, *parts = re.findall(r"^```toml\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    (tmp_path / "beam.toml").write_text(first)
    monkeypatch.chdir(tmp_path)
    code, said = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", guide, re.DOTALL).groups()
    exec(code, {})
    assert capsys.readouterr().out == said
    for part in parts:  # each is a section to be added
        setup = scene.parse(first + part).build()
        assert setup.bodies["beam"].pinned.any()
    for line in re.findall(r"^(fix = .*?)(?:   .*)?$", guide, re.MULTILINE):
        if "group" not in line and "5, 17" not in line:
            without = re.sub(r"^fix = .*$", "", first, flags=re.MULTILINE)
            assert scene.parse(without + line).build().bodies["beam"].pinned.any()
    for table in json.loads(scene.json_schema())["$defs"].values():
        for field in table["properties"]:
            assert re.search(rf"\b{field}\b", guide), f"{field} is not in docs/scenes.md"
