"""Elastons from points alone beside finite elements, and beside rods and shells by resultants."""

from functools import cache

import numpy as np
import pytest

import pliant as pl
from tests.unit.test_elastons_from_points import lattice, shaken

MATTER = {"young": 1e6, "poisson": 0.3, "density": 1000.0}
STRAND, PLATE, BLOCK = 0.02, 0.02, (1.0, 0.3, 0.3)


def sinks(body, points, gravity):
    """How far the end at x = 1 sinks when a body that is held at x = 0 rests under its weight [m]."""
    x = pl.Scene([body], gravity=(0.0, 0.0, -gravity)).equilibrium().positions[0]
    per = len(body) // len(points)
    moved = (x - body.mesh.points).reshape(len(points), per, 3).mean(axis=1)
    return -moved[points[:, 0] > 1.0 - 1e-9, 2].mean()


@cache
def rod():
    """Resultants: a strand that sinks by a third of its length."""
    points = lattice((1.0, 41))
    body = pl.Rod(points, width=STRAND, height=STRAND, **MATTER)
    body.fix(body.node(0))
    return sinks(body, points, 0.1)


@cache
def shell():
    """Resultants: a plate as wide as half its length; its clamp is a row of cells, x < 0."""
    flat = pl.meshes.rectangle((1.0 + 1 / 24, 0.5), (25, 12))
    points = np.pad(flat.points - [1 / 24, 0.0], ((0, 0), (0, 1)))
    body = pl.Shell(pl.Mesh(points, flat.cells), thickness=PLATE, **MATTER)
    body.fix(points[:, 0] < 1e-9)
    return sinks(body, points, 1e-3)


@cache
def solid():
    """Quadratic hexahedra."""
    mesh = pl.meshes.box(BLOCK, (8, 2, 2), kind="hex20")
    matter = pl.StVenantKirchhoff(young=MATTER["young"], poisson=MATTER["poisson"])
    body = pl.Body(mesh, matter, density=MATTER["density"])
    body.fix(mesh.points[:, 0] < 1e-9)
    return sinks(body, mesh.points, 1e-3)


CASES = {
    "strand": (rod, 0.1, {"thickness": STRAND}),
    "plate": (shell, 1e-3, {"thickness": PLATE}),
    "block": (solid, 1e-3, {}),
}
SAMPLES = {
    "strand": [lattice((1.0, 11)), lattice((1.0, 21))],
    "plate": [lattice((1.0, 9), (0.5, 5)), lattice((1.0, 17), (0.5, 9))],
    "block": [lattice((1.0, 7), (0.3, 3), (0.3, 3)), lattice((1.0, 11), (0.3, 4), (0.3, 4))],
}


@pytest.mark.parametrize("uneven", [False, True], ids=["even", "uneven"])
@pytest.mark.parametrize("case", CASES)
def test_they_agree_with_their_peers(case, uneven):
    peer, gravity, how = CASES[case]
    errors = []
    for points in SAMPLES[case]:
        step = 1.0 / (len(np.unique(points[:, 0])) - 1)
        samples = shaken(points, 0.25 * step * uneven)
        body = pl.Elastons(samples, **MATTER, **how)
        body.fix(body.points_of(samples[:, 0] < 1e-9))
        errors.append(sinks(body, samples, gravity) / peer() - 1.0)
    # Twice as fine is four times as good on a lattice; uneven neighbours leave half of the coarse one.
    assert abs(errors[0]) < 0.07 and abs(errors[1]) < (0.03 if uneven else 0.015)
    assert abs(errors[1]) < 0.5 * abs(errors[0])
