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
def test_strain_inertia_is_the_energy_about_other_measures(name):
    rng = np.random.default_rng(3)
    energy = ENERGIES[name]()
    twin, here = energy.strain_inertia(), POINTS + 0.05 * rng.normal(size=POINTS.shape)
    plain, own = Assembly(len(POINTS), 3, [energy]), Assembly(len(POINTS), 3, [twin])
    before, at_rest = plain.value(here), twin.strains(own.array(POINTS))
    twin.aim(at_rest)
    twin.weigh(3.0)
    assert own.value(POINTS) == 0.0
    once = own.value(here)
    twin.weigh(6.0)
    assert own.value(here) == pytest.approx(2.0 * once, rel=1e-12)  # of the whole, not of the last
    half = mixed_strain(0.5, at_rest, 0.5, twin.strains(own.array(here)))
    twin.aim(half)
    assert own.value(here) == pytest.approx(0.25 * 2.0 * once, rel=1e-12)
    assert own.value(POINTS) == pytest.approx(own.value(here), rel=1e-12)
    assert plain.value(here) == before  # it has no part in it


@pytest.mark.parametrize("name", ENERGIES)
def test_its_force_is_the_slope_of_its_energy(name):
    rng = np.random.default_rng(4)
    twin = ENERGIES[name]().strain_inertia()
    own = Assembly(len(POINTS), 3, [twin])
    x, u = (POINTS + 0.05 * rng.normal(size=POINTS.shape), rng.normal(size=POINTS.shape))
    twin.aim(twin.strains(own.array(POINTS)))
    twin.weigh(0.3)
    h = 1e-6
    slope = (own.value(x + h * u) - own.value(x - h * u)) / (2 * h)
    assert np.vdot(own.gradient(x), u) == pytest.approx(slope, rel=1e-6)
