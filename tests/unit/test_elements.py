"""Elements: shape functions, quadrature, volumes and masses."""

import itertools
from dataclasses import replace
from math import factorial

import numpy as np
import pytest

import pliant as pl
from pliant.elements import (
    ELEMENTS,
    SHORT_NAMES,
    by_name,
    consistent_mass,
    facet_element,
    lumped_mass,
    nodal_volumes,
    shape_gradients,
)
from pliant.elements.quadrature import conical, cube
from pliant.mesh.kinds import KINDS

each = pytest.mark.parametrize("element", ELEMENTS.values(), ids=list(ELEMENTS))


def is_simplex_shaped(element):
    return element.nodes.min() >= 0


def inside(element, n=7):
    rng = np.random.default_rng(0)
    if is_simplex_shaped(element):
        return rng.dirichlet(np.ones(element.dim + 1), n)[:, 1:]
    return rng.uniform(-1, 1, (n, element.dim))


def distorted(element):
    """One cell of a general shape, and the same cell sheared only (an affine image)."""
    rng = np.random.default_rng(1)
    A = np.eye(element.dim) + 0.3 * rng.uniform(-1, 1, (element.dim, element.dim))
    affine = element.nodes @ A.T
    return affine + 0.1 * rng.uniform(-1, 1, affine.shape), affine, np.linalg.det(A)


@each
def test_shape_functions_interpolate_and_sum_to_one(element):
    xi = inside(element)
    assert np.allclose(element.shape(element.nodes), np.eye(element.n_nodes), atol=1e-14)
    assert np.allclose(element.shape(xi).sum(axis=1), 1)
    assert np.allclose(element.gradients(xi).sum(axis=1), 0, atol=1e-14)
    # Linear functions are reproduced: the patch test of the reference cell.
    assert np.allclose(element.shape(xi) @ element.nodes, xi)


@each
def test_gradients_match_finite_differences(element):
    xi, h = inside(element), 1e-6
    for j, step in enumerate(h * np.eye(element.dim)):
        slope = (element.shape(xi + step) - element.shape(xi - step)) / (2 * h)
        assert np.abs(slope).max() > 0.1
        assert np.allclose(element.gradients(xi)[:, :, j], slope, atol=1e-9)


def monomial_integral(element, powers):
    if is_simplex_shaped(element):
        return np.prod([factorial(p) for p in powers]) / factorial(sum(powers) + element.dim)
    return np.prod([2 / (p + 1) if p % 2 == 0 else 0 for p in powers])


@each
@pytest.mark.parametrize("name", ["rule", "mass_rule"])
def test_quadrature_has_exactly_its_order(element, name):
    rule = getattr(element, name)
    degree = sum if is_simplex_shaped(element) else max
    errors = {
        p: abs(rule.weights @ np.prod(rule.points**p, axis=1) - monomial_integral(element, p))
        for p in itertools.product(range(rule.order + 2), repeat=element.dim)
    }
    assert max(e for p, e in errors.items() if degree(p) <= rule.order) < 1e-14
    # Of the integral itself: high powers have small ones.
    beyond = [
        e / abs(monomial_integral(element, p))
        for p, e in errors.items()
        if degree(p) == rule.order + 1 and monomial_integral(element, p)
    ]
    assert max(beyond) > 1e-5


@each
def test_volumes_and_gradients_of_a_sheared_cell(element):
    _general, affine, det = distorted(element)
    cells = np.arange(element.n_nodes)[None]
    grads, weights = shape_gradients(affine, cells, element, thickness=0.5)
    reference = 1 / factorial(element.dim) if is_simplex_shaped(element) else 2**element.dim
    # Thickness of what is flat, section of what is a line.
    assert weights.sum() == pytest.approx(det * reference * (0.5 if element.dim < 3 else 1))
    # F of an affine map y = B X is B at every quadrature point.
    B = np.random.default_rng(2).normal(size=(element.dim, element.dim))
    F = np.einsum("ai,cqaj->cqij", affine @ B.T, grads)
    assert np.allclose(F, B)


@each
def test_masses_are_positive_and_keep_total_and_centre(element):
    general, affine, _ = distorted(element)
    cells = np.arange(element.n_nodes)[None]
    for X in (general, affine):
        _, volume = shape_gradients(X, cells, element, rule=element.mass_rule)
        M = consistent_mass(X, cells, element, density=3.0)
        m = lumped_mass(X, cells, element, density=3.0)
        assert M.sum() == pytest.approx(3 * volume.sum()) == pytest.approx(m.sum())
        assert np.linalg.eigvalsh(M[0]).min() > 0 and m.min() > 0
        assert np.allclose(3 * nodal_volumes(X, cells, element), M[0].sum(axis=1), atol=1e-14)
        if X is affine or element.degree == 1:
            N = element.shape(element.mass_rule.points)
            assert np.allclose(m @ X, 3 * np.einsum("q,qa,ai->i", volume[0], N, X), atol=1e-14)


