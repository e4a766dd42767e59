"""Conjugate gradients on the device: when they stop, and what they stay away from."""

from __future__ import annotations

import numpy as np
import pytest
import warp as wp
from elastic import Elastic, bent

import pliant as pl
from pliant.backend import recorded
from pliant.solvers.constraint import Complement


@pytest.fixture(scope="module")
def beam() -> Elastic:
    return Elastic(pl.meshes.box((4, 1, 1), (12, 4, 4)))


def rigid_motions(x: np.ndarray) -> np.ndarray:
    """(unknowns, 6): translations and rotations of a 3D body."""
    moves = [np.tile(axis, (len(x), 1)) for axis in np.eye(3)]
    moves += [np.cross(axis, x - x.mean(axis=0)) for axis in np.eye(3)]
    return np.stack([m.ravel() for m in moves], axis=1)


def test_residual_is_as_reported(beam):
    for rtol in (1e-1, 1e-3, 1e-8):
        report, u, (A, rhs) = beam.solve(beam.points, weight=4.0, rtol=rtol)
        left = np.linalg.norm(rhs.ravel() - A @ u.ravel()) / np.linalg.norm(rhs)
        assert report.converged and left <= rtol
        np.testing.assert_allclose(left, report.residual, rtol=1e-4)
        assert report.largest == np.abs(u).max() > 0.0


def test_nothing_to_do_takes_no_iteration(beam):
    report, u, _ = beam.solve(beam.points, weight=4.0, rhs=np.zeros_like(beam.points))
    assert report.converged and report.iterations == 0 and not u.any()


def test_limit_is_kept_and_told(beam):
    report, _, _ = beam.solve(beam.points, weight=4.0, rtol=1e-12, limit=5)
    assert report.iterations == 5 and not report.converged and not report.indefinite


def test_pinned_points_stay(beam):
    _, u, _ = beam.solve(bent(beam.points, 40.0), weight=4.0)
    assert not u[~beam.free].any()


def test_negative_curvature_is_found(beam):
    # Pressed along its axis by a third, far beyond buckling.
    x = beam.points * [0.65, 1.1, 1.1]
    exact, _, _ = beam.solve(x, weight=4.0, rtol=1e-6, project=False)
    assert exact.indefinite and not exact.converged
    projected, _, _ = beam.solve(x, weight=4.0, limit=200)
    assert projected.converged


def test_a_number_that_is_none_ends_at_once(beam):
    rhs = np.full_like(beam.points, np.nan)
    report, _, _ = beam.solve(beam.points, weight=4.0, rhs=rhs)
    assert not report.converged and report.iterations == 0


@pytest.mark.parametrize("weight", [0.0, 4.0])
def test_complement_is_kept_by_a_free_body(weight):
    """Steps are M-orthogonal to the rigid motions and solve P^T (A x - b) = 0."""
    body = Elastic(pl.meshes.box((4, 1, 1), (10, 3, 3)), pinned=False)
    x = bent(body.points, 30.0)
    masses = np.repeat(body.masses, 3)
    complement = Complement.of(rigid_motions(x), masses)
    Q = complement.basis.reshape(6, -1, 3)
    pair = (body.vectors(Q), body.vectors(Q * body.masses[None, :, None]))
    report, u, (A, rhs) = body.solve(x, weight=weight, rtol=1e-8, complement=pair)
    assert report.converged and report.iterations <= 60
    assert np.abs(rigid_motions(x).T @ (masses * u.ravel())).max() < 1e-9 * np.abs(u).max()
    left = complement.project_force(A @ u.ravel() - rhs.ravel())
    assert np.linalg.norm(left) <= 2e-8 * np.linalg.norm(complement.project_force(rhs.ravel()))


def test_a_second_matrix_elsewhere_is_not_confused(beam):
    """A graph remembers where its matrix lies; a new array gets a new graph."""
    kept = [beam.solve(bent(beam.points, d), weight=4.0, rtol=1e-8) for d in (10, 20, 30, 40, 50)]
    for _, u, (A, rhs) in kept:
        assert np.linalg.norm(rhs.ravel() - A @ u.ravel()) <= 2e-8 * np.linalg.norm(rhs)


def test_without_graphs_the_answer_is_the_same(beam, monkeypatch):
    _, recorded_u, _ = beam.solve(beam.points, weight=4.0)
    other = Elastic(pl.meshes.box((4, 1, 1), (12, 4, 4)))
    monkeypatch.setattr(recorded.Recorded, "_record", lambda self: None)
    _, u, _ = other.solve(beam.points, weight=4.0)
    np.testing.assert_array_equal(u, recorded_u)


def test_right_hand_side_may_be_the_answer(beam):
    blocks, A = beam.system(beam.points, 4.0)
    rhs = beam.random(3)
    both = beam.vectors(rhs)
    beam.conjugate.solve(blocks, both, both, rtol=1e-6, weight=4.0)
    assert np.linalg.norm(rhs.ravel() - A @ both.numpy().ravel()) < 2e-6 * np.linalg.norm(rhs)


def test_a_smoother_that_steps_too_far_is_mended(beam):
    """An eigenvalue that was underestimated is estimated anew when iterations fail."""
    body = Elastic(pl.meshes.box((4, 1, 1), (8, 3, 3)))
    blocks, _ = body.system(body.points, 4.0)
    body.multigrid.load(blocks, weight=4.0)
    body.multigrid.fine.factors.assign(4.0 * body.multigrid.fine.factors.numpy())
    body.multigrid.fine.largest *= 0.25
    assert body.solve(body.points, weight=4.0)[0].converged


def test_float32_blocks_are_taken(beam):
    blocks, _ = beam.system(beam.points, 4.0)
    single = wp.array(blocks.numpy(), dtype=wp.mat33f, device="cpu")
    rhs = beam.random(3)
    given, out = beam.vectors(rhs), beam.vectors(np.zeros_like(rhs))
    assert beam.conjugate.solve(single, given, out, rtol=1e-4, weight=4.0).converged
