"""What takes and exports have of contacts and of obstacles that move."""

import json
import shutil

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile
from pliant.io.html import page
from pliant.io.shown_obstacles import shown_obstacles
from pliant.view import Engine
from tests.contact.in_scenes import box, energy, island, on_floor, pushes, stacked
from tests.contact.test_moving_obstacles import FEW, block
from tests.unit.test_exports_glb import Glb
from tests.unit.test_html import facts

SLIDE = np.array([0.4, 0.0, 0.3])


def moving():
    """A box on a floor that stands still, a ball that rises beside it, and a mesh that breathes."""
    body = box(0, 0, 0.002, name="box", mesh=FEW)
    cube = block((0.1, 0.1, 0.1))
    scene = on_floor(
        body,
        friction=0.4,
        obstacles=[
            pl.Sphere((0.5, 0.1, 0.1), 0.1, path=lambda t: SLIDE * t, name="ball"),
            pl.MeshObstacle(
                cube, path=lambda t: cube.points * (1 + t) + [-0.3, 0, 0.2], name="lungs"
            ),
            pl.Capsule((0.4, 0.4, 0), (0.4, 0.4, 0.2), 0.05, name="pole"),
        ],
    )
    body.velocity = (0.3, 0, 0)
    return scene


@pytest.fixture(scope="module")
def take():
    return moving().run(seconds=0.2, dt=1 / 60, progress=False)


