"""Bodies that are straight lines in space: they have no rotation about themselves."""

import numpy as np
import pytest

import pliant as pl
from pliant.backend import HostSpace, Spaces
from pliant.problem.parts import Parts
from pliant.problem.rigid import Part


def line(dim=3, n=6):
    return np.linspace(0, 1, n)[:, None] * np.ones(dim) / np.sqrt(dim)


@pytest.mark.parametrize("pins, rank", [([], 5), ([0], 2), ([0, 1], 0), ([0, 5], 0)])
def test_a_straight_part_does_not_turn_about_itself(pins, rank):
    x = line()
    pinned = np.isin(np.arange(6), pins)
    parts = Parts(x, np.zeros(6, dtype=int), Spaces(HostSpace(np.ones(6), ~pinned)))
    (part,) = parts.parts
    assert part.rank == rank
    bent = x + 0.1 * (x - x[0]) ** 2 * [1, -1, 0]  # it may bend later
    for shape in (x, bent):
        motions = part.basis(parts.moments(shape)[0], part.axes(shape))
        assert motions.shape == (rank, 6) and np.isfinite(motions).all()


def test_a_bent_one_does():
    x = line() + 0.01 * np.arange(6)[:, None] ** 2 * [1, -1, 0]
    assert Part(np.arange(6), np.zeros(6, dtype=bool), np.ones(6), x).rank == 6
    assert Part(np.arange(6), np.arange(6) < 2, np.ones(6), x).rank == 1


def test_a_straight_spring_in_space_settles_and_keeps_its_momentum():
    mesh = pl.Mesh(line(n=2), {"line": [[0, 1]]})
    spring = pl.Springs(mesh, stiffness=50.0, mass=0.1, damping=pl.Settle(0.5))
    spring.place(1.2 * mesh.points)
    spring.velocity = (0.0, 1.0, 0.0)
    take = pl.Scene([spring]).run(seconds=0.7, progress=False)
    assert take.rest_time() == pytest.approx(0.5, rel=0.03)
    np.testing.assert_allclose(take.velocities.mean(axis=1), [[0, 1, 0]] * 43, atol=1e-9)
