"""Points that are inside several obstacles at once."""

import numpy as np
import pytest

import pliant as pl
from pliant.step.xpbd_obstacles import put_outside
from tests.unit.test_cloth import cloth, sheet

CLOSE = {
    "a wedge": [pl.HalfSpace((0, 0), (0.2, 1)), pl.HalfSpace((0, 0), (0.2, -1))],
    "two disks": [pl.Sphere((-0.2, 0), 0.3), pl.Sphere((0.2, 0), 0.3)],
    "a corner": [
        pl.HalfSpace((0, 0, 0), n) for n in ((1, 0, 0.3), (-0.7, 1, 0.3), (-0.7, -1, 0.3))
    ],
    "a ball on a slope": [pl.Sphere((0, 0, 0), 0.3), pl.HalfSpace((0, -0.1, 0), (0.5, 1, 0))],
}


@pytest.mark.parametrize("obstacles", CLOSE.values(), ids=CLOSE)
def test_points_are_put_out_of_several_at_once(obstacles):
    dim = obstacles[0].dim
    rng = np.random.default_rng(0)
    if dim == 2:
        mesh = pl.meshes.rectangle((1, 1), (9, 9), origin=(-0.5, -0.5))
    else:
        mesh = pl.meshes.box((1, 1, 1), (4, 4, 4))
        mesh = pl.Mesh(mesh.points - 0.5, mesh.cells)
    body = pl.Body(mesh, pl.Linear(young=1e5, poisson=0.3))
    body.place(mesh.points + 0.03 * rng.uniform(-1, 1, mesh.points.shape))
    body.velocity = rng.uniform(-1, 1, mesh.points.shape)
    start, before = body.positions, body.velocity
    x, v = put_outside(body.system(), obstacles, start, before)
    gaps = np.array([o.nearest(x)[0] for o in obstacles])
    both = (np.array([o.nearest(start)[0] for o in obstacles]) < 0.0).sum(axis=0) > 1
    assert both.any() and gaps.min() > -1e-14
    speed = [np.linalg.norm(each, axis=1) for each in (before, v)]
    assert (speed[1] <= speed[0] + 1e-14).all()
    # The shortest ways to the tips of wedge and corner are known: those who end there are there.
    tip = (np.abs(gaps) < 1e-12).all(axis=0)
    if len(obstacles) == dim and all(isinstance(o, pl.HalfSpace) for o in obstacles):
        assert tip.any() and np.abs(x[tip]).max() < 1e-12


def test_a_point_without_room_stays():
    """Half spaces that leave nothing: no way out is the shortest."""
    body = cloth(sheet(cells=(2, 2)))
    between = [pl.HalfSpace((0, 0.1, 0), (0, 1, 0)), pl.HalfSpace((0, -0.1, 0), (0, -1, 0))]
    x, _ = put_outside(body.system(), between, body.positions, body.velocity)
    assert np.isfinite(x).all() and np.abs(x[:, 1]).max() <= 0.1 + 1e-15