def same(found, take):
    np.testing.assert_array_equal(found.energies, take.energies)
    assert len(found.contacts) == len(take) and found.contacts[-1].names == take.contacts[-1].names
    for a, b in zip(found.contacts, take.contacts, strict=True):
        for name in ("points", "normals", "forces", "pairs"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    for a, b in zip(found.motions, take.motions, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


@pytest.mark.parametrize("name", ["take.npz", "take.zarr"])
def test_files_that_are_read_back_have_contacts_and_motions(take, tmp_path, name):
    same(pl.Take.read(take.save(tmp_path / name)), take)
    again = pl.Take.read(tmp_path / name).save(tmp_path / f"again-{name}")
    same(pl.Take.read(again), take)


def test_a_folder_that_is_written_while_it_runs_has_them_too(take, tmp_path):
    same(moving().run(seconds=0.2, dt=1 / 60, progress=False, into=tmp_path / "take.zarr"), take)


def test_forces_are_those_of_the_barrier_and_of_coulomb():
    scene = on_floor(box(0, 0, 0, name="low"), box(0.03, 0.04, 0.2, name="high"), friction=0.3)
    take = scene.run(seconds=0.2, dt=1 / 60, progress=False)
    last, found = take.contacts[-1], pushes(scene)
    ground, upper = last.between("low", "floor"), last.between("high", "low")
    # Sums of the same numbers in another order.
    assert ground.forces[:, 2].sum() == pytest.approx(found[0, 2], rel=1e-9)
    # Surfaces are bent a little, and friction along them pulls up or down.
    assert upper.forces[:, 2].sum() == pytest.approx(-found[0, 1], rel=1e-3)
    np.testing.assert_allclose(np.linalg.norm(last.normals, axis=1), 1.0, atol=1e-9)
    assert (last.normal_forces > 0.0).all()
    # Pairs of one contact have one mean normal; their friction lies across each of their own.
    rubs = np.linalg.norm(last.friction_forces, axis=1)
    assert (rubs <= 0.3 * last.normal_forces * 1.001 + 1e-9).all()
    assert np.abs(ground.points[:, 2]).max() < 1e-3


def test_friction_of_what_slides_is_mu_times_the_push():
    scene = on_floor(box(0, 0, 0, name="box", velocity=(2, 0, 0)), friction=0.25)
    take = scene.run(seconds=0.1, dt=1 / 60, progress=False)
    forces = take.contacts[-1].between("box", "floor").forces.sum(axis=0)
    # Friction acts with the push of the last lap of the step, which differs by its tolerance.
    assert forces[0] == pytest.approx(-0.25 * forces[2], rel=1e-3)


def test_the_energy_of_the_barrier_is_in_the_energies():
    scene = on_floor(box(0, 0, 0, name="low"), box(0.03, 0.04, 0.2, name="high"))
    take = scene.run(seconds=0.1, dt=1 / 60, progress=False)
    system = island(scene)
    barrier = system.contact.value(system.assembly.array(stacked(scene, "x")))
    found = sum(track.energies["contact"][-1] for track in take.tracks)
    assert found == pytest.approx(barrier, rel=1e-9) and found > 0.0
    rest = sum(float(b.masses @ (b.mesh.points @ scene.gravity)) for b in scene.bodies)
    total = sum(track.energies["total"][-1] for track in take.tracks)
    assert total == pytest.approx(energy(scene) + rest, rel=1e-6)  # the zero of gravity differs


def test_what_is_not_recorded_is_told():
    scene = on_floor(box(0, 0, 0, name="box"), record=False)
    take = scene.run(seconds=1 / 60, dt=1 / 60, progress=False)
    with pytest.raises(ValueError, match="no contacts were recorded"):
        _ = take.contacts
    assert not take.energies["contact"].any()
    with pytest.raises(KeyError, match="nothing"):
        moving().run(seconds=1 / 60, dt=1 / 60).contacts[0].between("box", "nothing")


@pytest.mark.parametrize("harm", ["spans", "rows", "names", "motion"])
def test_damaged_contacts_and_motions_are_refused(take, tmp_path, harm):
    path = take.save(tmp_path / "take.zarr")
    if harm == "motion":
        shutil.rmtree(path / "obstacles" / "1")
    elif harm == "names":
        said = json.loads((path / ".zattrs").read_text())
        said["contacts"] = ["box"]
        (path / ".zattrs").write_text(json.dumps(said))
    elif harm == "spans":
        (path / "contacts" / "spans" / "5.0").write_bytes(np.array([0, 10**6]).tobytes())
    else:
        shutil.rmtree(path / "contacts" / "rows")
    with pytest.raises(ValueError, match=r"contacts|obstacles/1"):
        pl.Take.read(path)


def test_takes_of_earlier_versions_have_four_energies(take, tmp_path):
    path = take.save(tmp_path / "take.npz")
    arrays = dict(np.load(path))
    arrays["body0/energies"] = arrays["body0/energies"][:, :4]
    np.savez(path, **arrays)
    found = pl.Take.read(path).energies
    np.testing.assert_array_equal(found["total"], take.energies["total"])
    assert not found["contact"].any()


def test_shown_obstacles_are_where_they_are(take):
    shown = {s.name: s for s in shown_obstacles(take)}
    assert list(shown) == ["floor", "ball", "lungs", "pole"]
    assert [s.moves for s in shown.values()] == [False, True, True, False]
    for frame in (0, 7, len(take) - 1):
        t, ball = take.times[frame], shown["ball"]
        middle = ball.points_at(frame).mean(axis=0)
        np.testing.assert_allclose(middle, [0.5, 0.1, 0.1] + SLIDE * t, atol=1e-3)
        wide = np.ptp(shown["lungs"].points_at(frame), axis=0)
        np.testing.assert_allclose(wide, 0.1 * (1 + t), atol=1e-12)


def test_the_square_of_a_plane_stays_before_the_bodies():
    body = box(0, 0, 0.001, mesh=FEW)
    scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1), path=lambda t: (40 * t, 0, -0.5 * t)))
    (wall,) = shown_obstacles(scene.run(seconds=0.05, dt=1 / 60, progress=False))
    middle = wall.points_at(3).mean(axis=0)
    assert abs(middle[0] - 0.1) < 0.2 and middle[2] == pytest.approx(-0.025, abs=1e-9)


def test_usd_has_obstacles_animated(take, tmp_path):
    usd = pytest.importorskip("pxr.Usd")
    geom = pytest.importorskip("pxr.UsdGeom")
    stage = usd.Stage.Open(str(take.save(tmp_path / "take.usdc")))
    meshes = {p.GetName(): geom.Mesh(p) for p in stage.Traverse() if p.IsA(geom.Mesh)}
    assert set(meshes) == {"box", "floor", "ball", "lungs", "pole"}
    counts = {name: mesh.GetPointsAttr().GetNumTimeSamples() for name, mesh in meshes.items()}
    assert counts == {"box": 13, "floor": 0, "ball": 13, "lungs": 13, "pole": 0}
    first, last = (np.array(meshes["ball"].GetPointsAttr().Get(k)) for k in (0, 12))
    np.testing.assert_allclose(last - first, np.tile(0.2 * SLIDE, (len(first), 1)), atol=1e-6)


