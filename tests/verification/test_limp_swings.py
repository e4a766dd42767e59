"""What hangs by a point or a line and swings on: no energy out of nothing, however limp it is."""

import logging

import numpy as np
import pytest

import pliant as pl
from pliant.bodies import Deformable

G, LENGTH = 9.81, 0.2


def sheet(cells: tuple[int, int]) -> pl.Mesh:
    """Level, 0.2 by 0.1 m, from x = 0."""
    flat = pl.meshes.rectangle((LENGTH, 0.1), cells)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def line() -> pl.Mesh:
    """Eleven points along x."""
    points = np.c_[np.linspace(0.0, LENGTH, 11), np.zeros((11, 2))]
    return pl.Mesh(points, {"line": np.c_[np.arange(10), np.arange(1, 11)]})


def cloth() -> pl.Cloth:
    return pl.Cloth(sheet((8, 4)), stretch=400.0, shear=200.0, bend=1e-4, density=0.2)


def shell() -> pl.Shell:
    return pl.Shell(sheet((4, 2)), thickness=0.001, young=1e6, poisson=0.3, density=1000.0)


def chain() -> pl.Springs:
    return pl.Springs(line(), stiffness=200.0, mass=0.02)


def rod() -> pl.Rod:
    return pl.Rod(line(), radius=0.002, young=1e7, poisson=0.3, density=1000.0)


def bar() -> pl.Body:
    mesh = pl.meshes.box((LENGTH, 0.05, 0.02), (6, 1, 1))
    return pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), density=1000.0)


MAKE = {"cloth": cloth, "shell": shell, "chain": chain, "rod": rod, "bar": bar}


def held(kind: str, hold: str) -> Deformable:
    """A level body that hangs by its first edge, or by one point."""
    body = MAKE[kind]()
    x = body.mesh.points
    edge = (x[:, 0] < 1e-9) & (x[:, 2] <= x[0, 2] + 1e-9)
    body.fix(edge if hold == "line" else [0])
    return body


def swing(body: Deformable, settle: pl.Settle, seconds: float, dt: float) -> pl.Take:
    body.damping = settle
    scene = pl.Scene([body], gravity=(0, 0, -G))
    return scene.run(seconds=seconds, dt=dt, progress=False)


def gains(take: pl.Take) -> np.ndarray:
    """The energy above that of the start, over m g L/2, in the middle of every step."""
    body = take.tracks[0].body
    assert body is not None
    m, x, system = body.masses, take.positions, body.system()
    potential = [system.value(y) + G * (m @ y[:, 2]) for y in x]
    v = np.diff(x, axis=0) / np.diff(take.times)[:, None, None]
    kinetic = 0.5 * np.einsum("n,knd,knd->k", m, v, v)
    total = kinetic + 0.5 * (np.array(potential[1:]) + potential[:-1]) - potential[0]
    return np.asarray(total / (0.5 * m.sum() * G * LENGTH))


def slack(dt: float) -> float:
    """How much the energy of a rigid bar goes up and down in its swing with symplectic steps.

    (omega dt)^2/2 of m g L/2, omega^2 = 3 g/L at the lowest point. Measured for a stiff bar: 0.115 of
    0.128 at 1/24 s, 0.017 of 0.020 at 1/60 s.
    """
    return 1.5 * G / LENGTH * dt**2


#: Some of every kind of bounces, holds and steps; all of them if time does not matter.
QUICK = {
    ("cloth", "line", 2, 1.0, 60), ("cloth", "line", 1, 1.0, 24), ("shell", "point", None, 0.6, 24),
    ("chain", "point", 1, 0.6, 60), ("bar", "line", 2, 0.6, 60),
}  # fmt: skip
ALL = [
    (kind, hold, bounces, rest_in, rate)
    for kind in MAKE
    for hold in (("point",) if kind in ("chain", "rod") else ("line", "point"))
    for bounces in (None, 0, 1, 2, 3)
    for rest_in in (0.3, 0.6, 1.0, 2.0)
    for rate in (24, 60, 240)
    # A bounce needs four steps or more, and 5 s of steps of 1/240 s say nothing new.
    if rest_in * rate >= 8 * (bounces or 1) and not (rate == 240 and rest_in > 1.0)
]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(c, id="-".join(map(str, c)), marks=[] if c in QUICK else pytest.mark.slow)
        for c in ALL
    ],
)
def test_no_energy_out_of_nothing(case: tuple[str, str, int | None, float, int]) -> None:
    kind, hold, bounces, rest_in, rate = case
    settle = pl.Settle(rest_in, bounces)
    take = swing(held(kind, hold), settle, min(2.0 * rest_in, 1.2 * rest_in + 0.6), 1.0 / rate)
    assert gains(take).max() < slack(1.0 / rate) + 1e-3
    # It stretches under its weight and its speed, three times its weight at the lowest point.
    stretch = {"chain": 1.7}.get(kind, 1.1)
    reach = np.linalg.norm(take.positions, axis=2).max()
    assert reach < stretch * np.linalg.norm(take.positions[0], axis=1).max()
    assert take.positions[:, :, 2].min() < -0.9 * LENGTH  # it swings


def test_a_limp_pendulum_goes_on_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "pliant"):
        take = swing(held("cloth", "line"), pl.Settle(0.6, 2), 1.5, 1 / 60)
    assert "without bounces; swing=False brings it to rest" in caplog.text
    assert take.rest_time() == np.inf
    angle = np.arctan2(take.positions[:, -1, 0], -take.positions[:, -1, 2])
    assert angle.min() < -np.radians(60) and angle[len(angle) // 2 :].max() > np.radians(45)
    # Its first swing to the other side takes that of a rigid bar, but for what bending changes.
    quarter = 1.854 * np.sqrt(2.0 * LENGTH / (3.0 * G))  # K(sin 45 degrees)
    assert take.times[np.flatnonzero(angle < 0)[0]] == pytest.approx(quarter, rel=0.15)


@pytest.mark.parametrize("bounces", [1, 2, 3])
@pytest.mark.parametrize("kind", ["cloth", "bar", "shell", "chain"])
def test_a_wide_swing_that_is_to_rest_rests_in_time(kind: str, bounces: int) -> None:
    hold = "point" if kind == "chain" else "line"
    take = swing(held(kind, hold), pl.Settle(0.6, bounces, swing=False), 0.9, 1 / 60)
    # Let go level: 12 % early with three bounces if the envelope is not steered. Measured 0.95 to 1.03.
    assert take.rest_time() == pytest.approx(0.6, rel=0.055)
    assert take.positions[-1][:, 2].min() < -0.98 * LENGTH  # tip down


def test_the_report_tells_of_the_swing() -> None:
    body, gravity = held("bar", "line"), (0.0, 0.0, -G)
    assert "swing=False" in str(pl.Settle(0.6, 2).report(body, gravity=gravity))
    body.damping = pl.Settle(0.6, 2, swing=False)
    assert "swing" not in str(body.damping.report(body, gravity=gravity))
