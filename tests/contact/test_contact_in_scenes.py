"""Scenes with `pl.Contact`: bodies land, slide, stick and collide, and never pass through anything."""

import logging

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile
from pliant.contact import BristleFriction
from pliant.problem import island_system
from pliant.solvers import Factored, Tied
from tests.contact.in_scenes import (
    BOX,
    box,
    crossings,
    energy,
    floor,
    island,
    momentum,
    on_floor,
    pushes,
)
from tests.resuming import assert_same, stopped_and_resumed


@pytest.mark.parametrize("young, speed, dt", [(1e5, 2.0, 1 / 60), (1e9, 20.0, 1 / 24)])
@pytest.mark.parametrize("tilt", [0.0, 0.4])
def test_a_box_that_falls_on_a_floor_never_gains_energy(young, speed, dt, tilt):
    c, s = np.cos(tilt), np.sin(tilt)
    turned = BOX.points @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    body = box(young=young)
    body.place(turned + [0, 0, 0.15])
    body.velocity = (0, 0, -speed)
    scene = on_floor(body)
    before = start = energy(scene)
    for _ in range(10):
        scene.step(dt)
        now = energy(scene)
        assert now <= before + 1e-6 * abs(start)
        before = now
    assert body.positions[:, 2].min() > 0.0 and body.positions[:, 2].mean() < 0.16


ROUND = [pl.Sphere((0.1, 0.1, -0.1), 0.1), pl.Capsule((-1, 0.1, -0.1), (1, 0.1, -0.1), 0.1)]


@pytest.mark.parametrize("obstacle", ROUND, ids=lambda o: o.word)
def test_a_stiff_fast_box_on_something_round_never_gains_energy(obstacle):
    body = box(0, 0, 0.3, young=1e9, velocity=(0, 0, -20))
    scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(obstacle)
    before = start = energy(scene)
    for _ in range(8):
        scene.step(1 / 24)
        now = energy(scene)
        assert now <= before + 1e-6 * abs(start)
        before = now
    assert obstacle.nearest(body.positions)[0].min() > 0.0


def test_a_stiff_fast_box_in_a_wedge_never_gains_energy():
    body = box(-0.1, -0.1, 0.3, young=1e9, velocity=(0, 0, -20))
    scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact(friction=0.1))
    walls = [pl.HalfSpace((0, 0, 0), (s, 0, 1)) for s in (-1, 1)]
    scene.add(*walls)
    before = start = energy(scene)
    for _ in range(8):
        scene.step(1 / 24)
        now = energy(scene)
        assert now <= before + 1e-6 * abs(start)
        before = now
    assert min(w.nearest(body.positions)[0].min() for w in walls) > 0.0


