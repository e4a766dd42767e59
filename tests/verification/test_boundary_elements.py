"""Boundary elements against theory, as they are refined, and a touch against factoring anew."""

import time

import numpy as np
import pytest
import scipy.linalg as la

import pliant as pl
from pliant.bodies.boundary_elements.statics import SurfaceStatics
from tests.unit.test_boundary_elements import POISSON, YOUNG, ball, squeezed

pytestmark = pytest.mark.slow


def orders(errors):
    """The order of convergence between each two of a row in which sizes are halved."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def test_constant_triangles_converge_with_their_size():
    """A ball under pressure: 0.953, 0.977, 0.989 of theory with 80, 320, 1280 triangles."""
    found = [squeezed(0, level) for level in (1, 2, 3)]
    np.testing.assert_allclose(found, [0.953, 0.977, 0.989], atol=6e-4)
    assert (orders(1.0 - np.array(found)) >= 0.9).all()


def bent(cells, order):
    """The error of a block in pure bending: its exact shape is quadratic in space."""
    c = 1e4
    body = pl.BoundaryElements(
        pl.meshes.box((1, 1, 2), (cells, cells, 2 * cells)),
        young=YOUNG,
        poisson=POISSON,
        order=order,
    )
    points, triangles = body.mesh.points, body.mesh.cells["tri3"]
    body.fix(points[:, 2] < 1e-9)
    x, y, z = (points - [0.5, 0.5, 0.0]).T
    across = -0.5 * (z**2 + POISSON * (x**2 - y**2))
    exact = c / YOUNG * np.stack([across, -POISSON * x * y, x * z], axis=1)
    middles = points[triangles].mean(axis=1)
    top = (points[triangles][:, :, 2] > 2.0 - 1e-9).all(axis=1)
    tractions = np.zeros((len(triangles), 3))
    tractions[top, 2] = c * (middles[top, 0] - 0.5)
    found = body.solve(displacements=exact, tractions=tractions).displacements
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


def test_linear_triangles_converge_with_the_square_of_their_size():
    """Held at one end, bent at the other: 17, 2.8, 0.42 % off with 80, 320, 1280 triangles."""
    errors = [bent(cells, 1) for cells in (2, 4, 8)]
    assert (orders(errors) >= 1.8).all() and errors[-1] < 0.005


def test_a_turn_needs_tractions_that_fall_with_the_elements():
    """Of constant triangles with their size; linear ones can turn, up to quadrature."""

    def left(level, order):
        body = pl.BoundaryElements(ball(level), young=YOUNG, poisson=POISSON, order=order)
        free = np.zeros(len(body.mesh.cells["tri3"]), dtype=bool)
        matter = {"young": YOUNG, "poisson": POISSON, "device": "cpu"}
        statics = SurfaceStatics(body.statics().elements, free, **matter)
        turn = np.cross([0.3, -0.2, 0.1], statics.elements.nodes).ravel()
        return np.abs(statics.of.H @ turn).max()

    assert (orders([left(level, 0) for level in (1, 2, 3)]) >= 0.9).all()
    assert max(left(level, 1) for level in (1, 2)) < 1e-8


def test_a_pulled_block_is_as_long_as_that_of_finite_elements():
    """Two per cent with 80 triangles, half a per cent with 320."""

    def pulled(cells, order):
        mesh = pl.meshes.box((1, 1, 2), (cells, cells, 2 * cells))
        body = pl.BoundaryElements(mesh, young=YOUNG, poisson=POISSON, order=order)
        x, triangles = body.mesh.points, body.mesh.cells["tri3"]
        body.fix(x[:, 2] < 1e-9)
        top = (x[triangles][:, :, 2] > 2.0 - 1e-9).all(axis=1)
        answer = body.solve(tractions=np.where(top[:, None], [0.0, 0.0, 1e4], 0.0))
        return answer.displacements[x[:, 2] > 2.0 - 1e-9, 2].mean()

    mesh = pl.meshes.box((1, 1, 2), (6, 6, 12), kind="hex20")
    full = pl.Body(mesh, pl.Linear(young=YOUNG, poisson=POISSON))
    full.fix(mesh.points[:, 2] < 1e-9)
    top = mesh.points[:, 2] > 2.0 - 1e-9
    full.push(traction=(0, 0, 1e4), on=top)
    expected = (full.rest_shape() - mesh.points)[top, 2].mean()
    errors = [abs(pulled(cells, 1) / expected - 1.0) for cells in (2, 4)]
    assert errors[0] < 0.02 and errors[1] < 0.006
    assert abs(pulled(4, 0) / expected - 1.0) < 0.015


def test_a_touch_is_a_thousand_times_faster_than_factoring_anew():
    body = pl.BoundaryElements(pl.meshes.box((1, 1, 2), (8, 8, 12)), young=YOUNG, poisson=POISSON)
    body.fix(body.mesh.points[:, 2] < 1e-9)
    touch = pl.Probe(body, radius=0.2)
    assert body.mesh.points.size >= 1500

    def spent(work, times):
        each = []
        for _ in range(times):
            began = time.process_time()
            work()
            each.append(time.process_time() - began)
        return min(each)

    matrix = body.statics().of.H + np.eye(body.mesh.points.size)
    anew = spent(lambda: la.lu_factor(matrix), 5)
    press = spent(lambda: touch.press(at=(0.5, 0.5, 2.0), by=(0, 0, -0.05)), 1000)
    assert anew > 1000.0 * press
