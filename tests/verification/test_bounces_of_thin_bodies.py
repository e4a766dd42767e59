"""Bounces of bodies that are no solids keep time at deflections of many thicknesses."""

import numpy as np
import pytest

import pliant as pl
from pliant.io.checkpoint import restore, save

MATTER = {"young": 1e5, "poisson": 0.3, "density": 200.0}
GRAVITY = (0, 0, -9.81)
REST_IN = 0.5


def sheet(cells=8):
    flat = pl.meshes.rectangle((1, 1), (cells, cells), kind="tri")
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def cloth(**given):
    stiffness = {"stretch": 500.0, "shear": 200.0, "bend": 0.05, "density": 0.2}
    return pl.Cloth(sheet(), **{**stiffness, **given})


def held_all_round(body):
    body.fix(np.abs(body.mesh.points[:, :2] - 0.5).max(axis=1) > 0.5 - 1e-9)
    return body


def between_bars(body):
    body.fix(np.abs(body.mesh.points[:, 0] - 0.5) > 0.5 - 1e-9)
    return body


def net(**given):
    mesh = sheet()
    x = mesh.points
    body = between_bars(pl.Springs(mesh, stiffness=200.0, mass=0.005, **given))
    body.place(x - 0.1 * np.sin(np.pi * x[:, :1]) * [0, 0, 1])  # flat, springs do not hold a net
    return body


def check(take, bounces, rest_in=REST_IN):
    """What is promised: the rest time within 3 %, the period within 2 %."""
    ring = take.ring()
    assert ring.rest_time(0.01) == pytest.approx(rest_in, rel=0.03)
    assert ring.period == pytest.approx(rest_in / bounces, rel=0.02)
    # One iteration that solves and one that sees it; more where parts turn far.
    assert take.tracks[0].solver["iterations"].mean() < 5


def ring_out(body, bounces, dt=1 / 60, rest_in=REST_IN, gravity=None):
    body.damping = pl.Settle(rest_in, bounces)
    take = pl.Scene(body, gravity=gravity, contact=False).run(seconds=1.2 * rest_in, dt=dt)
    check(take, bounces, rest_in)
    return take


@pytest.mark.parametrize("bounces", [1, 2, 3])
@pytest.mark.parametrize("share", [0.005, 0.02, 0.1])
@pytest.mark.parametrize("kind", ["cloth", "shell"])
def test_a_sheet_held_all_round_stiffens_and_keeps_time(kind, share, bounces):
    # Its membrane strain is the square of its deflection, here up to two thicknesses of the shell.
    body = cloth() if kind == "cloth" else pl.Shell(sheet(), thickness=0.05, **MATTER)
    held_all_round(body)
    x = body.mesh.points
    bulge = share * np.sin(np.pi * x[:, 0]) * np.sin(np.pi * x[:, 1])
    body.place(x + bulge[:, None] * [0, 0, 1] * ~body.pinned[:, None])
    ring_out(body, bounces)


@pytest.mark.parametrize(("dt", "bounces"), [(1 / 24, 1), (1 / 24, 3), (1 / 60, 2), (1 / 240, 3)])
@pytest.mark.parametrize("kind", ["cloth", "net", "stiffening net", "net of strings"])
def test_sagging_sheets_keep_time(kind, dt, bounces):
    laws = {
        "net": {},
        "stiffening net": {"stiffening": 20.0},
        "net of strings": {"pulls_only": True},
    }
    body = between_bars(cloth(stretch=200.0, bend=1e-4)) if kind == "cloth" else net(**laws[kind])
    rest, x = body.rest_shape(GRAVITY), body.mesh.points
    higher = np.sin(np.pi * x[:, 0]) * (1 + 0.3 * np.cos(2 * np.pi * x[:, 1]))
    body.place(rest - (0.05 if kind == "cloth" else 0.02) * higher[:, None] * [0, 0, 1])
    ring_out(body, bounces, dt, rest_in=1.0, gravity=GRAVITY)


def rolled(body, turn):
    """Cross-sections of a rod along an arc, its length kept."""
    x = body.mesh.points
    s = np.round(12 * x[:, 0]) / 12
    c, n = np.cos(turn * s), np.sin(turn * s)
    off = x - s[:, None] * [1, 0, 0]
    along = np.stack([n / turn - n * off[:, 2], off[:, 1], (1 - c) / turn + c * off[:, 2]], axis=1)
    body.place(np.where(body.pinned[:, None], x, along))


