"""The wish of a recorded motion: what was asked for is found, also in what others recorded."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pliant as pl

MESH = pl.meshes.box((2, 0.5, 0.5), (6, 2, 2))


def motion(rest_in, bounces, seconds=None):
    body = pl.Body(MESH, pl.StableNeoHookean(young=1e6, poisson=0.3))
    body.fix(MESH.points[:, 0] < 1e-9)
    body.place(MESH.points + 0.05 * MESH.points[:, :1] ** 2 * [0, 0, 1])
    body.damping = pl.Settle(rest_in=rest_in, bounces=bounces)
    return pl.Scene([body]).run(seconds=seconds or 1.2 * rest_in, dt=1 / 120, progress=False)


@pytest.mark.parametrize("bounces", [None, 0, 1, 3])
def test_what_was_asked_for_is_found(bounces):
    found = pl.fit_wish(motion(0.6, bounces))
    assert found.bounces == bounces
    # `Settle` keeps its time to 3 %, and to less where nothing bounces.
    assert found.rest_in == pytest.approx(0.6, rel=0.03)
    assert found.missed < 0.03
    assert found.damping.bounces == bounces and found.damping.rest_in == found.rest_in


def test_it_is_found_before_the_motion_has_ended():
    found = pl.fit_wish(motion(1.0, 2, seconds=0.6))
    assert found.bounces == 2 and found.rest_in == pytest.approx(1.0, rel=0.05)


def another_simulator(zeta, frequency, seconds=2.0, noise=0.0, still=0.0, pure=False):
    """Masses on springs with dampers, integrated by somebody else, and a few points of them seen."""
    n, fps = 6, 120
    K = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    K[-1, -1] = 1.0
    lowest = np.linalg.eigvalsh(K)[0]
    K *= (2 * np.pi * frequency) ** 2 / lowest
    D = 2 * zeta * 2 * np.pi * frequency * np.eye(n)
    shape = np.linspace(0.1, 1.0, n) ** 1.2
    if pure:  # its lowest mode alone
        shape = np.linalg.eigh(K)[1][:, 0]
    start = np.concatenate([shape, np.zeros(n)])
    grid = np.arange(round(seconds * fps)) / fps
    found = solve_ivp(
        lambda t, y: np.concatenate([y[n:], -K @ y[:n] - D @ y[n:]]),
        (0.0, grid[-1]), start, t_eval=grid, rtol=1e-8, atol=1e-10,
    ).y[:n].T  # fmt: skip
    held = np.repeat(found[:1], round(still * fps), axis=0)
    height = np.concatenate([held, found])
    x = np.stack([np.broadcast_to(np.arange(n), height.shape), height], axis=2)
    x = x + noise * np.random.default_rng(0).standard_normal(x.shape)
    return pl.PointTracks(np.arange(n), x, np.arange(len(height)) / fps)


@pytest.mark.parametrize(("noise", "still"), [(0.0, 0.0), (0.01, 0.0), (0.0, 0.25)])
def test_the_wish_of_what_another_simulator_recorded(noise, still):
    """A lowest mode of 1.5 Hz, damped to 0.01 within ln(100)/(zeta 2 pi f) and what its start adds."""
    zeta, frequency = 0.25, 1.5
    found = pl.fit_wish(another_simulator(zeta, frequency, noise=noise, still=still))
    decay = zeta * 2 * np.pi * frequency
    ringing = frequency * np.sqrt(1 - zeta**2)
    expected = np.log(100 / np.sqrt(1 - zeta**2)) / decay
    assert found.since == pytest.approx(still, abs=0.02)
    assert found.rest_in == pytest.approx(expected, rel=0.05)
    assert found.oscillations == pytest.approx(expected * ringing, rel=0.05)
    assert found.bounces == round(found.oscillations)


def test_asked_for_the_same_a_body_moves_the_same():
    """The curve of the recorded motion, by the body whose wish was found in it."""
    recorded = another_simulator(0.345, 1.0, seconds=2.5, pure=True)
    found = pl.fit_wish(recorded)
    assert found.bounces == 2
    take = motion(found.rest_in, found.bounces, seconds=2.0)
    tip = take.tracks[0].displacements()[:, np.argmax(MESH.points[:, 0]), 2]
    theirs = np.interp(take.times, recorded.times, recorded.positions[:, -1, 1])
    assert np.abs(tip / tip[0] - theirs / theirs[0]).max() < 0.02


def test_the_wish_of_a_bar_in_mujoco():
    """A cache that MuJoCo's flex recorded (tests/recorded): its peaks say which wish that is."""
    path = Path(__file__).parents[1] / "recorded" / "mujoco_bar.mdd"
    seen = pl.PointTracks.read(path)
    x, t = seen.positions, seen.times
    tip = x[:, np.argmax(x[0, :, 0]), 2] - x[-1, np.argmax(x[0, :, 0]), 2]
    turns = 1 + np.flatnonzero(np.diff(np.sign(np.diff(tip))))[:4]
    half = np.diff(t[turns]).mean()
    decay = np.log(abs(tip[turns[0]] / tip[turns[3]])) / (t[turns[3]] - t[turns[0]])
    found = pl.fit_wish(path)
    # Turns are seen to a frame in 24; a decaying oscillation has its envelope above its first turn.
    rings = np.pi / half / decay
    assert found.rest_in == pytest.approx(np.log(100 * np.hypot(1.0, 1 / rings)) / decay, rel=0.03)
    assert found.oscillations == pytest.approx(found.rest_in / (2 * half), rel=0.03)
    assert found.bounces == 3 and found.missed < 0.04
    early = pl.fit_wish(pl.PointTracks(seen.points, x[:40], t[:40]))  # the first 1.3 of 7 s
    assert early.bounces == 3 and early.rest_in == pytest.approx(found.rest_in, rel=0.02)

    mesh = pl.meshes.box((2, 0.6, 0.24), (10, 3, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e6, poisson=0.3), damping=found.damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene([body], gravity=(0, 0, -2))
    rest = scene.equilibrium().positions[0]
    take = scene.run(seconds=4.0, dt=1 / 30, progress=False)
    corner = np.argmax(mesh.points[:, 0])
    mine = (take.positions[:, corner, 2] - rest[corner, 2]) / (0.0 - rest[corner, 2])
    # Of the way from the start, beside turns of 0.46, 0.21, 0.1: what the law leaves of the other modes.
    assert np.abs(mine - np.interp(take.times, t, tip / tip[0])).max() < 0.015


def test_what_is_no_motion_is_refused():
    still = pl.PointTracks(np.arange(1), np.zeros((20, 1, 2)), np.arange(20) / 20)
    with pytest.raises(ValueError, match="nothing moves"):
        pl.fit_wish(still)
    with pytest.raises(ValueError, match="at least 8"):
        pl.fit_wish(another_simulator(0.3, 1.0, seconds=0.05))
    with pytest.raises(TypeError, match="expected a take of a motion"):
        pl.fit_wish(pl.PointTracks(np.arange(1), np.zeros((1, 2))))
    with pytest.raises(ValueError, match="expected a share"):
        pl.fit_wish(another_simulator(0.3, 1.0), within=2.0)
