"""Poses that move: they throw, lead pins, and pull at what is free; in Python and in scene files."""

import struct

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile
from pliant.io.obj import write_skin
from pliant.mesh import Skin
from pliant.mesh.posing import pose, poses
from pliant.scenefile.body_on_mesh import BodyOnMesh

MESH = pl.meshes.box(size=(4, 1, 1), cells=(8, 2, 2))
X = MESH.points
HELD = X[:, 0] < 1e-9
FPS, LASTS = 48, 0.25
TIMES = np.arange(-2, 60) / FPS


def share(t):
    """0, then softly up to 1 within LASTS seconds."""
    return 0.5 - 0.5 * np.cos(np.pi * np.clip(t / LASTS, 0.0, 1.0))


def raised(points):
    """A lift by 1 m, (k, n, 3)."""
    return points + share(TIMES)[:, None, None] * [0.0, 1.0, 0.0]


def lagging(young, bounces, pull=1.0):
    """How far the free end is behind its clamp [m] in each frame, and when it rests [s]."""
    beam = pl.Body(MESH, pl.StableNeoHookean(young=young, poisson=0.4))
    motion = pl.shape.PoseMotion(TIMES, raised(X))
    motion.begin(beam)
    motion.drive(beam, HELD)
    beam.damping = pl.Settle(rest_in=0.75, bounces=bounces)
    motion.pull(beam, pull)
    take = pl.Scene([beam]).run(seconds=1.1, dt=1 / FPS)
    y = take.positions[:, :, 1] - X[:, 1]
    return y[:, -1] - y[:, 0], take.rest_time()


@pytest.fixture(scope="module")
def soft():
    return lagging(5e5, 2)


def test_what_is_free_lags_behind_and_rests_on_cue(soft):
    behind, rests = soft
    assert behind[6] < -0.25 and behind[12:18].max() > 0.3  # behind at first, then beyond
    # From when the load is over: the last sample, and an eighth of a bounce.
    assert 0.75 < rests < 0.75 * (1 + 1 / 16) + 1 / FPS


def test_steel_lags_as_far_as_jelly(soft):
    # Small differences: the tangent at rest is exact only for small strain.
    np.testing.assert_allclose(lagging(5e7, 2)[0], soft[0], atol=1e-6)


def test_without_pull_the_law_carries_it_along():
    assert np.abs(lagging(5e5, 2, pull=0.0)[0]).max() < 1e-9


def test_a_free_body_is_not_pulled():
    """The pose that it was thrown from stops; it flies on, and nothing else."""
    body = pl.Body(MESH, pl.StableNeoHookean(young=5e5, poisson=0.4))
    t = np.array([-0.05, 0.0, 0.05])
    motion = pl.shape.PoseMotion(t, np.stack([X - [0.1, 0, 0], X, X]))
    motion.begin(body)
    body.damping = pl.Settle(rest_in=0.75, bounces=0)
    motion.pull(body)
    assert body.velocity[:, 0] == pytest.approx(2.0) and not body.loads


def test_velocity_is_that_of_the_pose_before():
    """Exact for a parabola, whatever comes after."""
    t = np.array([-0.2, -0.05, 0.0, 0.1])
    x = X + (3.0 * t + 5.0 * t**2)[:, None, None] * [0.0, 0.0, 1.0]
    x[3] += 7.0
    motion = pl.shape.PoseMotion(t, x)
    np.testing.assert_allclose(motion.velocity, np.tile([0.0, 0.0, 3.0], (len(X), 1)), atol=1e-9)
    assert not pl.shape.PoseMotion([0.0], x[2:3]).velocity.any()
    two = pl.shape.PoseMotion(t[1:3], x[1:3]).velocity
    np.testing.assert_allclose(two[:, 2], 3.0 - 5.0 * 0.05, atol=1e-9)


def test_without_drift_only_deformation_follows_through():
    t = np.array([-0.1, 0.0])
    moved = X + 0.01 * np.cross([0.0, 0.0, 1.0], X) + [0.2, 0.0, 0.0] + 0.1 * X * [0.0, 0.1, 0.0]
    body = pl.Body(MESH, pl.StableNeoHookean(young=5e5, poisson=0.4))
    pl.shape.PoseMotion(t, np.stack([X, moved])).begin(body, drift=False)
    m, v = body.masses, body.velocity
    arms = body.positions - m @ body.positions / m.sum()
    assert (
        np.abs(m @ v).max() < 1e-9 * m.sum()
        and np.abs(m @ np.cross(arms, v)).max() < 1e-9 * m.sum()
    )
    assert np.abs(v).max() > 0.01


