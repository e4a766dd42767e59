"""Obstacles that move: they lift, push, drag and carry, and nothing passes through anything."""

from itertools import count

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import pliant as pl
from pliant.contact import crossing_bodies
from pliant.problem import IslandSystem
from tests.contact.in_scenes import box, island, stacked
from tests.resuming import assert_same, stopped_and_resumed

WEIGHT = 9.81
#: A box of few cells: what obstacles do does not depend on them.
FEW = pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))


def crossings(scene, take):
    """The bodies that cross in any frame, with obstacles where they are then."""
    system, found = island(scene), set()
    for time, *frames in zip(take.times, *(t.positions for t in take.tracks), strict=True):
        system.contact.aim_at(time)
        x = system.assembly.array(np.concatenate(frames))
        found |= set(crossing_bodies(system.contact, x))
    return found


def plane(path, **how):
    return pl.HalfSpace((0, 0, 0), (0, 0, 1), path=path, **how)


def standing(obstacle, *, friction=0.4):
    """A box on a plane, pressed down as its weight does."""
    body = box(0, 0, 1.85e-4, name="box", mesh=FEW)
    scene = pl.Scene([body], gravity=(0, 0, -WEIGHT), contact=pl.Contact(friction=friction))
    scene.add(obstacle)
    return scene, body


