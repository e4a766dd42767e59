"""A body that is alone in its island is solved for by its own solver."""

import numpy as np

import pliant as pl
from pliant.problem import island_system, system
from pliant.solvers import Factored, Single
from tests.contact.cases import sheet
from tests.contact.in_scenes import island


def test_its_own_solver_gives_the_same_as_one_factor(monkeypatch):
    """In wind, which is an energy of the step, and with friction."""

    def run():
        cloth = sheet(12, 0.8, 0.31)
        cloth.push(wind=(3.0, 0.0, 0.0))
        scene = pl.Scene([cloth], gravity=(0, 0, -9.81), contact=pl.Contact())
        scene.add(pl.Sphere((0.02, 0.01, 0), 0.3))
        scene.run(seconds=6 / 60, dt=1 / 60, stepper=pl.Implicit(1e-9), progress=False)
        assert island(scene).touches(cloth.positions)
        return scene

    one = run()
    monkeypatch.setattr(island_system, "FACTORED_IN_CONTACT", 0)
    monkeypatch.setattr(system, "FACTORED", 0)
    monkeypatch.setattr(system, "BANDED", 0)
    monkeypatch.setattr(system, "NARROW", 0)
    other = run()
    assert isinstance(island(one).linear, Factored) and isinstance(island(other).linear, Single)
    np.testing.assert_allclose(one.bodies[0].positions, other.bodies[0].positions, atol=1e-7)
