"""Bodies of every kind touch themselves: arms of a hairpin are thrown at each other and do not cross."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import crossings

SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3)
MATTER = {"young": 1e5, "poisson": 0.3, "density": 200.0}
#: Length of an arm and radius of the bend [m].
ARM, BEND = 0.3, 0.05
LONG = 2 * ARM + np.pi * BEND


def bent(points):
    """A strip along x, its middle at 0 across, as a hairpin: x in [0, LONG], the last axis across."""
    s, out = points[:, 0], points[:, -1]
    angle = np.clip((s - ARM) / BEND, 0.0, np.pi)
    along = np.where(s < ARM, s, np.where(s > LONG - ARM, LONG - s, ARM))
    radius = BEND - out
    found = points.copy()
    found[:, 0] = along + radius * np.sin(angle)
    found[:, -1] = BEND - radius * np.cos(angle)
    return found


def hairpin(mesh):
    return pl.Mesh(bent(mesh.points), mesh.cells)


def flat():
    mesh = pl.meshes.rectangle((LONG, 0.1), (24, 3))
    return pl.Mesh(np.insert(mesh.points, 2, 0.0, axis=1), mesh.cells)


def sheet():
    return hairpin(flat())


def strip():
    mesh = pl.meshes.rectangle((LONG, 0.02), (24, 1))
    return hairpin(pl.Mesh(mesh.points - [0.0, 0.01], mesh.cells))


def bar():
    box = pl.meshes.box((LONG, 0.1, 0.02), (24, 3, 1))
    return hairpin(pl.Mesh(box.points - [0.0, 0.0, 0.01], box.cells))


def line():
    points = np.zeros((25, 3))
    points[:, 0] = np.linspace(0.0, LONG, 25)
    cells = np.stack([np.arange(24), np.arange(1, 25)], axis=1)
    return hairpin(pl.Mesh(points, {"line": cells}))


def springs(mesh):
    return pl.Springs(mesh, stiffness=500.0, mass=0.01, pairs=pl.Springs.braced(mesh))


MODELS = {
    "flat solid": lambda: pl.Body(strip(), SOFT, density=200.0, thickness=0.1),
    "springs": lambda: springs(bar()),
    "net": lambda: springs(sheet()),
    "elaston rod": lambda: pl.Elastons(line(), thickness=0.02, **MATTER),
    "solid": lambda: pl.Body(bar(), SOFT, density=200.0),
    "flat springs": lambda: springs(strip()),
    "constraints": lambda: pl.ConstraintBody(bar(), distance=300.0, volume=300.0, mass=0.1),
    "flat constraints": lambda: pl.ConstraintBody(strip(), distance=300.0, area=300.0, mass=0.1),
    "cloth": lambda: pl.Cloth(flat(), stretch=500.0, shear=200.0, bend=1e-3, density=0.2),
    "shell": lambda: pl.Shell(sheet(), thickness=0.01, **MATTER),
    "rod": lambda: pl.Rod(line(), radius=0.01, **MATTER),
    "elaston shell": lambda: pl.Elastons(sheet(), thickness=0.02, **MATTER),
}
#: One of each sort that is fast; the others are slow tests.
QUICK = ("flat springs", "rod", "elaston rod")


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in MODELS]
)
def test_the_arms_of_a_hairpin_meet_and_do_not_cross(name):
    body = MODELS[name]()
    if name == "cloth":  # what is woven is flat
        body.place(bent(body.mesh.points))
    x = np.asarray(body.positions)
    v = np.zeros_like(x)
    # The arms come towards each other, from 6 to 10 cm apart, at 2 m/s each.
    v[:, -1] = np.where(x[:, 0] < ARM - 0.05, -2.0 * np.sign(x[:, -1] - BEND), 0.0)
    body.velocity = v
    body.name = "it"
    scene = pl.Scene([body], contact=pl.Contact())
    take = scene.run(seconds=0.1, dt=1 / 240, progress=False)
    assert not crossings(scene, take)
    assert any(len(found.between("it", "it").forces) for found in take.contacts)