def block(size):
    """The surface of a box about the origin."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return pl.Surface.of(corners * size, faces)


def ball(radius, points=200):
    """A sphere of triangles."""
    k = np.arange(points) + 0.5
    rise, turn = np.arccos(1 - 2 * k / points), np.pi * (1 + 5**0.5) * k
    x = np.stack([np.cos(turn) * np.sin(rise), np.sin(turn) * np.sin(rise), np.cos(rise)], axis=1)
    return pl.Surface.of(radius * x, ConvexHull(x).simplices)


def test_a_plane_that_rises_lifts_a_box_with_the_right_force():
    a = 3.0
    scene, body = standing(plane(lambda t: (0, 0, 0.5 * a * t * t), name="lift"))
    take = scene.run(seconds=0.4, dt=1 / 120, progress=False)
    mass, late = body.masses.sum(), take.contacts[24:]
    found = np.mean([c.between("box", "lift").forces.sum(axis=0) for c in late], axis=0)
    # The box still swings a little, by the jerk of the start: the mean over 24 frames is exact to that.
    assert found[2] == pytest.approx(mass * (WEIGHT + a), rel=2e-3)
    assert np.abs(found[:2]).max() < 1e-3 * found[2]
    speed = np.diff(take.positions[:, :, 2].mean(axis=1)) * 120
    assert np.polyfit(take.times[25:], speed[24:], 1)[0] == pytest.approx(a, rel=2e-3)


def test_the_work_of_a_plane_that_rises_becomes_energy():
    a, dt = 2.0, 1 / 120
    scene, body = standing(plane(lambda t: (0, 0, 0.5 * a * t * t), name="lift"))
    take = scene.run(seconds=0.5, dt=dt, progress=False)
    mass, energies = body.masses.sum(), take.energies
    rise = take.positions[-1][:, 2].mean() - take.positions[0][:, 2].mean()
    speed = body.velocity[:, 2].mean()
    gained = mass * WEIGHT * rise + 0.5 * mass * speed**2
    work = energies["obstacle_work"][-1]
    # Backward Euler loses dt/t of the kinetic energy, 0.3 % of the sum here.
    assert work == pytest.approx(gained, rel=1e-2)
    # What is missing was dissipated: never created, in no step.
    balance = energies["total"] - energies["obstacle_work"]
    assert np.diff(balance).max() < 1e-6 * work and balance[0] - balance[-1] < 1e-2 * work
    sums = sum(energies[name] for name in ("kinetic", "elastic", "external", "contact"))
    np.testing.assert_allclose(energies["total"], sums, rtol=1e-12)


@pytest.mark.parametrize("dt", [pytest.param(1 / 240, marks=pytest.mark.slow), 1 / 60])
def test_a_belt_drags_a_box_along_as_coulomb_says(dt):
    mu, belt = 0.3, 0.6
    scene, body = standing(plane(lambda t: (belt * t, 0, 0), name="belt"), friction=mu)
    take = scene.run(seconds=0.4, dt=dt, progress=False)
    speed = np.diff(take.positions[:, :, 0].mean(axis=1)) / dt
    slides = take.times[1:] < 0.9 * belt / (mu * WEIGHT)
    slope = np.polyfit(take.times[1:][slides], speed[slides], 1)[0]
    # The first step presses the box down anew: its friction is a little off.
    assert slope == pytest.approx(mu * WEIGHT, rel=5e-3)
    assert speed[-1] == pytest.approx(belt, rel=1e-3)  # it moves along
    mass = body.masses.sum()
    # Half of the work is heat while it slides; what it swings on the bristles is little.
    assert take.energies["obstacle_work"][-1] == pytest.approx(mass * belt**2, rel=2e-2)


def test_a_turntable_carries_a_box_round():
    turning = pl.Keyframes([0, 10], turns=[(0, 0, 0), (0, 0, 600)], about=(0.4, 0.1, 0))
    scene, body = standing(plane(turning), friction=1.0)
    scene.run(seconds=0.5, dt=1 / 60, progress=False)
    omega, arm = np.radians(60.0), np.array([-0.3, 0.0])
    # It starts to turn within the first bristles, 1e-3 of its size: then it keeps its place.
    spun = omega * 0.5
    want = np.array([0.4, 0.1]) + arm @ [
        [np.cos(spun), np.sin(spun)],
        [-np.sin(spun), np.cos(spun)],
    ]
    assert body.positions[:, :2].mean(axis=0) == pytest.approx(want, abs=0.02)
    assert body.positions[:, 2].min() > 0.0


SPEEDS = [
    pytest.param(speed, dt, marks=[pytest.mark.slow] if dt < 1 / 50 and speed * dt < 0.08 else [])
    for speed in (1.0, 5.0, 20.0)
    for dt in (1 / 240, 1 / 60, 1 / 24)
]


@pytest.mark.parametrize("speed, dt", SPEEDS)
def test_a_paddle_hits_a_free_body_and_does_not_pass_it(speed, dt):
    body = box(-0.1, -0.1, -0.1, name="box")
    scene = pl.Scene([body], contact=pl.Contact(friction=0.3))
    start = (-0.3, 0.003, 0.002)
    path = lambda t: (start[0] + speed * t, *start[1:])  # noqa: E731
    scene.add(pl.MeshObstacle(block((0.05, 0.6, 0.6)), path=path, name="paddle"))
    steps = round(0.5 / speed / dt) + 1
    take = scene.run(seconds=steps * dt, dt=dt, progress=False)
    assert not crossings(scene, take)
    front = start[0] + 0.025 + speed * scene.time
    assert body.positions[:, 0].min() > front  # pushed ahead, not passed
    assert 0.95 * speed < body.velocity[:, 0].mean() < 2.05 * speed  # at most an elastic bounce


def test_a_thin_fast_rod_does_not_pass_a_row_of_boxes():
    boxes = [box(0.22 * i - 0.1, -0.1, -0.1, name=f"box {i}", mesh=FEW) for i in range(3)]
    scene = pl.Scene(boxes, contact=pl.Contact())
    rod = pl.Capsule((-0.2, -0.4, 0), (-0.2, 0.4, 0), 0.01, path=lambda t: (8 * t, 0, 0))
    scene.add(rod)
    take = scene.run(seconds=3 / 24, dt=1 / 24, progress=False)
    assert not crossings(scene, take)
    assert all(b.positions[:, 0].mean() > -0.2 + 8 * scene.time for b in boxes)


def cloth(cells=8, size=0.6, height=0.25):
    flat = pl.meshes.rectangle((size, size), (cells, cells), kind="tri")
    points = np.column_stack([flat.points - 0.5 * size, np.full(len(flat.points), height)])
    return pl.Cloth(
        pl.Mesh(points, flat.cells),
        stretch=2000.0,
        shear=500.0,
        bend=1e-3,
        density=0.3,
        name="cloth",
    )


@pytest.mark.parametrize("cells", [6, pytest.param(16, marks=pytest.mark.slow)])
def test_a_cloth_lies_on_a_ball_that_breathes(cells):
    surface = ball(0.2)

    def breathe(t):
        return surface.points * (1.0 + 0.15 * np.sin(4 * np.pi * t))

    sheet = cloth(cells)
    scene = pl.Scene([sheet], gravity=(0, 0, -WEIGHT), contact=pl.Contact(friction=0.5))
    scene.add(pl.MeshObstacle(surface, path=breathe, name="ball"))
    take = scene.run(seconds=0.5, dt=1 / 30 if cells < 10 else 1 / 60, progress=False)
    assert not crossings(scene, take)
    assert len(take.contacts[-1].between("cloth", "ball")) > 5
    assert take.positions[-1][:, 2].max() > 0.2  # it lies on top


def test_a_press_squeezes_a_soft_box_on_a_floor_and_lets_it_go():
    body = box(0, 0, 1e-3, name="box", young=1e5, mesh=FEW)
    scene = pl.Scene([body], gravity=(0, 0, -WEIGHT), contact=pl.Contact(friction=0.3))
    up, down = (0.1, 0.1, 0.24), (0.1, 0.1, 0.16)
    path = pl.Keyframes([0, 0.2, 0.4], offsets=[up, down, up], ease="smooth")
    press = pl.MeshObstacle(block((0.4, 0.4, 0.05)), path=path, name="press")
    scene.add(plane(None, name="floor"), press)
    take = scene.run(seconds=0.4, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    heights = take.positions[:, :, 2].max(axis=1)
    assert heights.min() < 0.135 and heights[-1] > 0.19  # the press comes down to 0.135
    work = take.energies["obstacle_work"]
    assert work[-1] < 0.5 * work.max()  # most of it comes back
    assert take.solver["iterations"].sum() < 40 * len(take)  # and no step takes hundreds


@pytest.mark.slow
def test_what_has_no_room_is_told_by_name_and_time_and_nothing_passes():
    body = box(-0.1, -0.1, -0.1, name="box", young=1e8, mesh=FEW)
    scene = pl.Scene([body], contact=pl.Contact())
    wall = pl.HalfSpace((0.11, 0, 0), (-1, 0, 0), name="wall")
    press = pl.MeshObstacle(
        block((0.05, 0.6, 0.6)), path=lambda t: (-0.2 + 4 * t, 0, 0), name="press"
    )
    scene.add(wall, press)
    with pytest.raises(pl.SolverError, match=r"t = .* s: obstacle 'press'.* into 'box'") as failed:
        scene.run(seconds=0.2, dt=1 / 24, progress=False)
    assert not crossings(scene, failed.value.take)
    assert scene.time < 0.11  # the press reaches the wall at 0.071 s
    assert scene.time == failed.value.take.times[-1]


def test_an_obstacle_that_passes_through_itself_is_tolerated():
    hand = pl.MeshObstacle(block((0.05, 0.3, 0.3)))
    points = hand.contact_points(0.0)
    two = pl.Surface.of(
        np.concatenate([points - [0.2, 0, 0], points + [0.2, 0, 0]]),
        np.concatenate([hand.triangles, hand.triangles + len(points)]),
    )
    inwards = np.repeat([[1.0, 0, 0], [-1.0, 0, 0]], 8, axis=0)
    body = box(1.0, 0, 0, name="box", mesh=FEW)
    scene = pl.Scene([body], contact=pl.Contact())
    scene.add(pl.MeshObstacle(two, path=lambda t: two.points + t * inwards, name="hands"))
    scene.run(seconds=0.4, dt=1 / 24, progress=False)  # the hands are through each other
    between = box(-0.1, -0.1, -0.1, name="box", young=1e8, mesh=FEW)
    scene = pl.Scene([between], contact=pl.Contact())
    scene.add(pl.MeshObstacle(two, path=lambda t: two.points + 3 * t * inwards, name="hands"))
    with pytest.raises(pl.SolverError, match=r"t = .* s: obstacle 'hands'.* 'box'") as failed:
        scene.run(seconds=0.4, dt=1 / 24, progress=False)
    assert not crossings(scene, failed.value.take)


def test_in_the_plane_a_disk_pushes_and_a_floor_tilts():
    mesh = pl.meshes.rectangle((0.2, 0.2), (2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), density=1000.0, name="box")
    body.place(mesh.points + [0, 0.001])
    scene = pl.Scene([body], gravity=(0, -WEIGHT), contact=pl.Contact(friction=0.2))
    scene.add(
        pl.HalfSpace((0, 0), (0, 1), path=pl.Keyframes([0, 1], turns=[0, 5], about=(0.1, 0))),
        pl.Sphere((-0.2, 0.1), 0.1, path=([0, 1], [(0, 0), (1, 0)]), name="disk"),
    )
    take = scene.run(seconds=0.3, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert scene.obstacles[1].at(scene.time).nearest(body.positions)[0].min() > 0.0
    assert body.positions[:, 0].mean() > 0.29  # it was at 0.1


def moving_scene():
    body = box(0, 0, 0.001, name="box", mesh=FEW)
    scene = pl.Scene([body], gravity=(0, 0, -WEIGHT), contact=pl.Contact(friction=0.4))
    tip = pl.Keyframes([0, 1], turns=[(0, 0, 0), (0, 10, 0)], ease="smooth")
    corner = block((0.1, 0.1, 0.1))
    push = pl.MeshObstacle(
        corner, path=lambda t: corner.points + [-0.07 + t, 0.1, 0.1], name="push"
    )
    scene.add(plane(tip, name="tip"), push)
    return scene


def test_a_run_that_is_taken_up_again_is_the_same_run(tmp_path):
    whole = moving_scene().run(seconds=15 / 60, dt=1 / 60, progress=False)
    path = tmp_path / "moving.zarr"
    again = stopped_and_resumed(moving_scene, path, steps=15, dt=1 / 60, at=9)
    assert_same(again, whole)
    assert whole.energies["obstacle_work"][-1] != 0.0
    for here, there in zip(again.contacts, whole.contacts, strict=True):
        np.testing.assert_array_equal(here.forces, there.forces)
    for here, there in zip(again.motions, whole.motions, strict=True):
        np.testing.assert_array_equal(here, there)


@pytest.mark.parametrize(
    "error", [pl.SolverError("x"), KeyboardInterrupt()], ids=["fails", "ctrl-c"]
)
@pytest.mark.parametrize("call", [2])
def test_a_failed_step_leaves_no_trace(monkeypatch, error, call):
    straight, stumbles = moving_scene(), moving_scene()
    solve, calls = IslandSystem.minimise, count(1)

    def stumble(*given, **how):
        if next(calls) >= call:
            raise error
        return solve(*given, **how)

    for k in range(6):
        straight.step(1 / 60)
        if k == 3:
            before = [stacked(stumbles, name) for name in ("x", "v")]
            monkeypatch.setattr(IslandSystem, "minimise", stumble)
            with pytest.raises(type(error)):
                stumbles.step(1 / 60)
            monkeypatch.setattr(IslandSystem, "minimise", solve)
            for name, then in zip(("x", "v"), before, strict=True):
                np.testing.assert_array_equal(stacked(stumbles, name), then)
        stumbles.step(1 / 60)
    for name in ("x", "v"):
        np.testing.assert_array_equal(stacked(straight, name), stacked(stumbles, name))
    work = [scene.bodies[0].state.obstacle_work for scene in (straight, stumbles)]
    assert work[0] == work[1] != 0.0


def test_the_same_obstacle_on_a_path_that_stays_changes_nothing():
    takes = []
    for path in (None, lambda t: (0, 0, 0)):
        scene, _ = standing(plane(path, name="floor"))
        takes.append(scene.run(seconds=0.1, dt=1 / 60, progress=False))
    # Lists of pairs have another order, and so sums another rounding.
    np.testing.assert_allclose(takes[0].positions, takes[1].positions, atol=1e-9)


BAD_PATHS = [
    (3, "got 3; expected offsets"),
    (lambda t: (0, 0), r"shape \(2,\)"),
    (lambda: (0, 0, 0), "function of the time"),
    (lambda t: (0, 0, np.nan), "not finite"),
    (([0, 1], [(0, 0, 0)]), "as many"),
    (([1, 0], [(0, 0, 0), (1, 0, 0)]), "increasing"),
    (lambda t: 2.0 * np.eye(4), "no rigid motion"),
    (lambda t: np.zeros((5, 3)), r"shape \(5, 3\)"),
]


@pytest.mark.parametrize("path, words", BAD_PATHS)
def test_paths_that_make_no_sense_are_refused(path, words):
    with pytest.raises((ValueError, TypeError), match=words):
        obstacle = pl.Sphere((0, 0, 0), 0.1, path=path)
        obstacle.at(0.0)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"times": [0, 1]}, "neither offsets nor turns"),
        ({"times": [0, 1], "offsets": [(0, 0, 0)]}, "one for each of 2"),
        ({"times": [1, 0], "offsets": np.zeros((2, 3))}, "increasing"),
        ({"times": [0, 1], "offsets": [(0, 0, np.inf)] * 2}, "finite"),
        ({"times": [0, 1], "turns": np.zeros((2, 3)), "ease": "fast"}, "ease"),
    ],
)
def test_keyframes_that_make_no_sense_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        pl.Keyframes(**given)
    flat = pl.Keyframes([0, 1], offsets=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="in 3D"):
        pl.Sphere((0, 0, 0), 0.1, path=flat)


def test_a_stepper_without_contact_refuses_a_moving_obstacle():
    scene = pl.Scene([box(0, 0, 0.1)])
    scene.add(plane(lambda t: (0, 0, t)))
    with pytest.raises(ValueError, match=r"with a path, which needs contact.*pl.Implicit"):
        scene.run(seconds=0.1, stepper=pl.XPBD())
    scene.run(seconds=0.2, progress=False)  # without a word there is contact
    assert scene.bodies[0].positions[:, 2].min() > 0.2


def test_keyed_matrices_turn_the_shortest_way():
    half = np.eye(4)
    half[:2, :2] = [[0, -1], [1, 0]]
    capsule = pl.Capsule((1, 0, 0), (2, 0, 0), 0.1, path=([0, 1], [np.eye(4), half]))
    want = np.array([np.cos(np.pi / 4), np.sin(np.pi / 4), 0])
    np.testing.assert_allclose(capsule.contact_points(0.5), [want, 2 * want], atol=1e-12)
    assert capsule.at(2.0).shape()["a"] == pytest.approx([0, 1, 0], abs=1e-12)


def test_a_rod_is_pushed_by_an_obstacle_that_moves():
    """Its surface has other points than it has nodes."""
    rod = pl.Rod(
        np.linspace([-0.1, 0, 0.0105], [0.1, 0, 0.0105], 5),
        radius=0.01,
        young=1e6,
        poisson=0.3,
        density=1000.0,
        name="rod",
    )
    scene = pl.Scene([rod], gravity=(0, 0, -9.81), contact=pl.Contact())
    push = pl.Sphere((0, -0.07, 0.02), 0.05, path=lambda t: (0, t, 0), name="ball")
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1), name="floor"), push)
    scene.run(seconds=0.1, dt=1 / 60, progress=False)
    # At its height the ball has come to -0.07 + 0.1 + sqrt(0.05^2 - 0.01^2) and 0.01 behind it.
    assert rod.along(rod.positions)[2, 1] > 0.08


def test_parts_of_a_step_end_where_the_step_does():
    """To the last digit: an obstacle that jumps there must not have been here a moment before."""
    body, asked = box(-0.1, -0.1, 0.0, name="box", mesh=FEW), []
    body.damping = pl.Settle(rest_in=0.3)
    scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact())
    far = pl.Sphere((9, 0, 0), 0.1, path=lambda t: asked.append(t) or (0, 0, t), name="far")
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1), name="floor"), far)
    for _ in range(4):
        scene.step(1 / 60)
        assert max(asked) == scene.time


def test_triangles_without_area_are_left_out_of_an_obstacle():
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, -1, 0]], float)
    faces = [[0, 1, 2], [0, 2, 3], [0, 4, 1], [0, 4, 4]]
    with pytest.warns(RuntimeWarning, match="2 triangles have no area, and are left out"):
        table = pl.MeshObstacle(pl.Surface.of(corners, faces), name="table")
    assert len(table.triangles) == 2
    scene = pl.Scene([box(0, 0, 0.01)], gravity=(0, 0, -9.81))
    scene.add(table)
    take = scene.run(seconds=0.2, dt=1 / 60, progress=False)
    assert take.positions[-1][:, 2].min() > 0.0
    with pytest.raises(ValueError, match="triangles that have no area"):
        pl.MeshObstacle(pl.Surface.of(corners, [[0, 4, 1]]))
