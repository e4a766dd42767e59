"""A lattice is a linear map of its control points, and moves whatever is inside."""

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile

#: Means of control points of size 1.
ROUNDING = 1e-14
generator = np.random.default_rng(5)


@pytest.mark.parametrize("divisions, degree", [((4, 4, 4), 3), ((6, 2, 3), 2), ((7, 7, 7), 3)])
def test_affine_motions_are_exact(divisions, degree):
    x = generator.random((300, 3))
    lattice = pl.shape.Lattice(x, divisions, degree=degree)
    assert np.abs(lattice.positions - x).max() < ROUNDING
    turn, shift = generator.standard_normal((3, 3)), generator.standard_normal(3)
    lattice.points = lattice.points @ turn + shift
    assert np.abs(lattice.positions - (x @ turn + shift)).max() < 10 * ROUNDING
    assert np.abs(lattice.matrix.sum(axis=1) - 1.0).max() < ROUNDING
    lattice.reset()
    assert np.abs(lattice.positions - x).max() < ROUNDING


def test_a_control_point_moves_only_what_is_near():
    mesh = pl.meshes.box((4, 1, 1), (16, 2, 2))
    lattice = pl.shape.Lattice(mesh, (9, 3, 3))
    lattice.points[-1] += (0.0, 0.5, 0.0)
    moved = lattice.positions - mesh.points
    assert np.allclose(moved[mesh.points[:, 0] == 4.0], (0.0, 0.5, 0.0), atol=ROUNDING)
    assert np.abs(moved[mesh.points[:, 0] <= 4.0 * 5 / 6 - 1e-9]).max() < ROUNDING


def test_flat_shapes_have_lattices_too():
    sheet = pl.meshes.rectangle((2, 1), (6, 3))
    flat = pl.shape.Lattice(sheet, (3, 3))
    assert np.abs(flat.positions - sheet.points).max() < ROUNDING
    x = np.column_stack([sheet.points, np.ones(len(sheet))])
    lattice = pl.shape.Lattice(pl.Mesh(x, sheet.cells), (3, 3, 2))
    lattice.points += (0, 0, 1)
    assert np.allclose(lattice.positions, x + [0, 0, 1], atol=ROUNDING)
    surface = pl.Surface.of(x, sheet.cells["tri3"])
    assert pl.shape.Lattice(surface).positions.shape == x.shape


def test_the_basis_is_the_map():
    x = generator.random((20, 2))
    lattice = pl.shape.Lattice(x, (3, 4), degree=2)
    move = generator.standard_normal(lattice.points.shape)
    lattice.points += move
    told = np.tensordot(move.reshape(-1), lattice.basis, axes=1)
    assert np.abs(lattice.positions - x - told).max() < 10 * ROUNDING


def test_a_lattice_in_a_file(tmp_path):
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    lattice = pl.shape.Lattice(mesh, (4, 3, 3))
    lattice.points[3, :, 2] += (0.25, 0.5, 0.0)
    lattice.write(tmp_path / "pose.toml")
    again = pl.shape.Lattice.read(tmp_path / "pose.toml", mesh)
    assert np.array_equal(again.positions, lattice.positions)


START = """
[run]
seconds = 0.6
dt = 1/60
[body.bar]
mesh = { box = { size = [4, 1, 1], cells = [8, 2, 2] } }
material = { young = 1e6, poisson = 0.3 }
fix = "x < 0.01"
settle = { rest_in = 0.4, bounces = 0 }
start = { START }
"""


def body_of(tmp_path, start):
    text = START.replace("1/60", '"1/60"').replace("START", start)
    (tmp_path / "bar.toml").write_text(text)
    return scenefile.read(tmp_path / "bar.toml").build().scene


def test_scene_files_taper_warp_and_have_lattices(tmp_path):
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    lattice = pl.shape.Lattice(mesh, (4, 3, 3))
    lattice.points[3] += (0, 0.5, 0)
    lattice.write(tmp_path / "pose.toml")
    about = (0.0, 0.5, 0.5)
    (tapered,) = body_of(tmp_path, "taper = { factor = 0.5 }").bodies
    assert np.array_equal(tapered.positions, pl.shape.taper(mesh.points, 0.5, about=about))
    (warped,) = body_of(
        tmp_path, "warp = { at = [4, 0.5, 0.5], by = [0, 0.5, 0], radius = 2 }"
    ).bodies
    by_call = pl.shape.warp(mesh.points, at=(4, 0.5, 0.5), by=(0, 0.5, 0), radius=2)
    assert np.array_equal(warped.positions, by_call)
    (both,) = body_of(tmp_path, "twist = { degrees = 30 }, bend = { degrees = 20 }").bodies
    twisted = pl.shape.twist(mesh.points, 30, about=about)
    assert np.array_equal(both.positions, pl.shape.bend(twisted, 20, about=about))
    scene = body_of(tmp_path, 'lattice = "pose.toml"')
    assert np.abs(scene.bodies[0].positions - lattice.positions).max() < ROUNDING
    take = scene.run(seconds=0.6, dt=1 / 60)  # placed by a lattice, it rests on cue
    assert abs(take.rest_time() / 0.4 - 1.0) < 0.005