def rod(free=False, **given):
    body = pl.Rod(np.linspace([0, 0, 0], [1, 0, 0], 13), radius=0.05, **{**MATTER, **given})
    if not free:
        body.fix(body.node(0))
    return body


@pytest.mark.parametrize("bounces", [1, 2, 3])
@pytest.mark.parametrize("turn", [0.3, 1.0, 1.6])
def test_a_rod_unrolls_in_time_and_keeps_its_length(turn, bounces):
    body = rod()
    rolled(body, turn)
    take = ring_out(body, bounces)
    middles = take.tracks[0].positions.reshape(len(take), 13, -1, 3).mean(axis=2)
    length = np.linalg.norm(np.diff(middles, axis=1), axis=2).sum(axis=1)
    # Straight ways home would shorten it by 4 % and 10 %. A chord of a twelfth of the arc is
    # shorter than the arc by (turn/12)^2/24, 0.07 % at most.
    assert np.abs(length - 1.0).max() < 2e-3


@pytest.mark.parametrize(("dt", "bounces"), [(1 / 24, 2), (1 / 60, 3), (1 / 240, 1)])
def test_a_free_rod_unrolls_in_time(dt, bounces):
    body = rod(free=True)
    rolled(body, 1.5)
    ring_out(body, bounces, dt)


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_a_free_bowl_keeps_time(share):
    # It cannot become flat without stretching, and unlike a rod that is rolled must be held.
    body = cloth()
    x = body.mesh.points
    body.place(x + share * ((x[:, :2] - 0.5) ** 2).sum(axis=1)[:, None] * [0, 0, 1])
    ring_out(body, 3)


@pytest.mark.parametrize("bounces", [1, 3])
def test_free_bodies_keep_time_and_momentum(bounces):
    body = rod(free=True, young=1e6)
    rolled(body, 1.0)
    r = body.positions - body.masses @ body.positions / body.masses.sum()
    body.velocity = np.cross([0.0, 2.0, 3.0], r) + [1.0, 0.0, 0.0]
    track = ring_out(body, bounces).tracks[0]
    p = np.einsum("n,fnd->fd", track.masses, track.velocities)
    turning = np.cross(track.positions, track.velocities)
    L = np.einsum("n,fnd->fd", track.masses, turning)
    np.testing.assert_allclose(p, np.broadcast_to(p[0], p.shape), atol=1e-12 * np.abs(p).max())
    np.testing.assert_allclose(L[1:], np.broadcast_to(L[1], L[1:].shape), atol=1e-12)


@pytest.mark.parametrize("kind", ["cloth", "shell"])
def test_a_push_counts_in_full(kind):
    # A sheet that is pushed at rest goes as far as the law says, six times for six times the push.
    heights = []
    for speed in (0.5, 3.0):
        body = cloth() if kind == "cloth" else pl.Shell(sheet(), thickness=0.05, **MATTER)
        held_all_round(body)
        x = body.mesh.points
        shape = np.sin(np.pi * x[:, 0]) * np.sin(np.pi * x[:, 1])
        body.velocity = speed * shape[:, None] * [0, 0, 1] * ~body.pinned[:, None]
        body.damping = pl.Settle(REST_IN, 2)
        take = pl.Scene(body, contact=False).run(seconds=1.2 * REST_IN, dt=1 / 60)
        distance = take.distance()
        heights.append(distance.max() / speed)
        assert distance[take.times > REST_IN].max() < 0.011 * distance.max()
    assert heights[1] == pytest.approx(heights[0], rel=0.05)


def test_an_interrupted_bounce_is_taken_up(tmp_path):
    bodies = []
    for _ in range(2):
        body = held_all_round(cloth())
        x = body.mesh.points
        bulge = 0.05 * np.sin(np.pi * x[:, 0]) * np.sin(np.pi * x[:, 1])
        body.place(x + bulge[:, None] * [0, 0, 1] * ~body.pinned[:, None])
        body.damping = pl.Settle(REST_IN, 2)
        bodies.append(body)
    scene, other = (pl.Scene(body, contact=False) for body in bodies)
    exact = pl.Implicit(tolerance=0)  # what a solver keeps for the next step is not in the file
    scene.run(seconds=0.1, dt=1 / 60, stepper=exact)
    save(tmp_path, scene, [bodies[0].system()], 6)
    assert restore(tmp_path, other, frames=7, device="cpu") == 6
    takes = [s.run(seconds=0.2, dt=1 / 60, stepper=exact) for s in (scene, other)]
    ends = [take.tracks[0].positions[-1] for take in takes]
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-8)
