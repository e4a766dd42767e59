"""Cue tracks: what happens to a body, and when."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.test_cache import MAKE, some

DOWN = np.array([0.0, -9.81, 0.0])
LIGHT = np.array([0.0, -0.5, 0.0])


def pose_of(body):
    """The body, bent up."""
    x = body.positions
    return x + 0.1 * x[:, :1] ** 2 * np.array([0, 1, 0])


@pytest.mark.parametrize(
    "kind, dt", some(MAKE, (1 / 36, 1 / 24, 1 / 12), [("solid", 1 / 24), ("rod", 1 / 24)])
)
def test_a_pose_is_reached_in_time_and_physical_loads_take_over(kind, dt):
    body = MAKE[kind]()
    pose = body.rest_shape((0.2, 0.5, 0.0))  # dead forces hold it, as weight does
    body.damping = pl.Settle(1.0, swing=False)  # a sheet on a hinge hangs down, too
    rest = body.rest_shape(LIGHT)
    body.direct(pl.Cues(fps=24).reach(pose, at=24).rest(by=60))
    run = pl.Scene(body, gravity=LIGHT, contact=False)
    take = run.run(seconds=60 / 24, dt=dt, progress=False)
    x, free = take.positions, ~body.pinned
    way = np.linalg.norm(pose - x[0], axis=1)[free].max()
    there = round(1.0 / dt)
    assert np.linalg.norm(x[there] - pose, axis=1)[free].max() < 0.01 * way
    (told,) = body.cue_report()
    assert told.at == pytest.approx(1.0) and told.left < 0.01 and np.isfinite(told.work)
    back = np.linalg.norm(rest - pose, axis=1).max()
    assert np.linalg.norm(x[-1] - rest, axis=1).max() < 0.03 * back


def test_the_artificial_work_is_what_the_energies_gain():
    """Without physical loads and at the end at rest: the elastic energy of the pose, and what damps."""
    body = MAKE["solid"]()
    pose = pose_of(body)
    body.direct(pl.Cues().reach(pose, at=1.0, blend=1.0))
    take = pl.Scene(body, contact=False).run(seconds=1.0, dt=1 / 48, progress=False)
    stored = take.energies["elastic"][-1]
    (told,) = body.cue_report()
    assert stored < told.work < 3.0 * stored  # a dead force does twice the work that is stored


def test_poses_follow_each_other():
    body = MAKE["shell"]()
    up = pose_of(body)
    down = 2 * body.positions - up
    body.direct(pl.Cues().reach(up, at=0.5).reach(down, at=1.0))
    take = pl.Scene(body, contact=False).run(seconds=1.0, dt=1 / 48, progress=False)
    first, second = body.cue_report()
    assert first.left < 0.01 and second.left < 0.01
    assert np.abs(take.positions[24] - up).max() < 0.01


def test_hold_release_wish_and_gravity():
    body = MAKE["springs"]()
    tip = np.flatnonzero(body.mesh.points[:, 0] > 1 - 1e-9)
    cues = (
        pl.Cues(fps=10)
        .gravity(DOWN, at=0)
        .wish(pl.Settle(0.5), at=0)
        .hold(tip, at=5)
        .gravity((0, 0, 0), at=5)
        .release(tip, at=10)
        .wish(pl.Settle(1.0, 1), at=10)
    )
    body.direct(cues)
    take = pl.Scene(body, contact=False).run(seconds=2.0, dt=0.05, progress=False)
    x = take.positions[:, tip]
    assert np.abs(x[10] - x[0]).max() > 0.01  # it has sagged by its own gravity
    assert np.array_equal(x[10], x[20])  # held
    assert np.abs(take.positions[-1] - body.mesh.points).max() < 1.5e-2 * np.abs(x[10] - x[0]).max()
    assert take.tracks[0].since == pytest.approx(1.0)


def test_without_cues_nothing_changes():
    a, b = MAKE["solid"](), MAKE["solid"]()
    b.direct(pl.Cues())
    takes = [
        pl.Scene(c, gravity=LIGHT, contact=False).run(seconds=0.2, dt=0.02, progress=False)
        for c in (a, b)
    ]
    assert np.array_equal(takes[0].positions, takes[1].positions)


def test_a_step_that_fails_counts_no_work():
    body = MAKE["solid"]()
    body.direct(pl.Cues().reach(pose_of(body), at=0.5))
    alone = pl.Scene(body, contact=False)
    alone.step(0.05)
    before = body.cue_report()
    kept = body.kept()
    alone.step(0.05)
    assert body.cue_report()[0].work != before[0].work
    for owner, name, value in kept:
        setattr(owner, name, value)
    assert body.cue_report() is before


REFUSED = [
    (lambda b: pl.Cues(fps=0), "frames per second"),
    (lambda b: pl.Cues().reach(b.positions, at=-1.0), "a time of the scene"),
    (lambda b: pl.Cues().reach(b.positions, at=1.0, start=2.0), "expected the start before"),
    (lambda b: pl.Cues().rest(by=0.0), "expected a time after 0"),
    (lambda b: pl.Cues().rest(by=1.0, bounces=-1), "expected 0, 1, 2"),
    (lambda b: b.direct(pl.Cues().reach(b.positions[:3], at=1.0)), "reach"),
    (lambda b: b.direct(pl.Cues().hold([9999], at=1.0)), "release|hold"),
    (lambda b: b.direct(pl.Cues().gravity((1, 2), at=1.0)), "gravity"),
]


@pytest.mark.parametrize("wrong, said", REFUSED)
def test_what_cannot_be_is_refused(wrong, said):
    with pytest.raises((ValueError, TypeError), match=said):
        wrong(MAKE["solid"]())


def test_a_free_body_and_a_pose_that_buckles_are_refused_when_they_set_out():
    body = MAKE["solid"]()
    body.release()
    body.direct(pl.Cues().reach(pose_of(body), at=1.0))
    with pytest.raises(pl.UnstableError, match="reach: nothing holds it"):
        pl.Scene(body).run(seconds=0.1, dt=0.05, progress=False)
    thin = pl.meshes.box((1, 0.05, 0.05), (20, 1, 1))
    bar = pl.Body(thin, pl.StableNeoHookean(young=1e5, poisson=0.3))
    bar.fix(thin.points[:, 0] < 1e-9)
    bar.direct(pl.Cues().reach(thin.points * [0.8, 1, 1], at=1.0))
    with pytest.raises(pl.UnstableError, match="reach: in this pose the equilibrium is unstable"):
        pl.Scene(bar).run(seconds=0.1, dt=0.05, progress=False)
