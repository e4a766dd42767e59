"""Bodies jiggle after bones, and rest on cue when the bones stand still."""

import numpy as np
import pytest

import pliant as pl

DT = 1 / 120
MESH = pl.meshes.tube(pl.shape.Bezier([[0, 0, 0], [1, 0, 0], [2, 0, 0]]), 0.25, (16, 2))
ARM = pl.shape.Skeleton(
    [[0, 0, 0], [1, 0, 0]], [-1, 0], names=["upper", "lower"], tails=[[1, 0, 0], [2, 0, 0]]
)
SKIN = pl.shape.LinearSkin(ARM, MESH.points, pl.shape.bone_weights(ARM, MESH.points))
HELD = {"radius": 0.13, "gap": 0.15}


def swing(seconds, smooth):
    """The upper arm goes up by 30 degrees, the lower one by 60 more; softly or suddenly."""
    times = np.linspace(0.0, seconds, 25)
    share = times / seconds
    share = share**2 * (3.0 - 2.0 * share) if smooth else share
    poses = [ARM.pose({"upper": (0, 0, 30 * s), "lower": (0, 0, 60 * s)}) for s in share]
    return pl.shape.SkeletonMotion(ARM, times, poses)


def arm(young):
    return pl.Body(MESH, pl.StableNeoHookean(young=young, poisson=0.4))


def test_bones_lead_a_body():
    body, motion = arm(2e5), swing(0.25, False)
    led = pl.shape.drive(body, ARM, motion, **HELD, skin=SKIN)
    assert np.array_equal(led, body.pinned) and 20 < led.sum() < len(MESH) / 2
    body.damping = pl.Settle(rest_in=0.5, bounces=0)
    take = pl.Scene([body]).run(seconds=0.9, dt=DT)
    own = pl.shape.on_bones(ARM, MESH.points, **HELD)
    pose = motion.at(0.9)
    for bone in (0, 1):  # rigidly
        x = MESH.points[own == bone] @ pose[bone, :, :3].T + pose[bone, :, 3]
        assert np.abs(take.positions[-1][own == bone] - x).max() < 1e-12
    assert abs(take.rest_time() / 0.5 - 1.0) < 0.005
    assert take.tracks[0].since == pytest.approx(0.25)
    lag = np.linalg.norm(take.positions[30] - take.positions[-1], axis=1).max()
    assert lag > 0.05  # it came after


def test_bones_lead_a_body_that_bounces():
    body = arm(2e5)
    pl.shape.drive(body, ARM, swing(0.25, False), **HELD)
    body.damping = pl.Settle(rest_in=0.5, bounces=2)
    take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.9, dt=DT)
    away = take.distance()
    # It strains little behind bones that go evenly; it is at rest in time.
    assert away[91:].max() < 0.01 * away.max()


@pytest.mark.parametrize("kind, bounces", [(pl.Modal, 2), (pl.Subspace, 0), (pl.Subspace, 2)])
def test_few_coordinates_feel_what_the_skin_does(kind, bounces):
    body, motion = arm(1e5), swing(0.5, True)
    body.fix(pl.shape.on_bones(ARM, MESH.points, **HELD) >= 0)
    soft = kind(body, modes=8)
    pl.shape.carry(soft, SKIN, motion, dt=DT)
    soft.damping = pl.Settle(rest_in=0.5, bounces=bounces)
    take = pl.Scene([soft]).run(seconds=1.1, dt=DT)
    offsets = take.positions - MESH.points
    most = np.linalg.norm(offsets, axis=2).max(axis=1)
    assert 0.005 < most.max() < 0.1 and most[-1] < 0.01 * most.max()
    # The envelope of a body in motion is fitted from a few dozen frames.
    assert abs(take.rest_time() / 0.5 - 1.0) < (0.005 if kind is pl.Modal or not bounces else 0.02)
    shown = SKIN(motion.at(1.1), offsets[-1])
    assert np.abs(shown - SKIN(motion.at(1.1))).max() < 1e-3


@pytest.mark.parametrize("bounces", [0, 2])
@pytest.mark.parametrize("dt", [1 / 24, 1 / 240])
def test_bones_that_stop_dead_leave_no_push(dt, bounces):
    """Sums of steps miss the stop by 1e-16 s, at half a metre a second: that is no motion."""
    body, motion = arm(1e5), swing(0.5, False)
    body.fix(pl.shape.on_bones(ARM, MESH.points, **HELD) >= 0)
    soft = pl.Modal(body, modes=8)
    pl.shape.carry(soft, SKIN, motion, dt=dt)
    for late in (0.5 + dt, 0.5 + dt - 1e-15, 0.5 + dt - 5e-16):
        assert not soft.loads_at(MESH.points, late, np.zeros(3)).any()
    soft.damping = pl.Settle(rest_in=0.5, bounces=bounces)
    take = pl.Scene([soft]).run(seconds=1.1, dt=dt, progress=False)
    assert take.tracks[0].since == pytest.approx(0.5)
    assert take.rest_time() == pytest.approx(0.5, rel=0.005 if bounces == 0 else 0.02)


