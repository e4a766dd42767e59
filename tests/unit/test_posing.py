"""Meshes posed by their surface, and the points that carry vertices."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from test_embedding import MESHES

import pliant as pl
from pliant.mesh import MeshError, Surface
from pliant.mesh.carriers import carriers
from pliant.mesh.posing import pose
from pliant.mesh.skin import Skin, in_space

SIZE = (4.0, 1.0, 1.0)
CURVATURE = np.radians(90) / 4.0  # [1/m] of the bend below


def bar(n, kind="tet"):
    return pl.meshes.box(size=SIZE, cells=(4 * n, n, n), kind=kind)


def bent(p):
    """A quarter circle; the middle line keeps its length."""
    turn, arm = (p[:, 0] - 2.0) * CURVATURE, 1.0 / CURVATURE - (p[:, 1] - 0.5)
    along, across = 2.0 + arm * np.sin(turn), 0.5 + 1.0 / CURVATURE - arm * np.cos(turn)
    return np.column_stack([along, across, p[:, 2:]])


@pytest.fixture(scope="module")
def fine():
    """A surface finer than the cells it lies on."""
    return Skin.bare(bar(12)).surface


@pytest.mark.parametrize("make", MESHES.values(), ids=MESHES)
@pytest.mark.parametrize(
    ("matrix", "shift"),
    [
        (np.eye(3), [0, 0, 0]),
        (np.eye(3), [3, -2, 1]),
        ([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0, 0, 0]),
        ([[1.2, 0.3, 0], [-0.5, 0.8, 0.1], [0, 0.2, 1]], [1, 2, 3]),
    ],
    ids=["stays", "moved", "turned", "affine"],
)
def test_affine_motions_are_exact(make, matrix, shift):
    mesh = make()
    surface, d = Skin.bare(mesh).surface, mesh.dim
    matrix, shift = np.array(matrix)[:d, :d], np.array(shift)[:d]
    there = in_space(surface.points[:, :d] @ matrix.T + shift)
    # Rounding of a least squares fit and of weights that sum to one; shapes are about a metre.
    assert np.abs(pose(mesh, surface, there) - (mesh.points @ matrix.T + shift)).max() < 1e-13


def test_plane_meshes_too():
    mesh = pl.meshes.rectangle(size=(4, 1), cells=(8, 2), kind="quad")
    surface = Skin.bare(pl.meshes.rectangle(size=(4, 1), cells=(40, 10))).surface
    turn = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
    assert pose(mesh, surface, surface.points @ turn.T) == pytest.approx(
        mesh.points @ turn[:2, :2].T, abs=1e-13
    )
    there = bent(surface.points)
    missed = Skin.on(mesh, surface).positions(pose(mesh, surface, there)) - there
    assert np.linalg.norm(missed, axis=1).max() < 0.5**2 * CURVATURE
    with pytest.raises(MeshError, match=r"up to z = 1 m; the body is 2D: expected the plane z = 0"):
        pose(mesh, surface, surface.points + [0, 0, 1])


@pytest.mark.parametrize("kind", ["tet", "hex"])
def test_a_bend_is_met_as_well_as_the_cells_can(fine, kind):
    there = bent(fine.points)
    missed, inside = [], []
    for n in (2, 4, 8):
        mesh = bar(n, kind)
        x = pose(mesh, fine, there)
        missed.append(np.linalg.norm(Skin.on(mesh, fine).positions(x) - there, axis=1).max())
        inside.append(np.linalg.norm(x - bent(mesh.points), axis=1).max())
        # A chord of length h is h^2 curvature / 8 off its arc; edges of tetrahedra are up to sqrt(3)
        # times as long as their box, and the fit spreads what is left.
        assert missed[-1] < (1.0 / n) ** 2 * CURVATURE
    assert all(coarse > 3.0 * finer for coarse, finer in pairwise(missed))  # second order: 4
    # Harmonic inside, which a bend is not quite: off by a share of its sag across the thickness.
    assert max(inside) < CURVATURE / 8.0
    pl.Mesh(x, mesh.cells)  # refuses cells that are inside out


def test_a_bare_mesh_finds_its_own_bend():
    mesh = bar(3)
    skin = Skin.bare(mesh)
    x = pose(mesh, skin.surface, bent(skin.surface.points))
    # Nodes can be where they should: what the penalty leaves is its inverse, 1e-4 of the motion.
    assert np.abs(skin.positions(x) - bent(skin.surface.points)).max() < 1e-3


def test_what_cannot_be_is_refused_or_told(fine):
    mesh = bar(2)
    with pytest.raises(MeshError, match=r"got 5 points; the surface that is put there has 2594"):
        pose(mesh, fine, fine.points[:5])
    spiked = fine.points.copy()
    spiked[0] += [0, 3, 0]
    with pytest.warns(
        UserWarning, match=r"1 of 2594 points .* missed by more than a cell, up to 2"
    ):
        pose(mesh, fine, spiked)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pose(mesh, fine, bent(fine.points))


def test_vertices_are_carried_by_the_points_of_their_cells(fine):
    mesh = bar(2)
    end = np.flatnonzero(fine.points[:, 0] == 0.0)
    assert np.array_equal(carriers(mesh, fine, end), mesh.points[:, 0] == 0.0)
    corner = np.flatnonzero((fine.points == 0.0).all(axis=1))
    assert np.array_equal(carriers(mesh, fine, corner), (mesh.points == 0.0).all(axis=1))
    # What moves is what is not chosen: with these points held the vertices stand still.
    some = np.flatnonzero(fine.points[:, 0] < 0.65)
    held = carriers(mesh, fine, some)
    x = np.where(held[:, None], mesh.points, mesh.points + [0, 1, 0])
    moved = np.linalg.norm(Skin.on(mesh, fine).positions(x) - fine.points, axis=1)
    assert moved[some].max() < 0.05 * 4 and (moved > 0.5).any()
    assert (mesh.points[held, 0] <= 1.0).all()  # at most one cell more, of half a metre


def test_between_vertices_whole_faces_and_edges_are_chosen():
    mesh = pl.meshes.box(cells=(4, 4, 4))
    points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]]
    surface = Surface.of(points, [[0, 3, 2, 1], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    bottom = mesh.points[:, 2] == 0.0
    front = bottom & (mesh.points[:, 1] == 0.0)
    left = bottom & (mesh.points[:, 0] == 0.0)
    corner = lambda i: (mesh.points == points[i]).all(axis=1)  # noqa: E731
    for chosen, expected in [
        ([0, 1, 2, 3], bottom),  # finer cells under one large face
        ([0, 1], front),
        ([0, 1, 3], front | left),  # half a face is no face
        ([0, 2], corner(0) | corner(2)),
    ]:
        assert np.array_equal(carriers(mesh, surface, np.array(chosen)), expected), chosen
    with pytest.raises(MeshError, match=r"got vertex 5; the surface has 0 to 4"):
        carriers(mesh, surface, np.array([0, 5]))
