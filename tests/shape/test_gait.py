"""The walk of a skinned animal, for animals of other meshes and of other proportions."""

import numpy as np
import pytest

import pliant as pl

from .quadruped import Animal

DOG = Animal()


@pytest.mark.parametrize("other", [dict(brick=0.045), dict(legs=1.05, neck=0.8, brick=0.05)])
def test_a_gait_arrives_and_feet_with_it(other):
    """Beside the same walk of the other's own skeleton: feet within 1 % of its size."""
    camel = Animal(**other)
    pairs = list(zip(DOG.landmarks(), camel.landmarks(), strict=True))
    motion, times = DOG.walk(), np.linspace(0.0, 1.0, 7)
    take = pl.shape.as_take(DOG.surface, times, lambda k: DOG.skin(motion.at(times[k])), name="dog")
    given = pl.shape.transfer(take, camel.surface, pairs)
    factor = pl.shape.Transfer(DOG.surface, camel.surface, pairs).factor
    feet = camel.surface.points[:, 1] < 0.05
    size = np.linalg.norm(np.ptp(camel.surface.points, axis=0))
    track, far = given.tracks[0], 0.0
    assert feet.sum() > 40
    for k, t in enumerate(times):
        x = track.skin.positions(given.positions[k])
        wanted = camel.skin(camel.step(t, 0.5 * factor))
        far = max(far, np.linalg.norm(x - wanted, axis=1)[feet].max())
    assert far < 0.01 * size
    moved = np.linalg.norm(given.positions[0] - given.positions[2], axis=1).max()
    assert moved > 0.1 * size  # they walk
