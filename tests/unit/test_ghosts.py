"""Energies of conditions and springs as inertia: aimed at other measures, and weighed."""

import numpy as np
import pytest

from pliant.conditions import Bend, Distance, Volume
from pliant.energies.assembly import Assembly
from pliant.energies.condition import ConditionEnergy
from pliant.energies.shifted import mixed_strain
from pliant.energies.spring import SpringEnergy

POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0.1], [0.2, 0.3, 1]])


def springs(**law):
    pairs = np.array([[0, 1], [1, 2], [2, 3]])
    return SpringEnergy(POINTS, pairs, stiffness=np.full(3, 7.0), rest=np.full(3, 0.9), **law)


def conditions(kind):
    stencils = np.arange(kind.points)[None]
    return ConditionEnergy(kind, POINTS, stencils, stiffness=np.array([5.0]))


ENERGIES = {
    "distance": lambda: conditions(Distance),
    "volume": lambda: conditions(Volume),
    "bend": lambda: conditions(Bend),
    "springs": springs,
    "stiffening springs": lambda: springs(stiffening=30.0),
    "strings": lambda: springs(pulls_only=True),
}


@pytest.mark.parametrize("name", ENERGIES)
def test_a_ghost_is_the_energy_about_other_measures(name):
    rng = np.random.default_rng(3)
    energy = ENERGIES[name]()
    ghost, here = energy.ghost(), POINTS + 0.05 * rng.normal(size=POINTS.shape)
    plain, own = Assembly(len(POINTS), 3, [energy]), Assembly(len(POINTS), 3, [ghost])
    before, at_rest = plain.value(here), ghost.strains(own.array(POINTS))
    ghost.aim(at_rest)
    ghost.weigh(3.0)
    assert own.value(POINTS) == 0.0
    once = own.value(here)
    ghost.weigh(6.0)
    assert own.value(here) == pytest.approx(2.0 * once, rel=1e-12)  # of the whole, not of the last
    half = mixed_strain(0.5, at_rest, 0.5, ghost.strains(own.array(here)))
    ghost.aim(half)
    assert own.value(here) == pytest.approx(0.25 * 2.0 * once, rel=1e-12)
    assert own.value(POINTS) == pytest.approx(own.value(here), rel=1e-12)
    assert plain.value(here) == before  # it has no part in it


@pytest.mark.parametrize("name", ENERGIES)
def test_its_force_is_the_slope_of_its_energy(name):
    rng = np.random.default_rng(4)
    ghost = ENERGIES[name]().ghost()
    own = Assembly(len(POINTS), 3, [ghost])
    x, u = (POINTS + 0.05 * rng.normal(size=POINTS.shape), rng.normal(size=POINTS.shape))
    ghost.aim(ghost.strains(own.array(POINTS)))
    ghost.weigh(0.3)
    h = 1e-6
    slope = (own.value(x + h * u) - own.value(x - h * u)) / (2 * h)
    assert np.vdot(own.gradient(x), u) == pytest.approx(slope, rel=1e-6)
