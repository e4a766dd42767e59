"""Energies of conditions and springs as inertia: aimed at other measures, and weighed."""

import numpy as np
import pytest

import pliant as pl
from pliant.conditions import Bend, Distance, Volume
from pliant.energies.assembly import Assembly
from pliant.energies.condition import ConditionEnergy
from pliant.energies.shifted import ShiftedStrain, mixed_strain
from pliant.energies.solid import SolidEnergy
from pliant.energies.spring import SpringEnergy
from pliant.energies.strain_measures import biot

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


def test_a_kernel_that_was_not_launched_for_long_hears_of_all_changes():
    mesh = pl.meshes.box((1, 1, 1), (1, 1, 1))
    solid = SolidEnergy(
        mesh.points, mesh.cells["tet4"], "tet4", pl.StableNeoHookean(young=1.0, poisson=0.3)
    )
    energy = ShiftedStrain(solid, biot, lam=1.0, mu=1.0)
    both = Assembly(len(mesh.points), 3, [energy])
    x = mesh.points + 0.1 * np.random.default_rng(5).normal(size=mesh.points.shape)
    first = both.blocks(x, project=False)
    for weight in (2.0, 3.0, 5.0):
        energy.weigh(weight)
        both.gradient(x)
    assert both.blocks(x, project=False) == pytest.approx(5.0 * first, rel=1e-12)


def test_most_steps_under_control_stay_where_they_begin():
    """And their path is as exact as the tolerance of steps, 1e-3 of every step, makes it."""

    def run(tolerance):
        mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35))
        body.fix(mesh.points[:, 0] < 1e-9)
        body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * [0, 1, 0])
        body.damping = pl.Settle(2.0, 0)
        stepper = pl.Implicit(tolerance=tolerance)
        scene = pl.Scene([body], gravity=(0, -0.5, 0))
        return scene.run(seconds=1.0, dt=1 / 60, stepper=stepper, progress=False)

    take, exact = run(1e-3), run(1e-7)
    # 0.33; it is 0.68 if an estimate judges where steps begin, not a solve.
    assert take.solver["iterations"].mean() < 0.5
    start = np.abs(exact.positions[0] - exact.positions[-1]).max()
    assert np.abs(take.positions - exact.positions).max() <= 1e-4 * start
