"""Bodies that tear."""

import numpy as np
import pytest

import pliant as pl

ENERGY, STRENGTH, YOUNG = 500.0, 1e5, 1e7


def in_space(sheet):
    return pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)


def strip(kind, *, cells=(5, 2), size=(0.1, 0.04), h=1e-3, on=0.06, damping=None, **more):
    """A strip that tears across at x = on, or anywhere."""
    sheet = pl.meshes.rectangle(size, cells)
    where = None if on is None else np.abs(sheet.points[:, 0] - on) < 1e-9
    given = {"strength": STRENGTH, "energy": ENERGY, "on": where} | more
    if kind == "cloth":
        tear = pl.Tear(thickness=h, **given)
        sheet = in_space(sheet)
        how = {"stretch": YOUNG * h, "shear": YOUNG * h / 2, "bend": YOUNG * h**3 / 12}
        return pl.Cloth(sheet, **how, density=1000.0 * h, damping=damping, tear=tear)
    tear = pl.Tear(**given)
    if kind == "shell":
        how = {"young": YOUNG, "poisson": 0.0, "thickness": h}
        return pl.Shell(in_space(sheet), **how, damping=damping, tear=tear)
    matter = pl.StableNeoHookean(young=YOUNG, poisson=0.0)
    if kind == "tri":
        return pl.Body(sheet, matter, thickness=h, damping=damping, tear=tear)
    box = pl.meshes.box((*size, h), (*cells, 1), kind=kind)
    where = None if on is None else np.abs(box.points[:, 0] - on) < 1e-9
    return pl.Body(box, matter, damping=damping, tear=pl.Tear(**given | {"on": where}))


def pulled(body, *, speed=0.02, until=0.8, dt=0.01, steps=None, size=0.1):
    """The work done on a strip that is pulled at its right end [J], and the scene."""
    x = body.mesh.points
    body.fix(x[:, 0] < 1e-9)
    right = np.flatnonzero(x[:, 0] > size - 1e-9)
    start = x[right].copy()
    ahead = np.eye(body.dim)[0]
    body.move(right, lambda t: start + speed * t * ahead)
    scene = pl.Scene([body], contact=False)
    work, force = 0.0, 0.0
    for _ in range(steps or round(until / dt)):
        scene.step(dt, stepper=pl.QuasiStatic())
        before, force = force, pull_at(body, size)
        work += 0.5 * (before + force) * speed * dt
    return work, scene


def pull_at(body, at):
    """The force on the points that are pinned at x = at, and on their copies [N]."""
    there = body.mesh.points[:, 0] > at - 1e-9
    return float(body.system().assembly.gradient(body.positions)[there, 0].sum())


@pytest.mark.parametrize("kind", ["cloth", "shell", "tri", "tet", "hex"])
def test_to_tear_a_strip_takes_its_fracture_energy(kind):
    body = strip(kind)
    work, _ = pulled(body)
    area = 0.04 * 1e-3
    assert body.components.max() == 1
    assert body.torn_area == pytest.approx(area, rel=1e-12)
    assert body.torn_energy == pytest.approx(ENERGY * area, rel=1e-12)
    # Half a step before and behind the kinks of the law: (speed dt / 0.01 m)^2 of it, and more where
    # the strip contracts. What was elastic has been given back.
    assert work == pytest.approx(ENERGY * area, rel=0.01)
