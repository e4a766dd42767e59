"""Seamless loops: a take of one period that ends as it begins."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.scene_texts import build
from tests.unit.test_cache import MAKE, some

AMPLITUDE = 0.05


def led(kind, period=1.0):
    """A body whose pins go up and down."""
    body = MAKE[kind]()
    pins = np.flatnonzero(body.pinned)
    at = body.positions[pins]
    body.move(pins, lambda t: at + AMPLITUDE * np.sin(2 * np.pi * t / period) * np.array([0, 1, 0]))
    return body


def seam(take):
    x = take.positions
    return np.abs(x[-1] - x[0]).max() / (0.5 * np.ptp(x, axis=0).max())


@pytest.mark.parametrize(
    "kind, dt", some(MAKE, (1 / 50, 1 / 25, 1 / 10), [("solid", 1 / 25), ("springs", 1 / 25)])
)
def test_a_loop_has_no_seam(kind, dt):
    body = led(kind)
    body.damping = pl.Rayleigh(mass=2.0, stiffness=0.02)
    start = body.positions
    take = pl.Scene(body, contact=False).loop(1.0, dt=dt, progress=False)
    assert len(take) == round(1.0 / dt) + 1 and take.times[0] == 0.0
    assert seam(take) < 1e-3
    v = take.velocities
    assert np.abs(v[-1] - v[0]).max() < 1e-3 * np.abs(v).max()
    assert np.abs(take.positions[0] - start).max() > 0.05 * AMPLITUDE  # it had to be found


def test_a_long_preroll_ends_in_the_loop():
    body = led("solid")
    body.damping = pl.Rayleigh(mass=2.0)
    take = pl.Scene(body, contact=False).loop(1.0, dt=1 / 25, progress=False, tolerance=1e-6)
    other = led("solid")
    other.damping = pl.Rayleigh(mass=2.0)
    long = pl.Scene(other, contact=False).run(seconds=16.0, dt=1 / 25, progress=False)
    assert np.abs(long.positions[-26:] - take.positions).max() < 1e-3 * AMPLITUDE


@pytest.mark.parametrize("damping", [pl.Settle(1.0, 2), pl.Settle(0.5, 0), pl.Settle(0.5)])
def test_loads_and_turning_pins_loop_under_settle(damping):
    body = MAKE["solid"]()
    body.damping = damping
    body.push(volume=lambda t: 300.0 * np.sin(2 * np.pi * t) * np.array([0.0, 1.0, 0.0]))
    pins = np.flatnonzero(body.pinned)
    at = body.positions[pins]

    def nod(t):
        a = 0.3 * np.sin(2 * np.pi * t)
        turn = np.array([[np.cos(a), np.sin(a), 0], [-np.sin(a), np.cos(a), 0], [0, 0, 1]])
        return at @ turn

    body.move(pins, nod)
    take = pl.Scene(body, contact=False).loop(1.0, dt=1 / 30, progress=False)
    assert seam(take) < 1e-3


def test_paths_in_frames_need_not_go_on_after_the_period():
    body = MAKE["springs"]()
    pins = np.flatnonzero(body.pinned)
    times = np.linspace(0.0, 1.0, 21)
    up = AMPLITUDE * np.sin(2 * np.pi * times)[:, None, None] * np.array([0, 1, 0])
    body.move(pins, (times, body.positions[pins] + up))
    scene_ = pl.Scene(body, contact=False)
    take = scene_.loop(1.0, dt=1 / 20, fps=10, progress=False)
    assert seam(take) < 1e-3 and len(take) == 11


def _free():
    return pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), pl.StableNeoHookean(young=1e5, poisson=0.3))


def _cut():
    body = led("solid")
    body.cut(pl.HalfSpace((0.5, 0, 0), (1, 0, 0)), at=0.5)
    return body


def _keyed():
    body = led("solid")
    body.change_damping(None, at=0.5)
    return body


def _pushed():
    body = led("solid")
    body.push(force=lambda t: np.array([0.0, t, 0.0]), on=[30])
    return body


REFUSED = [
    (lambda: led("solid"), {"period": 0.7}, "its pins are .* expected paths of that period"),
    (lambda: led("solid"), {"period": 1.0, "dt": 0.3}, "whole number of steps"),
    (lambda: led("solid"), {"period": -1.0}, "expected period > 0"),
    (lambda: led("solid"), {"period": 1.0, "tolerance": 2}, "expected a share"),
    (lambda: led("solid"), {"period": 1.0, "periods": 0}, "expected a number of them"),
    (_free, {"period": 1.0}, "nothing holds it"),
    (_cut, {"period": 1.0}, "a cut or a change of damping"),
    (_keyed, {"period": 1.0}, "a cut or a change of damping"),
    (_pushed, {"period": 1.0}, "a load is"),
]


@pytest.mark.parametrize("make, asked, said", REFUSED)
def test_what_does_not_repeat_is_refused(make, asked, said):
    body = make()
    before = body.positions
    with pytest.raises(ValueError, match=said):
        pl.Scene(body).loop(**{"dt": 0.1, "progress": False} | asked)
    assert np.array_equal(body.positions, before)


def test_too_few_periods_are_told_and_all_is_as_it_was():
    body = led("solid")
    alone = pl.Scene(body, contact=False)
    before = body.positions
    with pytest.raises(pl.SolverError, match="after 2 periods the motion does not repeat"):
        alone.loop(1.0, dt=0.05, periods=2, progress=False)
    assert np.array_equal(body.positions, before) and alone.time == 0.0


def test_scene_files_loop():
    lines = (
        'drive = [{ where = "x < 0.01", keyframes = { times = [0, 0.25, 0.5, 0.75, 1], '
        "offsets = [[0, 0, 0], [0, 0.05, 0], [0, 0, 0], [0, -0.05, 0], [0, 0, 0]] } }]",
        'damping = { model = "Rayleigh", mass = 2.0 }',
    )
    setup = build(*lines, run="loop = true\nseconds = 1.0\ndt = 0.05")
    take = setup.run(progress=False)
    assert seam(take) < 1e-3
    with pytest.raises(ValueError, match="loop: its pins are .*expected paths of that period"):
        build(*lines, run="loop = true\nseconds = 0.7\ndt = 0.05").run(progress=False)
