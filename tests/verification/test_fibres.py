"""Bodies with fibres: stiffer along them by as much as was asked, and at rest on cue."""

import numpy as np
import pytest

import pliant as pl

from .elastic_fields import grid

YOUNG, POISSON, FIBRE, PULL = 1e6, 0.3, 4e6, 10.0


def pulled(kind, direction, cls=pl.FibreReinforced, pull=PULL):
    """Mean strains (along x, along y) of a free bar pulled at both ends along x."""
    mesh = grid(
        kind, (4, 2, 2)[: len(direction)], size=(2.0, 1.0, 1.0)[: len(direction)], jitter=0.2
    )
    body = pl.Body(mesh, cls(young=YOUNG, poisson=POISSON, fibre=FIBRE, direction=direction))
    x = mesh.points[:, 0]
    along = np.eye(mesh.dim)[0]
    body.push(traction=pull * along, on=x > 2 - 1e-9)
    body.push(traction=-pull * along, on=x < 1e-9)
    found = pl.Scene(body).equilibrium().positions[0]
    # A uniform strain, so any fit finds it: displacements against positions.
    slope = np.linalg.lstsq(np.column_stack([mesh.points, np.ones(len(mesh))]), found, rcond=None)[
        0
    ]
    F = slope[:-1].T
    fitted = mesh.points @ F.T + slope[-1]
    assert np.abs(found - fitted).max() <= 1e-4 * np.abs(found - mesh.points).max() + 1e-9
    strain = 0.5 * (F.T @ F - np.eye(mesh.dim))
    return strain[0, 0], strain[1, 1]


@pytest.mark.parametrize("kind", ["tet4", "tet10", "hex8", "hex20"])
def test_bar_along_and_across_its_fibres(kind):
    """Along: E + k. Across: e_x = s/E (1 - nu^2 k/(E + k)), and along the fibres -nu s/(E + k)."""
    along, beside = pulled(kind, (1, 0, 0))
    assert along == pytest.approx(PULL / (YOUNG + FIBRE), rel=1e-3)  # strains of 1e-5 are linear
    assert beside == pytest.approx(-POISSON * along, rel=1e-3)
    across, fibres = pulled(kind, (0, 1, 0))
    share = FIBRE / (YOUNG + FIBRE)
    assert across == pytest.approx(PULL / YOUNG * (1 - POISSON**2 * share), rel=1e-3)
    assert fibres == pytest.approx(-POISSON * PULL / (YOUNG + FIBRE), rel=1e-3)


def test_plane_strain_bar_along_its_fibres():
    """With the sides held in depth: E' = E/(1 - nu^2), so along it is E' + k."""
    along, _ = pulled("quad9", (1, 0))
    assert along == pytest.approx(PULL / (YOUNG / (1 - POISSON**2) + FIBRE), rel=1e-3)


def test_large_stretch_along_the_fibres():
    """P = P_matrix(l) + k (l - 1) on an unbent bar: the fibres add a spring, at any stretch."""
    mesh = grid("hex8", (2, 1, 1), size=(2.0, 1.0, 1.0))
    x = mesh.points[:, 0]
    reaction = []
    for fibre in (0.0, FIBRE):
        material = pl.FibreReinforced(
            young=YOUNG, poisson=POISSON, fibre=fibre, direction=(3, 0, 0)
        )
        system = pl.Body(mesh, material).system()
        g = system.assembly.gradient(mesh.points * [1.4, 1.0, 1.0])
        reaction.append(g[x > 2 - 1e-9, 0].sum())
    assert reaction[1] - reaction[0] == pytest.approx(0.4 * FIBRE, rel=1e-12)