def test_gltf_has_obstacles_animated(take, tmp_path):
    glb = Glb(take.save(tmp_path / "take.glb"))
    nodes = [node["name"] for node in glb.json["nodes"]]
    (animation,) = glb.json["animations"]
    moved = {nodes[c["target"]["node"]] for c in animation["channels"]}
    assert moved == {"box", "ball", "lungs"}
    mesh = glb.json["meshes"][glb.json["nodes"][nodes.index("ball")]["mesh"]]
    assert len(mesh["primitives"][0]["targets"]) == len(take) - 1


def test_other_files_have_obstacles_in_every_frame(take, tmp_path):
    take.save(tmp_path / "take.obj")
    names = {path.name for path in tmp_path.iterdir()}
    assert {"take-ball_0000.obj", "take-ball_0012.obj", "take-pole.obj"} <= names
    shown = facts(page(take))[0]
    moves = {o["name"]: o["points"]["shape"][0] for o in shown["obstacles"]}
    assert moves == {"floor": 1, "ball": 13, "lungs": 13, "pole": 1}
    ends = shown["contacts"]["ends"]
    assert len(ends) == len(take) and ends[-1] == sum(map(len, take.contacts))
    assert shown["contacts"]["points"]["shape"] == [1, ends[-1], 3]


def test_vtkhdf_has_contacts(take, tmp_path):
    for name in ("pyvista", "h5py"):
        pytest.importorskip(name)
    from tests.unit.test_vtk import hdf_frames

    steps = list(hdf_frames(take.save(tmp_path / "take.vtkhdf")))
    assert len(steps) == len(take) and len(take.contacts[-1])
    for (_, blocks), contacts in zip(steps, take.contacts, strict=True):
        assert blocks[1].n_points == blocks[1].n_cells == len(contacts)
        if len(contacts):
            np.testing.assert_array_equal(blocks[1].point_data["force"], contacts.forces)


def test_the_stage_moves_obstacles_and_shows_contacts_when_asked():
    engine = Engine(moving(), dt=1 / 60)
    engine.tick(steps=3)
    before = engine.snapshot
    assert before.contacts is None
    np.testing.assert_allclose(before.motions[0][:, 3], SLIDE * before.time, atol=1e-12)
    engine.show_contacts(True)
    engine.tick(steps=3)
    assert len(engine.snapshot.contacts.between("box", "floor"))


SCENE = """
[run]
seconds = 0.1
dt = 0.016666
gravity = [0, 0, -9.81]
[contact]
record = false
[body.box]
mesh = { box = { size = [0.2, 0.2, 0.2], cells = [1, 1, 1] }, move = [0, 0, 0.01] }
material = { young = 1e6, poisson = 0.3 }
"""


def built(text, folder):
    return scenefile.parse(SCENE + text, folder=str(folder)).build().scene


def test_scene_files_have_paths_of_obstacles(tmp_path):
    scene = built(
        """
[[obstacle]]
name = "lift"
half_space = { point = [0, 0, 0], normal = [0, 0, 1] }
path.keyframes = { times = [0, 1], offsets = [[0, 0, 0], [0, 0, 0.5]], ease = "smooth" }
[[obstacle]]
name = "arm"
capsule = { a = [1, 0, 0], b = [2, 0, 0], radius = 0.1 }
path.keyframes = { times = [0, 1], turns = [[0, 0, 0], [0, 0, 90]], about = [0, 0, 0] }
""",
        tmp_path,
    )
    lift, arm = scene.obstacles
    assert not scene.contact.record
    assert lift.at(0.5).point == pytest.approx([0, 0, 0.25])
    np.testing.assert_allclose(arm.contact_points(1.0), [[0, 1, 0], [0, 2, 0]], atol=1e-12)


