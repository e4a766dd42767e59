"""Cloth so stiff that it seems not to stretch, in steps of a sixtieth of a second."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.test_cloth import sheet

G = 9.81
STRETCH = [1e5, 1e6, 1e7]  # N/m; the sheet weighs 2 N


def even(mesh, held):
    """No cloth is so even that it cannot tell which way to fold."""
    rng = np.random.default_rng(0)
    return 1e-4 * rng.standard_normal(mesh.points.shape) * ~held[:, None]


def pinned(cells):
    mesh = sheet(cells=(cells, cells))
    x, _, z = mesh.points.T
    held = (z < 1e-9) & ((x < 1e-9) | (x > 1 - 1e-9))
    return mesh, held, mesh.points, ()


def flag(cells):
    mesh = sheet(cells=(cells, cells), axis=2)
    return mesh, mesh.points[:, 0] < 1e-9, mesh.points, ()


def ball(cells):
    mesh = sheet(cells=(cells, cells))
    held = np.zeros(len(mesh), dtype=bool)
    sphere = pl.Sphere((0.02, 0.0, 0.01), 0.3, friction=0.3)
    return mesh, held, mesh.points + [-0.5, 0.32, -0.5], (sphere,)


def run(case, stretch, *, cells, seconds):
    mesh, held, start, obstacles = case(cells)
    body = pl.Cloth(mesh, stretch=stretch, shear=stretch / 10, bend=1e-5, density=0.2)
    body.place(start + even(mesh, held))
    if held.any():
        body.fix(held)
    if case is flag:
        body.push(wind=pl.Wind((8, 0, 1), friction=0.02))
    scene = pl.Scene([body], gravity=(0, -G, 0))
    scene.add(*obstacles)
    longest, steps = [], round(60 * seconds)
    takes = []
    for _ in range(4):
        takes.append(scene.run(seconds=steps / 240, dt=1 / 60, progress=False))
        longest.append(body.stretches().max() - 1.0)
    x = np.concatenate([t.positions for t in takes])
    v = np.concatenate([t.velocities for t in takes])
    return body, x, v, max(longest)


def check(case, stretch, *, cells, seconds):
    body, x, v, longest = run(case, stretch, cells=cells, seconds=seconds)
    # A thread of one cell's width carries the weight, and twice that in a swing; in the wind the drag.
    load = 4.0 * 2.0 if case is not flag else 4.0 * 0.5 * 1.2 * 1.2 * 64.0 / 4
    speed = np.linalg.norm(v, axis=2)
    # A thread that is brought to a stop within a step is strained by its speed over that of sound.
    snap = speed.max() / np.sqrt(stretch / 0.2)
    assert 0.0 < longest < load * cells / stretch + snap
    assert longest < 1e-3 or stretch < 2e5
    kinetic = 0.5 * (body.masses * speed**2).sum(axis=1)
    if case is flag:
        assert speed.max() < 12.0  # the wind's own, and half of it for whips
    else:  # what moves has fallen
        fallen = G * (body.masses * (x[0, :, 1] - x[..., 1])).sum(axis=1)
        assert (kinetic <= fallen + 1e-3 + 0.5 * stretch * 1e-8).all()
    assert np.ptp(x[-1], axis=0).max() < 1.5  # the diagonal is 1.41 m
    if case is ball:
        gap = np.linalg.norm(x - [0.02, 0.0, 0.01], axis=2) - 0.3
        assert gap.min() > -1e-12


@pytest.mark.parametrize("stretch", STRETCH[::2])
@pytest.mark.parametrize("case", [pinned, flag, ball])
def test_stiff_cloth_is_stable_in_long_steps(case, stretch):
    check(case, stretch, cells=5, seconds=0.6)


@pytest.mark.slow
@pytest.mark.parametrize("stretch", STRETCH)
@pytest.mark.parametrize("case", [pinned, flag, ball])
def test_stiff_cloth_is_stable_for_seconds(case, stretch):
    check(case, stretch, cells=12, seconds=4.0)