@pytest.mark.parametrize("friction, dt", [(0.0, 1 / 60), (0.1, 1 / 240), (0.3, 1 / 24)])
def test_a_block_slides_down_a_slope_as_coulomb_says(friction, dt):
    angle = np.radians(20.0)
    g = 9.81 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
    scene = on_floor(box(0, 0, 0), gravity=g, friction=friction)
    steps = round(0.4 / dt)
    take = scene.run(seconds=steps * dt, dt=dt, progress=False)
    speed = np.diff(take.positions.mean(axis=1)[:, 0]) / dt
    found = (speed[-1] - speed[steps // 2]) / ((steps - 1 - steps // 2) * dt)
    assert found == pytest.approx(-9.81 * (np.sin(angle) - friction * np.cos(angle)), rel=1e-3)


def test_cloth_that_sticks_to_a_ball_does_not_creep():
    """A ball is one point: if all that touches it had one bristle, that would bend nowhere."""
    flat = pl.meshes.rectangle((0.5, 0.5), (6, 6))
    mesh = pl.Mesh(np.insert(flat.points - 0.25, 2, 0.0, axis=1), flat.cells)
    cloth = pl.Cloth(mesh, stretch=1000.0, shear=300.0, bend=1e-3, density=0.2)
    cloth.place(mesh.points + [0.1, 0, 0.303])
    cloth.damping = pl.Rayleigh(mass=8.0)
    scene = pl.Scene([cloth], gravity=(0, 0, -9.81), contact=pl.Contact(friction=0.6))
    scene.add(pl.Sphere((0, 0, 0), 0.3))
    scene.run(seconds=2.0, dt=1 / 60, progress=False)
    before = cloth.positions.copy()
    scene.run(seconds=0.5, dt=1 / 60, progress=False)
    # It crept by 4e-5 m in that time, and 1.5e-3 m in the half second before.
    assert np.abs(cloth.positions - before).max() < 2e-6


def test_a_block_that_sticks_does_not_creep():
    angle = np.radians(20.0)
    g = 9.81 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
    scene = on_floor(box(0, 0, 0), gravity=g, friction=0.37)
    take = scene.run(seconds=1.0, dt=1 / 24, progress=False)
    late = take.positions[12:]
    assert np.abs(late - late[0]).max() < 1e-6


def test_boxes_that_collide_in_space_keep_their_momentum():
    lower, upper = box(0, 0, 0), box(0.05, 0.02, 0.24)
    lower.velocity, upper.velocity = (0, 0, 1), (0, 0.5, -2)
    scene = pl.Scene([lower, upper], contact=pl.Contact(friction=0.5))
    p = momentum(scene)
    for _ in range(6):
        scene.step(1 / 60)
        np.testing.assert_allclose(momentum(scene), p, atol=1e-10 * np.abs(p).max())
    assert lower.velocity[:, 2].mean() < 0.5  # they have met


def test_a_box_stays_on_a_box_and_its_weight_arrives():
    scene = on_floor(box(0, 0, 0, name="low"), box(0.03, 0.04, 0.2, name="high"))
    take = scene.run(seconds=1.0, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    high = take["high"].positions[-1]
    assert np.abs(take["high"].positions[-10] - high).max() < 1e-6
    assert 0.198 < high[:, 2].min() < 0.2015
    weight, found = 9.81 * scene.bodies[0].masses.sum(), pushes(scene)
    assert found[0, 2] == pytest.approx(2.0 * weight, rel=1e-3)  # the floor comes behind bodies
    assert found[0, 1] == pytest.approx(-weight, rel=1e-3)


def test_what_is_ignored_passes_and_what_is_not_does_not():
    def lowest(**how):
        scene = on_floor(box(0, 0, 0.01, name="a"), **how)
        scene.run(seconds=0.2, dt=1 / 60, progress=False)
        return scene.bodies[0].positions[:, 2].min()

    assert lowest() > 0.0
    assert lowest(ignore=[("a", "floor")]) < -0.1


def test_friction_of_pairs_and_of_obstacles():
    def slid(friction, own=None):
        body = box(0, 0, 0, name="block", velocity=(1, 0, 0))
        scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact(friction=friction))
        scene.add(floor(friction=own))
        scene.run(seconds=0.1, dt=1 / 60, progress=False)
        return 1.0 - body.velocity[:, 0].mean()

    want = 0.1 * 9.81
    assert slid(0.0) == pytest.approx(0.0, abs=1e-6)
    assert slid({("floor", "block"): 0.2}) == pytest.approx(0.2 * want, rel=0.2)
    assert slid(0.0, own=0.4) == pytest.approx(0.4 * want, rel=0.2)


def test_a_start_that_intersects_is_refused_by_name():
    scene = pl.Scene([box(0, 0, 0, name="a"), box(0.1, 0.1, 0.1, name="b")], contact=pl.Contact())
    with pytest.raises(ValueError, match="'a' and 'b' intersect at the start"):
        scene.run(seconds=0.1, progress=False)
    scene = on_floor(box(0, 0, -0.05, name="a"))
    with pytest.raises(ValueError, match="'a' and 'floor' intersect"):
        scene.run(seconds=0.1, progress=False)


def test_a_tower_that_touches_is_lifted_to_the_gap(caplog):
    tower = [box(0, 0, 0.2 * k, name=f"box {k}") for k in range(3)]
    scene = on_floor(*tower)
    with caplog.at_level(logging.INFO, logger="pliant"):
        take = scene.run(seconds=1 / 60, dt=1 / 60, progress=False)
    assert sum("moved by" in r.message for r in caplog.records) == 3
    for k in range(3):
        lowest = take[f"box {k}"].positions[0][:, 2].min()
        assert lowest == pytest.approx(0.2 * k + (k + 1) * 2e-4, abs=1e-9)


@pytest.mark.parametrize("apart", [1e-6, 1e-4, 1.9e-4])
def test_what_is_lifted_lifts_what_lies_a_little_above_it(apart):
    tower = [box(0, 0, (0.2 + apart) * k, name=f"box {k}") for k in range(3)]
    take = on_floor(*tower).run(seconds=1 / 60, dt=1 / 60, progress=False)
    for k in range(3):
        # The lowest is lifted by the gap, 2e-4 m, and nothing comes nearer to anything.
        lowest = take[f"box {k}"].positions[0][:, 2].min()
        assert lowest == pytest.approx((0.2 + apart) * k + 2e-4, abs=1e-9)


def test_single_steps_lift_and_refuse_as_well():
    body = box(0, 0, 0)
    scene = on_floor(body)
    scene.step(1 / 60)
    assert body.positions[:, 2].min() > 1e-4
    body.place(body.positions - [0, 0, 0.1])
    with pytest.raises(ValueError, match="'body' and 'floor' intersect"):
        scene.step(1 / 60)


def test_pins_ignore_obstacles_and_push_what_is_in_their_way():
    held = box(0, 0, -0.1, name="held")
    held.fix(BOX.points[:, 2] < 0.11)  # half of it is in the floor
    pusher, ball = box(1, 0, 0.3, name="pusher"), box(1.25, 0, 0.3, name="ball")
    layer = pusher.positions[:9]
    path = np.array([0.0, 0.3]), np.stack([layer, layer + [0.4, 0, 0]])
    pusher.move(np.arange(len(BOX)) < 9, path)
    scene = pl.Scene([held, pusher, ball], contact=pl.Contact())
    scene.add(floor())
    take = scene.run(seconds=0.3, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert take["ball"].positions[-1][:, 0].min() > 1.5


def test_pins_that_crush_something_are_named():
    mover = box(0, 0, 0.3, name="mover")
    path = lambda t: mover.mesh.points[:9] + np.array([3.0 * t, 0, 0.3])  # noqa: E731
    mover.move(np.arange(9), path)
    wall = box(0.3, 0, 0.3, name="wall")
    wall.fix(BOX.points[:, 0] > 0.19)
    scene = pl.Scene([mover, wall], contact=pl.Contact())
    with pytest.raises(pl.SolverError, match="pins drive points"):
        scene.run(seconds=0.5, dt=1 / 60, progress=False)


def test_what_contact_cannot_do_is_refused():
    scene = on_floor(box(0, 0, 0.1))
    with pytest.raises(ValueError, match=r"contact with pl.XPBD, .*pl.Implicit"):
        scene.run(seconds=0.1, stepper=pl.XPBD(), progress=False)
    with pytest.raises(TypeError, match=r"expected e.g. pl.Contact"):
        pl.Scene([box()], contact=True)
    with pytest.raises(ValueError, match="got the name 'nobody'"):
        on_floor(box(0, 0, 0), ignore=[("nobody", "floor")]).run(seconds=0.1, progress=False)


@pytest.mark.parametrize("at", [4, 9])
def test_a_run_that_is_taken_up_in_mid_contact_is_the_same(tmp_path, at):
    def make():
        slope = (-2.0, 0, -9.5)
        low, high = box(0, 0, 0.01, name="low"), box(0.03, 0.04, 0.22, name="high")
        return on_floor(low, high, gravity=slope, friction=0.25)

    how = {"steps": 16, "dt": 1 / 60}
    scene = make()
    whole = scene.run(seconds=16 / 60, dt=1 / 60, progress=False)
    assert all(len(body.state.bristles.keys) for body in scene.bodies)
    found = stopped_and_resumed(make, tmp_path / "a.zarr", at=at, late=2, **how)
    assert_same(found, whole)


def test_a_step_that_fails_in_contact_leaves_nothing(monkeypatch):
    def make():
        low, high = box(0, 0, 0.01, name="low"), box(0.03, 0.04, 0.22, name="high")
        return on_floor(low, high, gravity=(-2.0, 0, -9.5), friction=0.25)

    scene, other = make(), make()
    for _ in range(10):
        scene.step(1 / 60)
    for k in range(10):
        if k in (3, 6, 9):
            with monkeypatch.context() as patch:
                patch.setattr(BristleFriction, "bent", _interrupted)
                with pytest.raises(KeyboardInterrupt):
                    other.step(1 / 60)
        other.step(1 / 60)
    for a, b in zip(scene.bodies, other.bodies, strict=True):
        np.testing.assert_array_equal(a.state.x, b.state.x)
        np.testing.assert_array_equal(a.state.bristles.bends, b.state.bristles.bends)


def _interrupted(friction, x):
    raise KeyboardInterrupt


def test_solvers_of_single_bodies_give_the_same(monkeypatch):
    """Many unknowns are solved for with the solver of each body, which knows of what it touches."""
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (5, 5, 5))

    def run():
        bodies = box(0, 0, 0, mesh=mesh, name="a"), box(0.03, 0.04, 0.202, mesh=mesh, name="b")
        scene = on_floor(*bodies, friction=0.2)
        scene.run(seconds=3 / 60, dt=1 / 60, stepper=pl.Implicit(1e-9), progress=False)
        return scene

    one = run()
    monkeypatch.setattr(island_system, "FACTORED_IN_CONTACT", 0)
    each = run()
    assert isinstance(island(one).linear, Factored) and isinstance(island(each).linear, Tied)
    assert set(pushes(one)) == {(0, 1), (0, 2)}
    for a, b in zip(one.bodies, each.bodies, strict=True):
        np.testing.assert_allclose(a.positions, b.positions, atol=1e-8)


FILE = """
[run]
gravity = [0, 0, -9.81]

[contact]
friction = 0.1
gap = 3e-4
self_contact = false
ignore = [["it", "ball"]]

[body.it]
mesh = { box = { size = [0.2, 0.2, 0.2], cells = [1, 1, 1] }, move = [0, 0, 0.1] }
material = { young = 1e5 }

[[obstacle]]
half_space = { point = [0, 0, 0], normal = [0, 0, 1] }
name = "floor"
friction = 0.7

[[obstacle]]
sphere = { centre = [1, 1, 1], radius = 0.1 }
name = "ball"
"""


def test_a_scene_file_says_it():
    scene = scenefile.parse(FILE).build().scene
    assert scene.contact == pl.Contact(
        friction=0.1, gap=3e-4, self_contact=False, ignore=[("it", "ball")]
    )
    assert [o.name for o in scene.obstacles] == ["floor", "ball"]
    assert scene.obstacles[0].own_friction == 0.7 and scene.obstacles[1].own_friction is None
    settled = FILE.replace("young = 1e5 }", "young = 1e5 }\nsettle = { rest_in = 1 }")
    assert scenefile.parse(settled).build().scene.bodies[0].damping.rest_in == 1.0
    with pytest.raises(scenefile.SceneError, match=r"contact.friction"):
        scenefile.parse(FILE.replace("friction = 0.1", "friction = -1"))
    without = FILE.split("[contact]")[0] + FILE[FILE.index("[body.it]") :]
    assert scenefile.parse(without).build().scene.contact is None


def test_contact_is_frozen_and_checked():
    contact = pl.Contact()
    with pytest.raises(AttributeError):
        contact.friction = 0.5
    with pytest.raises(ValueError, match="gap"):
        pl.Contact(gap=-1.0)
    with pytest.raises(TypeError, match="self_contact"):
        pl.Contact(self_contact="yes")
    with pytest.raises(ValueError, match="friction"):
        pl.Contact(friction={"cloth": 0.2})
    assert eval(repr(contact), {"Contact": pl.Contact}) == contact


def table():
    """A closed surface: a block that is narrower than the boxes on it."""
    block = pl.meshes.box((0.1, 0.3, 0.1), (1, 1, 1))
    tips = block.points + [0.05, -0.05, -0.1]
    return pl.MeshObstacle(pl.Surface.of(tips, block.boundary["tri3"]), name="table", friction=0.5)


def test_a_box_lands_on_a_mesh_and_stays_there():
    body = box(0, 0, 0.05, young=1e5)
    scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(table())
    take = scene.run(seconds=0.6, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert scene.obstacles[0].nearest(body.positions)[0].min() > 0.0
    assert -0.02 < body.positions[:, 2].min() < 0.001 < body.positions[:, 2].mean()
    (again,) = take.obstacles
    assert again.name == "table" and again.own_friction == 0.5
    np.testing.assert_array_equal(again.triangles, scene.obstacles[0].triangles)


def test_a_mesh_needs_contact_and_areas():
    scene = pl.Scene([box(0, 0, 0.5)])
    scene.add(table())
    with pytest.raises(ValueError, match=r"which needs contact.* pl.Implicit"):
        scene.run(seconds=0.1, stepper=pl.XPBD(), progress=False)
    with pytest.raises(TypeError, match=r"expected pl.Surface.read"):
        pl.MeshObstacle(BOX)
    line = pl.Surface.of(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]]), [[0, 1, 2]])
    with pytest.raises(ValueError, match="no area"):
        pl.MeshObstacle(line)