def test_every_cell_may_have_its_own_direction():
    """A bar with fibres at +45 and -45 degrees in turns bends where one with one angle shears."""
    mesh = pl.meshes.rectangle((2, 1), (8, 4), kind="quad")
    up = mesh.points[mesh.cells["quad4"]].mean(axis=1)[:, 1] > 0.5
    direction = np.stack([np.ones(len(up)), np.where(up, 1.0, -1.0)], axis=1)
    material = pl.FibreReinforced(young=YOUNG, poisson=0.3, fibre=FIBRE, direction=direction)
    body = pl.Body(mesh, material)
    x = mesh.points
    body.push(traction=(100.0, 0), on=x[:, 0] > 2 - 1e-9)
    body.push(traction=(-100.0, 0), on=x[:, 0] < 1e-9)
    u = pl.Scene(body).equilibrium().positions[0] - x
    # The fibres are mirror images about y = 1/2, so is the answer.
    mirror = [np.flatnonzero(np.all(np.isclose(x, [a, 1 - b]), axis=1))[0] for a, b in x]
    assert np.abs(u).max() > 1e-5
    assert np.abs((u - u.mean(axis=0))[mirror] * [1, -1] - (u - u.mean(axis=0))).max() <= 1e-8


@pytest.mark.parametrize("kind", ["tri3", "quad9", "tet4", "tet10"])
@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_rest_on_cue_with_fibres(kind, bounces):
    """Bent from rest by one percent of its length, fibres four times as stiff as the matrix."""
    dim = 2 if kind in ("tri3", "quad9") else 3
    mesh = grid(kind, (4, 1, 1)[:dim], size=(4.0, 1.0, 1.0)[:dim])
    direction = (1.0, 0.5, 0.2)[:dim]
    material = pl.FibreReinforced(young=YOUNG, poisson=0.3, fibre=FIBRE, direction=direction)
    body = pl.Body(mesh, material, damping=pl.Settle(1.0, bounces))
    body.fix(mesh.points[:, 0] < 1e-9)
    mode = body.system().modes(mesh.points, 1)[1][0]
    body.place(mesh.points + 0.04 * mode / np.abs(mode).max())
    take = pl.Scene(body).run(seconds=1.2, dt=1 / 60)
    d = take.tracks[0].distance()
    if bounces:
        law = body.damping.gains(1 / 60)
        assert np.abs(d / d[0] - np.abs(law.amplitude(np.arange(len(d))))).max() <= 0.03
    else:
        assert take.tracks[0].rest_time() == pytest.approx(1.0, rel=0.03)


def test_multigrid_knows_the_fibres():
    """The coarse grids take the stiffness of the fibres too: CG stays at some tens at worst."""
    mesh = pl.meshes.box((4, 1, 1), (16, 4, 4))
    material = pl.FibreReinforced(young=YOUNG, poisson=0.3, fibre=FIBRE, direction=(1, 1, 0))
    body = pl.Body(mesh, material, damping=pl.Settle(1.0))
    body.fix(mesh.points[:, 0] < 1e-9)
    take = pl.Scene(body, gravity=(0, -9.81, 0)).run(seconds=0.25, dt=1 / 60)
    assert type(body.system().linear).__name__ == "Gridded"
    assert take.solver["linear_iterations"].sum() <= 20 * take.solver["iterations"].sum()


@pytest.mark.parametrize("fibre", [4e6, 1e8])
def test_bounces_keep_time_in_a_large_bend_with_stiff_fibres(fibre):
    """The inertia of deformation has the fibres too; without them this is off by half and more."""
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    X = mesh.points
    material = pl.FibreReinforced(young=YOUNG, poisson=0.3, fibre=fibre, direction=(1, 0.3, 0))
    body = pl.Body(mesh, material, damping=pl.Settle(1.0, 2))
    body.fix(X[:, 0] < 1e-9)
    body.place(X + 0.05 * X[:, :1] ** 2 * [0, 1, 0])  # the tip rises by a fifth of the length
    d = pl.Scene(body).run(seconds=1.2, dt=1 / 60).tracks[0].distance()
    law = body.damping.gains(1 / 60)
    assert np.abs(d / d[0] - np.abs(law.amplitude(np.arange(len(d))))).max() <= 0.03