@each
def test_mass_rule_is_exact_on_curved_cells(element):
    """A finer rule changes nothing: N_a N_b det J is integrated exactly."""
    X, _, _ = distorted(element)
    cells = np.arange(element.n_nodes)[None]
    finer = conical(element.dim, 6) if is_simplex_shaped(element) else cube(element.dim, 7)
    M = consistent_mass(X, cells, element)
    exact = consistent_mass(X, cells, replace(element, mass_rule=finer))
    assert np.allclose(M, exact, rtol=0, atol=1e-14 * np.abs(M).sum())


def test_masses_of_quadratic_triangles_are_the_textbook_ones():
    """Diagonal scaling: 6 and 32 parts in 114 at corners and middles; row sums: 0 and 1/3."""
    tri6 = by_name("tri6")
    cells = np.arange(6)[None]
    m = lumped_mass(tri6.nodes, cells, tri6, density=2.0)  # mass 1
    assert np.allclose(m, np.array([6, 6, 6, 32, 32, 32]) / 114)
    assert np.allclose(nodal_volumes(tri6.nodes, cells, tri6), np.array([0, 0, 0, 1, 1, 1]) / 6)


def test_masses_do_not_depend_on_the_chunks(monkeypatch):
    mesh = pl.meshes.box((1, 1, 1), (2, 2, 2))
    cells, tet = mesh.cells["tet4"], by_name("tet")
    density = np.linspace(1, 2, len(cells))
    whole = lumped_mass(mesh.points, cells, tet, density=density)
    monkeypatch.setattr("pliant.elements.mass.CELLS_AT_ONCE", 5)
    assert np.allclose(lumped_mass(mesh.points, cells, tet, density=density), whole, rtol=1e-14)


@pytest.mark.parametrize("dim, nodes", [(2, 2), (2, 3), (3, 3), (3, 4), (3, 6), (3, 8)])
def test_facets_interpolate(dim, nodes):
    facet = facet_element(dim, nodes)
    assert np.allclose(facet.shape(facet.nodes), np.eye(nodes), atol=1e-14)
    assert np.allclose(facet.shape(inside(facet)) @ facet.nodes, inside(facet))


def test_facets_of_an_unknown_kind_are_refused():
    with pytest.raises(ValueError, match="5 points in 3D; expected 3, 6, 4, 8 points"):
        facet_element(3, 5)


@each
def test_elements_and_kinds_of_mesh_agree(element):
    kind = KINDS[element.name]
    assert (kind.nodes, kind.dim, kind.mirror) == (element.n_nodes, element.dim, element.mirrored)
    for a, (i, j) in enumerate(kind.edges if element.degree == 2 else ()):
        middle = element.nodes[[i, j]].mean(axis=0)
        assert np.allclose(element.nodes[kind.corners + a], middle)
    for nodes in kind.facets if element.dim > 1 else ():
        # A facet's own shape functions are the cell's, seen on that facet.
        facet = facet_element(element.dim, len(nodes))
        xi = facet.shape(inside(facet)) @ element.nodes[list(nodes)]
        assert np.allclose(element.shape(xi)[:, list(nodes)], facet.shape(inside(facet)))


def test_mass_of_a_tetrahedron_is_the_textbook_one():
    tet = by_name("tet")
    M = consistent_mass(tet.nodes, np.arange(4)[None], tet)[0]
    assert np.allclose(M, (1 + np.eye(4)) / 120)  # V/20 (1 + delta_ab), V = 1/6


@each
def test_inside_out_cells_are_refused_and_the_advice_works(element):
    X, _, _ = distorted(element)
    cells = np.arange(element.n_nodes)[None][:, list(element.mirrored)]
    with pytest.raises(ValueError, match=r"1 inverted .*cell 0 .*cells\[bad\]"):
        shape_gradients(X, cells, element)
    shape_gradients(X, cells[:, list(element.mirrored)], element)


def test_names():
    assert by_name("tri") is by_name("tri3") is by_name(by_name("tri3"))
    assert all(SHORT_NAMES[s] in ELEMENTS for s in SHORT_NAMES)
    with pytest.raises(ValueError, match=r"'tet44'.*tet4"):
        by_name("tet44")


@pytest.mark.parametrize(
    "points, cells, words",
    [
        (np.zeros((3, 3)), [[0, 1, 2]], r"expected \(n, 2\)"),
        (np.zeros((3, 2)), [[0, 1]], r"\(c, 3\)"),
        (np.zeros((3, 2)), [[0.0, 1, 2]], "integers"),
        (np.zeros((3, 2)), [[0, 1, 3]], "indices 0 to 3; expected 0 to 2"),
        (np.full((3, 2), np.nan), [[0, 1, 2]], "point 0"),
        (np.zeros((3, 2)), [[0, 1, 2]], "degenerate"),
    ],
)
def test_bad_meshes_are_refused(points, cells, words):
    with pytest.raises(ValueError, match=words):
        shape_gradients(points, np.array(cells), by_name("tri"))


def test_bad_density_and_thickness_are_refused():
    tri = by_name("tri")
    cells = np.arange(3)[None]
    with pytest.raises(ValueError, match="density=-1"):
        lumped_mass(tri.nodes, cells, tri, density=-1)
    with pytest.raises(ValueError, match="thickness=0"):
        shape_gradients(tri.nodes, cells, tri, thickness=0)
