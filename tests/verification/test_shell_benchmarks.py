"""Shells on random triangulations, against plate theory and the benchmarks of shell elements."""

import numpy as np
import pytest
from scipy.sparse.linalg import splu
from scipy.spatial import Delaunay

import pliant as pl
from pliant.energies.assembly import Assembly
from pliant.energies.loads import nodal_areas

NU = 0.3


def scattered(rim, inside, size, seed, box):
    """Triangles of points on a rim and of random ones inside, about `size` from each other."""
    (left, low), (right, high) = box
    grid = np.mgrid[left + size / 3 : right : size, low + size / 3 : high : size].reshape(2, -1).T
    thrown = grid + np.random.default_rng(seed).uniform(-0.3, 0.3, grid.shape) * size
    points = np.concatenate([rim, thrown[inside(thrown)]])
    triangles = Delaunay(points).simplices
    sides = points[triangles[:, 1:]] - points[triangles[:, :1]]
    # Delaunay leaves slivers along straight rims.
    return points, triangles[np.abs(np.linalg.det(sides)) > 1e-3 * size**2]


def circle(radius, size, start=0.0):
    a = start + 2 * np.pi * np.arange(int(2 * np.pi * radius / size)) / int(
        2 * np.pi * radius / size
    )
    return radius * np.stack([np.cos(a), np.sin(a)], axis=1)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "support, known, allowed",
    [("hinged", (5 + NU) / (1 + NU) / 64, 0.01), ("clamped", 1 / 64, 0.04)],
)
def test_a_round_plate_bends_as_theory_says(support, known, allowed, seed):
    """w = known p a^4 / D; triangles named either way round."""
    h, rims = 0.1, [circle(1.0, 0.1)]
    if support == "clamped":  # by a row more
        rims.append(circle(1.0 + h, h, 0.05))
    points, triangles = scattered(
        np.concatenate(rims), lambda p: np.hypot(*p.T) < 1 - 0.6 * h, h, seed, ((-1, -1), (1, 1))
    )
    some = np.random.default_rng(seed).random((len(triangles), 1)) < 0.5
    mesh = pl.Mesh(
        np.insert(points, 2, 0.0, axis=1), {"tri": np.where(some, triangles[:, ::-1], triangles)}
    )
    thick, young = 0.01, 1e7
    D = young * thick**3 / 12 / (1 - NU**2)
    plate = pl.Shell(mesh, young=young, poisson=NU, thickness=thick, density=1000.0)
    plate.fix(np.hypot(*points.T) > 1 - 1e-9)
    plate.push(traction=(0, 0, -1e-3 * D))
    deep = -pl.Scene([plate]).equilibrium().positions[0][:, 2].min()
    assert deep / (1e-3 * known) == pytest.approx(1.0, abs=allowed)


def linear_answer(shell, force, held):
    """Displacements of small forces (n, 3), with components held where the mask (n, 3) says."""
    assembly = Assembly(len(shell), 3, shell.energies(device="cpu"))
    K = assembly.pattern.matrix(assembly.blocks(shell.mesh.points, project=False)).tocsc()
    free, u = ~held.ravel(), np.zeros(force.size)
    u[free] = splu(K[free][:, free]).solve(force.ravel()[free])
    return u.reshape(-1, 3)


def test_scordelis_and_los_roof_sinks_at_its_middle():
    """A quarter-barrel on two walls that hold its ends in their plane: 0.3024 at the free edges."""
    R, long, wide, found = 25.0, 50.0, 25.0 * np.radians(80), []
    for h in (2.5, 1.25):
        along, across = (
            np.linspace(0, long, round(long / h) + 1),
            np.linspace(0, wide, round(wide / h)),
        )
        rim = [(x, y) for x in along for y in (0.0, wide)]
        rim += [(x, y) for x in (0.0, long) for y in across[1:-1]]
        points, triangles = scattered(
            rim,
            lambda p, h=h: np.minimum(p, [long, wide] - p).min(axis=1) > 0.55 * h,
            h, 1, ((0, 0), (long, wide)),
        )  # fmt: skip
        a = (points[:, 1] - wide / 2) / R
        mesh = pl.Mesh(
            np.stack([points[:, 0], R * np.sin(a), R * np.cos(a)], axis=1), {"tri": triangles}
        )
        roof = pl.Shell(mesh, young=4.32e8, poisson=0.0, thickness=0.25, density=1.0)
        force = -90.0 * nodal_areas(mesh.points, [triangles])[:, None] * [0, 0, 1]
        held = np.zeros(force.shape, dtype=bool)
        walls = (points[:, 0] < 1e-9) | (points[:, 0] > long - 1e-9)
        held[walls, 1:] = True
        held[np.argmax(walls), 0] = True
        edge = np.flatnonzero(points[:, 1] < 1e-9)
        edge = edge[np.argsort(points[edge, 0])]
        down = -linear_answer(roof, force, held)[edge, 2]
        found.append(np.interp(long / 2, points[edge, 0], down) / 0.3024)
    # Flat triangles of constant strain are too stiff, the more so the more irregular they are.
    assert abs(found[1] - 1) < 0.05 and abs(found[1] - 1) < 0.5 * abs(found[0] - 1)