def test_the_push_is_that_of_inertia():
    """A skin that moves as a whole with an even acceleration pushes by - m a."""
    times = np.linspace(0.0, 1.0, 61)
    poses = [ARM.pose({}, shift=(0, 0.5 * 3.0 * t**2, 0)) for t in times]
    motion = pl.shape.SkeletonMotion(ARM, times, poses)
    body = arm(1e5)
    pl.shape.carry(body, SKIN, motion, dt=1 / 60)
    force = body.loads_at(MESH.points, 0.5, np.zeros(3))
    assert np.abs(force + body.masses[:, None] * [0, 3, 0]).max() < 1e-8 * body.masses.max() * 60**2
    assert not body.loads_at(MESH.points, 2.0, np.zeros(3)).any()


def test_an_eigenskin_is_a_subspace_that_rests_on_cue():
    flat = pl.meshes.rectangle(size=(4, 1), cells=(24, 6))
    elbow = pl.shape.Skeleton(
        [[0, 0.5, 0], [2, 0.5, 0]], [-1, 0], names=["upper", "lower"],
        tails=[[1.7, 0.5, 0], [4, 0.5, 0]],
    )  # fmt: skip
    skin = pl.shape.LinearSkin(elbow, flat.points, pl.shape.bone_weights(elbow, flat.points))
    body = pl.Body(flat, pl.StableNeoHookean(young=1e5, poisson=0.4))
    poses = [elbow.pose({"lower": (0, 0, d)}) for d in (-60, -30, 30, 60)]
    held = {"radius": 0.07, "gap": 0.3}
    shapes = pl.shape.rest_shapes(body, skin, poses, **held)
    eigen = pl.shape.EigenSkin.fit(skin, poses, shapes, vectors=4)
    body.fix(pl.shape.on_bones(elbow, flat.points, **held) >= 0)
    soft = pl.Subspace(body, modes=3, basis=eigen.basis)
    times = np.linspace(0.0, 0.5, 25)
    s = (times / 0.5) ** 2 * (3 - 4 * times)
    motion = pl.shape.SkeletonMotion(
        elbow, times, [elbow.pose({"lower": (0, 0, 50 * k)}) for k in s]
    )
    pl.shape.carry(soft, eigen, motion, dt=DT)
    soft.damping = pl.Settle(rest_in=0.5, bounces=0)
    take = pl.Scene([soft]).run(seconds=1.1, dt=DT)
    offsets = take.positions - flat.points
    assert np.abs(offsets).max() > 1e-3
    assert abs(take.rest_time() / 0.5 - 1.0) < 0.005
    assert np.abs(eigen(motion.at(1.1), offsets[-1]) - eigen(motion.at(1.1))).max() < 1e-4


def test_forces_of_their_own():
    """`push` takes one force for each point."""
    body = arm(1e5)
    on = np.array([3, 1, 7])
    forces = np.arange(9.0).reshape(3, 3)
    body.push(force=forces, on=on)
    load = body.loads_at(MESH.points, 0.0, np.zeros(3))
    assert np.array_equal(load[on], forces) and not np.delete(load, on, axis=0).any()
    with pytest.raises(ValueError, match=r"got shape \(2, 3\)"):
        body.push(force=forces[:2], on=on)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.shape.on_bones(ARM, MESH.points, 0.0), "radius=0"),
        (lambda: pl.shape.on_bones(ARM, MESH.points, 0.1, gap=-1), "gap=-1"),
        (lambda: pl.shape.on_bones(ARM, MESH.points + [0, 5, 0], 0.1), "no point is within"),
        (lambda: pl.shape.drive(arm(1e5), ARM, swing(1, True), radius=1e-3, gap=1.1), "'upper'"),
        (lambda: pl.shape.carry(arm(1e5), SKIN, swing(1, True), dt=0), "dt"),
        (
            lambda: pl.shape.carry(
                pl.Body(pl.meshes.box(), pl.StableNeoHookean(young=1e5, poisson=0.3)),
                SKIN,
                swing(1, True),
            ),
            "a skin of body.mesh.points",
        ),
    ],
)
def test_mistakes(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_what_is_no_motion():
    with pytest.raises(TypeError, match="SkeletonMotion"):
        pl.shape.drive(arm(1e5), ARM, ARM.rest, radius=0.1)
    with pytest.raises(TypeError, match="expected a body"):
        pl.shape.drive(MESH, ARM, swing(1, True), radius=0.1)
