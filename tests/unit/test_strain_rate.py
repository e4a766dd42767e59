"""Viscosities that differ from cell to cell."""

import numpy as np
import pytest

import pliant as pl

YOUNG, POISSON = (1e5, 4e6), (0.35, 0.45)


def released(mesh: pl.Mesh, material, damping) -> np.ndarray:
    """A clamped body let go from a stretch of a tenth; where it is after 20 steps."""
    body = pl.Body(mesh, material, damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points * [1.1, 1.0, 1.0])
    take = pl.Scene([body], gravity=(0, 0, 0)).run(
        seconds=0.2, dt=0.01, stepper=pl.Implicit(tolerance=1e-9), progress=False
    )
    return take.positions[-1]


def test_critical_damping_is_that_of_every_material_by_itself():
    one = pl.meshes.box((1.0, 0.3, 0.3), (3, 1, 1))
    ((kind, cells),) = one.cells.items()
    both = pl.Mesh(
        np.concatenate([one.points, one.points + [0.0, 2.0, 0.0]]),
        {kind: np.concatenate([cells, cells + len(one)])},
    )
    apart = [pl.StableNeoHookean(young=E, poisson=nu) for E, nu in zip(YOUNG, POISSON, strict=True)]
    mixed = pl.StableNeoHookean(
        young=np.repeat(YOUNG, len(cells)), poisson=np.repeat(POISSON, len(cells))
    )
    damping = pl.StrainRate.critical(0.5, mixed)
    for k, material in enumerate(apart):
        alone = pl.StrainRate.critical(0.5, material)
        own = slice(k * len(cells), (k + 1) * len(cells))
        np.testing.assert_allclose(damping.phi[own], alone.phi, rtol=1e-14)
        np.testing.assert_allclose(damping.psi[own], alone.psi, rtol=1e-14)
    found = released(both, mixed, damping)
    for k, material in enumerate(apart):
        x = released(one, material, pl.StrainRate.critical(0.5, material))
        there = found[k * len(one) : (k + 1) * len(one)] - [0.0, 2.0 * k, 0.0]
        # Solver tolerance; viscosities of the other material move points by 9e-5 m and more.
        np.testing.assert_allclose(there, x, atol=1e-8)


def test_critical_damping_is_refused_if_one_material_is_below_a_third():
    mixed = pl.Linear(young=1e5, poisson=np.array([0.45, 0.2]))
    with pytest.raises(ValueError, match=r"poisson=0.2.*1/3"):
        pl.StrainRate.critical(1.0, mixed)


def test_viscosities_that_do_not_fit_the_cells_are_refused():
    mesh = pl.meshes.box((1.0, 0.3, 0.3), (3, 1, 1))
    body = pl.Body(mesh, pl.Linear(young=1e5, poisson=0.4), damping=pl.StrainRate(psi=[1.0, 2.0]))
    body.fix(mesh.points[:, 0] < 1e-9)
    with pytest.raises(ValueError, match=r"StrainRate: got 2 viscosities for \d+ cells"):
        pl.Scene([body]).run(seconds=0.1, dt=0.05, progress=False)