def test_what_rounding_moves_stands_still():
    rough = X + np.random.default_rng(1).uniform(-1e-7, 1e-7, (5, *X.shape))
    motion = pl.shape.PoseMotion(np.arange(5) / 24, rough)
    assert not motion.moves() and not motion.velocity.any()


@pytest.mark.parametrize(
    ("times", "x", "said"),
    [
        ([0.1, 0.2], X[None].repeat(2, axis=0), "from 0 or before it"),
        ([0.0, 0.0], X[None].repeat(2, axis=0), "seconds that grow"),
        ([0.0], X, "one pose for each time"),
        ([0.0], np.full((1, 3, 3), np.nan), "finite"),
    ],
)
def test_poses_that_cannot_be_are_refused(times, x, said):
    with pytest.raises(ValueError, match=said):
        pl.shape.PoseMotion(times, x)


def test_poses_of_another_body_are_refused():
    motion = pl.shape.PoseMotion([0.0], X[None, 1:])
    with pytest.raises(ValueError, match=r"expected \(81, 3\)"):
        motion.begin(pl.Body(MESH, pl.StableNeoHookean(young=5e5, poisson=0.4)))


def test_many_poses_at_once_are_those_of_one_after_the_other():
    surface = Skin.bare(MESH).surface
    theres = np.stack([surface.points * s for s in ([1, 1, 1], [1.2, 1, 0.9])])
    theres[1] += 0.1 * np.sin(surface.points[:, [1, 2, 0]])
    each = [pose(MESH, surface, there) for there in theres]
    # The solver of one stops at 1e-10.
    np.testing.assert_allclose(poses(MESH, surface, theres), each, atol=1e-8)


def test_a_rod_turns_with_its_nodes():
    curve = np.stack([np.linspace(0, 1, 9), 0.2 * np.linspace(0, 1, 9) ** 2, np.zeros(9)], axis=1)
    rod = pl.Rod(curve, radius=0.01, young=1e6, poisson=0.3, density=1000.0)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    lines = pl.Mesh(curve, {"line2": np.stack([np.arange(8), np.arange(1, 9)], axis=1)})
    found = BodyOnMesh(rod, lines).poses((curve @ turn.T + [1, 2, 3])[None])[0]
    np.testing.assert_allclose(found, rod.mesh.points @ turn.T + [1, 2, 3], atol=1e-9)


TEXT = """
[run]
seconds = 0.1
dt = "1/48"
[body.ear]
mesh = {{ file = "rest.obj", fill = false, move = [0, 0, 1] }}
cloth = {{ stretch = 3000, shear = 300, bend = 1e-2, density = 0.12 }}
settle = {{ rest_in = 0.5 }}
{more}
"""


@pytest.fixture
def folder(tmp_path):
    """A sheet that is carried along."""
    sheet = pl.meshes.rectangle(size=(1, 1), cells=(3, 3))
    flat = pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)
    skin = Skin.bare(flat)
    write_skin(skin, flat, flat.points, tmp_path / "rest.obj")
    x = raised(skin.surface.points).astype("<f4")
    head = struct.pack("<12siiffi", b"POINTCACHE2", 1, x.shape[1], 0.0, 1.0, len(x))
    (tmp_path / "pose.pc2").write_bytes(head + x.tobytes())
    return tmp_path


def build(folder, more):
    return scenefile.parse(TEXT.format(more=more), folder=folder).build()


FOLLOW = (
    'follow = { cache = "pose.pc2", fps = 48, first = -0.04166666666666666, where = "x < 0.01" }'
)


def test_a_scene_file_leads_pins_along_a_cache(folder):
    assert build(folder, FOLLOW).bodies["ear"].loads  # it pulls at the rest
    setup = build(folder, FOLLOW.replace(" }", ", pull = 0 }"))
    body = setup.bodies["ear"]
    take = setup.run()
    led = np.flatnonzero(body.mesh.points[:, 0] < 0.01)
    lifted = take.positions[:, led] - body.mesh.points[led]
    wanted = share(take.times)[:, None, None] * [0.0, 1.0, 0.0]
    np.testing.assert_allclose(lifted, np.broadcast_to(wanted, lifted.shape), atol=1e-6)  # float32


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (FOLLOW + '\nfix = "y < 0.01"', "1 of its points are also in fix"),
        (FOLLOW + "\nstart = { noise = 1e-3 }", "stands beside start"),
        (FOLLOW.replace("x < 0.01", "x < 9"), "leads every point"),
        (FOLLOW.replace("fps = 48, ", ""), "has no frame rate"),
        (FOLLOW.replace("first = -", "first = "), "first"),
        (FOLLOW.replace("pose.pc2", "rest.obj"), "rest.obj"),
    ],
)
def test_mistakes_of_follow_are_told_with_their_place(folder, more, said):
    with pytest.raises(ValueError, match=said):
        build(folder, more)
