"""Contact on a CUDA device."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.backend import start
from tests.contact.in_scenes import floor
from tests.contact.test_contact_on_a_device import boxes, draped, flat, viscous

start()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device"),
]


@pytest.mark.parametrize("make", [boxes, viscous, draped, flat])
def test_bodies_in_contact_move_as_on_the_cpu(make):
    takes = []
    for device in ("cpu", "cuda"):
        bodies = make()
        up = np.eye(bodies[0].dim)[-1]
        scene = pl.Scene(bodies, gravity=-9.81 * up, contact=pl.Contact(friction=0.4))
        scene.add(pl.HalfSpace(0 * up, up) if len(up) == 2 else floor())
        exact = pl.Implicit(tolerance=1e-6)
        take = scene.run(seconds=8 / 60, dt=1 / 60, stepper=exact, device=device)
        takes.append([take[body].positions for body in bodies])
    assert scene.problem("cuda").meeting.island.system.resident
    for here, there in zip(*takes, strict=True):
        # 8 steps, each within 1e-6 of its motion, by two solvers.
        assert np.abs(here - there).max() <= 16e-6 * np.abs(here - here[0]).max()
