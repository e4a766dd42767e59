"""Bodies that nothing resists across: hung up flat, they find their sag and rest on cue."""

import numpy as np
import pytest

import pliant as pl


def sheet():
    flat = pl.meshes.rectangle((1, 1), (6, 6))
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def chain():
    points = np.zeros((13, 3))
    points[:, 0] = np.linspace(0, 1, 13)
    return pl.Mesh(points, {"line": np.stack([np.arange(12), np.arange(1, 13)], axis=1)})


BODIES = {
    "net": lambda: pl.Springs(sheet(), stiffness=500.0, mass=0.01),
    "cloth": lambda: pl.Cloth(sheet(), stretch=500.0, shear=100.0, bend=0.0, density=0.2),
    "chain": lambda: pl.Springs(chain(), stiffness=500.0, mass=0.01),
    "curve": lambda: pl.FormCurve(chain(), metric=500.0, density=0.1),
    "rods": lambda: pl.ImpactRods(chain(), radius=0.01, young=1e7, density=1000.0),
}


@pytest.mark.parametrize("name", BODIES)
def test_flat_bodies_sag_and_rest_on_cue(name):
    """Newton's first direction is 1e150 m long here: the matrix has no stiffness across."""
    body = BODIES[name]()
    x = body.mesh.points[:, 0]
    body.fix((x < 1e-9) | (x > 1 - 1e-9))
    body.damping = pl.Settle(0.6)
    take = pl.Scene(body, gravity=(0, 0, -9.81)).run(seconds=0.7, dt=1 / 60)
    assert take.positions[-1, :, 2].min() < -1e-3
    assert take.rest_time() == pytest.approx(0.6, rel=0.03)