def cantilever():
    mesh = pl.meshes.box((4, 1, 1), (16, 4, 4))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e6, poisson=0.3), density=1000.0)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def test_a_lattice_is_a_subspace_that_rests_on_cue():
    """A coarse body: a sag of 37 % of the length is off by 4 %, where the linear answer is by 21 %."""
    body = cantilever()
    basis = pl.shape.Lattice(body, (4, 2, 2)).basis
    soft = pl.Subspace(body, modes=4, basis=basis)
    report = soft.report(gravity=(0, -9.81, 0))
    assert report.sag > 0.35 and report.error < 0.04 < report.linear
    assert report.modes + report.statics == 39  # 12 control points that are free, and 3 answers
    assert np.abs(soft.positions - body.mesh.points).max() < 1e-12
    soft.damping = pl.Settle(rest_in=1.0, bounces=2)
    take = pl.Scene([soft], gravity=(0, -9.81, 0)).run(seconds=1.2, dt=1 / 60)
    assert abs(take.rest_time() - 1.0) < 0.005


def test_a_free_lattice_keeps_its_momentum():
    mesh = pl.meshes.box((1, 1, 1), (3, 3, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3))
    soft = pl.Subspace(body, modes=6, basis=pl.shape.Lattice(mesh, (3, 3, 3)).basis)
    soft.velocity = np.cross([0.0, 0.0, 1.0], mesh.points - 0.5) + [0.0, 1.0, 0.0]
    before = soft.masses @ soft.velocity
    pl.Scene([soft]).run(seconds=0.2, dt=1 / 60)
    assert np.allclose(soft.masses @ soft.velocity, before, rtol=1e-10, atol=1e-8)


@pytest.mark.parametrize(
    "basis, words",
    [
        (np.zeros((2, 3, 3)), "expected displacements"),
        ("lattice", "expected displacements"),
        (np.ones((3, 425, 3)), "leave its pins"),
    ],
)
def test_a_basis_that_does_not_fit_is_refused(basis, words):
    with pytest.raises(ValueError, match=words):
        pl.Subspace(cantilever(), basis=basis).report()


@pytest.mark.parametrize(
    "start, words",
    [
        ("taper = { factor = 0 }", "taper.factor"),
        ("warp = { at = [4, 0, 0], by = [0, 3, 0], radius = 1 }", "folds"),
        ('lattice = "none.toml"', "lattice"),
        ('lattice = "bad.toml"', "bad.toml: got move of point"),
        ('lattice = "worse.toml"', "expected divisions"),
    ],
)
def test_mistakes_in_scene_files(tmp_path, start, words):
    (tmp_path / "bad.toml").write_text(
        "divisions = [4, 4, 4]\nmove = [{ point = [4, 0, 0], by = [0, 1, 0] }]"
    )
    (tmp_path / "worse.toml").write_text("points = 3")
    with pytest.raises(ValueError, match=words):
        body_of(tmp_path, start)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.shape.Lattice(np.zeros((3, 3)), (1, 4, 4)), "whole numbers from 2"),
        (lambda: pl.shape.Lattice(np.zeros((3, 3)), degree=4), "expected 1, 2 or 3"),
        (lambda: pl.shape.Lattice(np.eye(3), box=[[0, 0, 0], [0.5, 1, 1]]), "outside of box"),
        (lambda: pl.shape.Lattice(np.eye(3), box=[[0, 0, 0], [0, 1, 1]]), "highest corner"),
        (lambda: pl.shape.Lattice("mesh"), "expected a mesh"),
    ],
)
def test_what_is_no_lattice_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_points_that_are_broken_are_refused():
    lattice = pl.shape.Lattice(np.eye(3))
    lattice.points = lattice.points[:2]
    with pytest.raises(ValueError, match=r"Lattice.points"):
        _ = lattice.positions
