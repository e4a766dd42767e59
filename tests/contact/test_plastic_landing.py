"""What flows where it hits the ground keeps its dent, and rests on cue with it."""

from functools import cache

import numpy as np
import pytest
import warp as wp

import pliant as pl

wp.config.quiet = True


@cache
def dropped(dim, bounces, yield_stress, dt=1 / 60):
    mesh = pl.meshes.disk(0.2, 5) if dim == 2 else pl.meshes.sphere(0.2, 4)
    up = np.eye(dim)[1]
    clay = pl.Plastic(pl.Hencky(young=2e5, poisson=0.4), yield_stress=yield_stress, hardening=1e4)
    body = pl.Body(mesh, clay, damping=pl.Settle(rest_in=1.0, bounces=bounces))
    body.place(mesh.points + 0.5 * up)
    scene = pl.Scene([body], gravity=-9.81 * up)
    scene.add(pl.HalfSpace(point=0.0 * up, normal=up))
    return body, scene.run(seconds=1.8, dt=dt, progress=False)


def dented(body):
    """How much of its height the body has left, without weight and ground: 1 without a dent."""
    free = pl.Body(body.mesh, body.material)
    free.take_up(body.state)
    return np.ptp(free.rest_shape(gravity=None)[:, 1]) / np.ptp(body.mesh.points[:, 1])


@pytest.mark.parametrize(
    "dim, bounces",
    [(2, 0), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((2, None), (3, 0)))],
)
def test_a_dropped_clay_ball_keeps_its_dent_and_rests_when_asked(dim, bounces):
    body, take = dropped(dim, bounces, 3e3)
    (track,) = take.tracks
    assert track.lands
    assert track.rest_time() == pytest.approx(1.0, rel=0.02)  # 2 %, as of what lands without flow
    assert body.plastic.max() > 0.3
    height = body.mesh.points[next(iter(body.mesh.cells.values()))].mean(axis=1)[:, 1]
    low, high = body.plastic[height < -0.1], body.plastic[height > 0.1]
    assert low.mean() > 2.0 * high.mean()  # where it hit
    assert dented(body) < 0.93
    assert body.positions[:, 1].min() > 0.0
    assert np.linalg.norm(body.velocity, axis=1).max() < 0.01


def test_a_ball_that_does_not_yield_has_no_dent():
    body, take = dropped(2, 0, 1e9)
    assert not body.plastic.any()
    assert dented(body) == pytest.approx(1.0, abs=1e-9)
    assert take.tracks[0].rest_time() == pytest.approx(1.0, rel=0.02)


@pytest.mark.slow
def test_what_yields_sooner_has_the_deeper_dent():
    firm, _ = dropped(2, 0, 1.2e4)
    assert dented(dropped(2, 0, 3e3)[0]) < dented(firm) - 0.01 < 0.98
