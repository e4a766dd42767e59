"""Steps with friction are solved again with the pushes that were found, and keep what was learnt."""

from itertools import pairwise

import numpy as np
import pytest

from pliant.problem import IslandSystem
from tests.contact.in_scenes import box, island, on_floor


@pytest.fixture
def searches(monkeypatch):
    """What every search of bodies that touch was given, and what it has reported."""
    found, minimise = [], IslandSystem.minimise

    def spied(self, newton, objective, x, *, origin=None, first=None):
        out = minimise(self, newton, objective, x, origin=origin, first=first)
        found.append((newton, first, out[1], origin))
        return out

    monkeypatch.setattr(IslandSystem, "minimise", spied)
    return found


def test_a_step_that_is_solved_again_takes_over_its_first_gradient(searches):
    scene = on_floor(box(0, 0, 1e-3, velocity=(1, 0, -1)))
    again = 0
    for _ in range(5):
        searches.clear()
        scene.step(1 / 60)
        for (_, _, report, origin), (newton, first, _, same) in pairwise(searches):
            assert origin is same and newton.astray and not searches[0][0].astray
            assert first == report.first and first > 0.0
            again += 1
    assert again > 0


def test_blocks_of_points_are_the_diagonal_of_those_of_cells():
    scene = on_floor(box(0, 0, 1e-3, velocity=(0, 0, -1)))
    for _ in range(3):
        scene.step(1 / 60)
    system = island(scene)
    x = np.asarray(scene.bodies[0].positions)
    for project in (False, True):
        only = [system.contact]
        whole = system.assembly.blocks(x, project=project, only=only).copy()
        points = system.assembly.point_blocks(x, only, project=project)
        assert np.abs(points).max() > 1.0
        np.testing.assert_array_equal(points, whole[system.assembly.pattern.diagonal])
        whole[system.assembly.pattern.diagonal] = 0.0
        assert not whole.any()