def write_usd(path, *, points=False):
    """A square of one metre in centimetres that rises by 0.5 m in a second, and turns or grows."""
    usd, geom = pytest.importorskip("pxr.Usd"), pytest.importorskip("pxr.UsdGeom")
    stage = usd.Stage.CreateNew(str(path))
    geom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(10)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(10)
    mesh = geom.Mesh.Define(stage, "/World/Sheet")
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    square = np.array([[0, 0, 0], [100, 0, 0], [100, 100, 0], [0, 100, 0]], dtype=float)
    attribute = mesh.CreatePointsAttr()
    if points:
        for code in (0, 10):
            attribute.Set((square * (1 + 0.1 * code)).tolist(), code)
    else:
        attribute.Set(square.tolist())
        lift = mesh.AddTranslateOp()
        turn = mesh.AddRotateZOp()
        for code in (0, 10):
            lift.Set((0, 0, 5.0 * code), code)
            turn.Set(9.0 * code, code)
    stage.Save()
    return path


def test_meshes_come_from_files_with_their_animation(tmp_path):
    write_usd(tmp_path / "grows.usda", points=True)
    write_usd(tmp_path / "turns.usda")
    block((0.1, 0.1, 0.1)).write(tmp_path / "cube.obj")
    scene = built(
        """
[[obstacle]]
mesh = { file = "grows.usda", prim = "/World/Sheet", move = [0, 0, -1] }
[[obstacle]]
mesh = { file = "cube.obj", scale = 2, move = [1, 0, 0] }
path = { usd = "turns.usda", prim = "/World/Sheet" }
[[obstacle]]
sphere = { centre = [1, 0, 0], radius = 0.1 }
path = { usd = "turns.usda", prim = "/World/Sheet" }
""",
        tmp_path,
    )
    grows, cube, ball = scene.obstacles
    corner = [[0, 0, -1], [1.5, 0, -1], [1.5, 1.5, -1], [0, 1.5, -1]]
    np.testing.assert_allclose(grows.contact_points(0.5), corner, atol=1e-6)
    assert cube.contact_points(0.0)[:, 0].mean() == pytest.approx(1.0)
    middle = cube.contact_points(1.0).mean(axis=0)
    np.testing.assert_allclose(middle, [0, 1, 0.5], atol=1e-6)
    # Turns between keys are rigid: the cube is as large as before.
    assert np.ptp(cube.contact_points(0.5), axis=0)[2] == pytest.approx(0.2, abs=1e-6)
    np.testing.assert_allclose(ball.contact_points(0.5), [[0.5**0.5, 0.5**0.5, 0.25]], atol=1e-6)
    read = pl.MeshObstacle.read(tmp_path / "turns.usda", name="sheet")
    np.testing.assert_allclose(read.contact_points(1.0)[1], [0, 1, 0.5], atol=1e-6)


@pytest.mark.parametrize(
    "text, words",
    [
        ("mesh = { file = 'no.obj' }", "no such file"),
        ("mesh = { file = 'two.usda' }", r"expected prim"),
        ("mesh = { file = 'one.usda', prim = '/World/Nothing' }", "has /World/Sheet"),
        ("mesh = { file = 'cube.obj' }\nmargin = 0.1", "margin"),
        ("mesh = { file = 'one.usda' }\npath.usd = 'one.usda'", "prim"),
        (
            "mesh = { file = 'one.usda' }\npath = { usd = 'one.usda', prim = '/World/Sheet' }",
            "animated",
        ),
        (
            "sphere = { centre = [1, 0, 0], radius = 0.1 }\npath.keyframes = { times = [0, 1] }",
            "offsets or turns",
        ),
        (
            "sphere = { centre = [1, 0, 0], radius = 0.1 }\n"
            "path = { usd = 'grows.usda', prim = '/World/Sheet' }",
            "no rigid motion",
        ),
    ],
)
def test_mistakes_in_scene_files_are_told(tmp_path, text, words):
    write_usd(tmp_path / "one.usda")
    write_usd(tmp_path / "grows.usda", points=True)
    block((0.1, 0.1, 0.1)).write(tmp_path / "cube.obj")
    stage = pytest.importorskip("pxr.Usd").Stage.CreateNew(str(tmp_path / "two.usda"))
    stage.Save()
    with pytest.raises(ValueError, match=words):
        built(f"[[obstacle]]\n{text}\n", tmp_path)
