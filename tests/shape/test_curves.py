"""Curves and surfaces are what their formulas say, however they are cut, elevated or derived."""

import numpy as np
import pytest

import pliant as pl

#: Curves of size 1 to 3 are met to rounding of a few operations.
ROUNDING = 1e-13
#: Central differences over H of curves whose third derivatives are below 1e3.
H, DIFFERENCES = 1e-6, 1e-7
T = np.linspace(0.0, 1.0, 41)
generator = np.random.default_rng(7)


def curves():
    """One of each, the B-spline also with a knot that counts twice."""
    points = generator.standard_normal((9, 3))
    twice = np.array([0, 0, 0, 0, 0.2, 0.5, 0.5, 0.6, 0.9, 1, 1, 1, 1])
    return [
        pl.shape.Bezier(points[:6]),
        pl.shape.BSpline(points[:, :2]),
        pl.shape.BSpline(points, knots=twice),
        pl.shape.BSpline(points, degree=1),
        pl.shape.Nurbs(points, generator.uniform(0.5, 2.0, 9), degree=4),
        pl.shape.Nurbs.circle(2.0),
    ]


def test_both_ways_to_a_point_of_a_bezier_curve_agree():
    points = generator.standard_normal((5, 3))
    curve = pl.shape.Bezier(points)
    assert np.abs(curve(T) - curve.de_casteljau(T)).max() < ROUNDING
    assert np.abs(curve.bernstein(T) @ points - curve(T)).max() < ROUNDING
    assert np.allclose(curve([0.0, 1.0]), points[[0, -1]], atol=ROUNDING)


def test_a_circle_is_exact():
    radius = np.linalg.norm(pl.shape.Nurbs.circle(2.0)(np.linspace(0, 1, 1001)), axis=1)
    assert np.abs(radius - 2.0).max() < ROUNDING


@pytest.mark.parametrize("curve", curves(), ids=repr)
def test_a_curve_stays_itself(curve):
    """Cut, elevated, moved affinely: the same points; its derivative is its slope."""
    for cut in (0.3, 0.5):
        first, second = curve.split(cut)
        own = isinstance(curve, pl.shape.Bezier)  # whose halves run from 0 to 1 each
        before, after = cut * T, cut + (1.0 - cut) * T[:-1]
        assert np.abs(first(T if own else before) - curve(before)).max() < ROUNDING
        assert np.abs(second(T[:-1] if own else after) - curve(after)).max() < ROUNDING
    higher = curve.elevate().elevate()
    assert higher.degree == curve.degree + 2
    assert np.abs(higher(T) - curve(T)).max() < ROUNDING
    slope, t = curve.derivative(), np.array([0.13, 0.44, 0.71])
    for left, right in ((curve, slope), (slope, slope.derivative())):
        assert np.abs((left(t + H) - left(t - H)) / (2 * H) - right(t)).max() < 100 * DIFFERENCES


@pytest.mark.parametrize("curve", curves(), ids=repr)
def test_moving_control_points_affinely_moves_the_curve(curve):
    d = curve.points.shape[1]
    turn, shift = generator.standard_normal((d, d)), generator.standard_normal(d)
    moved = type(curve).__new__(type(curve))
    points = curve.points @ turn + shift
    if isinstance(curve, pl.shape.Nurbs):
        moved = pl.shape.Nurbs(points, curve.weights, curve.knots)
    elif isinstance(curve, pl.shape.Bezier):
        moved = pl.shape.Bezier(points)
    else:
        moved = pl.shape.BSpline(points, curve.degree, curve.knots)
    assert np.abs(moved(T) - (curve(T) @ turn + shift)).max() < 10 * ROUNDING
    ones = pl.shape.BSpline(np.ones((9, 2)), 3)
    assert np.abs(ones(T) - 1.0).max() < ROUNDING  # weights sum to one


def test_a_surface_is_a_curve_in_each_direction():
    points, weights = generator.standard_normal((5, 6, 3)), generator.uniform(0.5, 2, (5, 6))
    surface = pl.shape.SplineSurface(points, (3, 2), weights=weights)
    u, v = generator.random((2, 20))
    edge = pl.shape.Nurbs(points[0], weights[0], degree=2)
    assert np.abs(surface(0.0, v) - edge(v)).max() < ROUNDING
    for axis in (0, 1):
        first, second = surface.split(0.4, axis)
        low, high = ((0.4 * u, v), (0.4 + 0.6 * u, v))
        if axis:
            low, high = ((u, 0.4 * v), (u, 0.4 + 0.6 * v))
        assert np.abs(first(*low) - surface(*low)).max() < ROUNDING
        assert np.abs(second(*high) - surface(*high)).max() < ROUNDING
        assert np.abs(surface.elevate(axis)(u, v) - surface(u, v)).max() < ROUNDING
    along = surface.derivatives(0.3, 0.6)
    assert np.abs(along[0] - (surface(0.3 + H, 0.6) - surface(0.3 - H, 0.6)) / (2 * H)).max() < 1e-7
    assert np.abs(along[1] - (surface(0.3, 0.6 + H) - surface(0.3, 0.6 - H)) / (2 * H)).max() < 1e-7


def sphere():
    """The unit sphere: half a circle of five points, turned about z as the circle of nine is."""
    around = pl.shape.Nurbs.circle()
    half = np.array([[0, -1], [1, -1], [1, 0], [1, 1], [0, 1]], dtype=float)
    w = np.array([1.0, np.sqrt(0.5), 1.0, np.sqrt(0.5), 1.0])
    points = np.zeros((5, 9, 3))
    points[..., :2] = half[:, None, :1] * around.points[None, :, :2]
    points[..., 2] = half[:, None, 1]
    knots = np.array([0, 0, 0, 0.5, 0.5, 1, 1, 1])
    return pl.shape.SplineSurface(
        points, (2, 2), knots=(knots, around.knots), weights=w[:, None] * around.weights
    )


def test_a_sphere_is_exact_and_its_mesh_is_closed():
    surface = sphere()
    u, v = np.linspace(0.01, 0.99, 23), np.linspace(0, 1, 17)
    x = surface(u[:, None], v)
    assert np.abs(np.linalg.norm(x, axis=-1) - 1.0).max() < ROUNDING
    normals = surface.normals(u[:, None], v)
    assert np.abs(np.abs((normals * x).sum(axis=-1)) - 1.0).max() < 1e-12
    mesh = surface.mesh(cells=(16, 24))
    assert not len(mesh.boundary_points)
    assert abs(mesh.volume / (4.0 * np.pi) - 1.0) < 0.02  # flat cells: second order, 1/16


@pytest.mark.parametrize(
    "make, words",
    [
        (
            lambda: pl.shape.BSpline(np.eye(4)[:, :3], knots=[0, 0, 0, 0, 1, 0.5, 1, 1]),
            "fall from 1",
        ),
        (lambda: pl.shape.BSpline(np.eye(4)[:, :3], knots=[0, 1]), "expected 8 finite numbers"),
        (lambda: pl.shape.BSpline(np.eye(4)[:, :3], knots=[1] * 8), "all 1"),
        (
            lambda: pl.shape.BSpline(np.zeros((6, 2)), 2, [0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1]),
            "3 times",
        ),
        (lambda: pl.shape.BSpline([[0, 0], [1, 1]], degree=3), "from 1 to 1"),
        (lambda: pl.shape.Bezier([[0, 0, 0]]), "at least 2"),
        (lambda: pl.shape.Bezier([[0, 0], [np.nan, 0]]), "not finite"),
        (lambda: pl.shape.Nurbs([[0, 0], [1, 0]], [1, 0]), "weight 0 of point 1"),
        (lambda: pl.shape.Nurbs([[0, 0], [1, 0]], [1, -1]), "above 0"),
        (lambda: pl.shape.Nurbs([[0, 0], [1, 0]], [1]), "one for each point"),
        (lambda: pl.shape.Nurbs.circle(-1.0), "radius=-1"),
        (lambda: pl.shape.Bezier([[0, 0], [1, 0]])(1.5), "from 0 to 1"),
        (lambda: pl.shape.Bezier([[0, 0], [1, 0]]).split(1.0), "between 0 and 1"),
        (lambda: pl.shape.SplineSurface(np.zeros((3, 3, 3)), (3, 2)), "from 1 to 2"),
        (lambda: pl.shape.SplineSurface(np.zeros((3, 3))), "shape"),
        (lambda: pl.shape.SplineSurface(np.zeros((4, 4, 2))).normals(0, 0), "2D"),
        (lambda: pl.shape.SplineSurface(np.zeros((4, 4, 3))).split(0.5, 2), "axis=2"),
        (
            lambda: pl.shape.SplineSurface(np.zeros((4, 4, 3)), weights=np.zeros((4, 4))),
            r"point \(0, 0\)",
        ),
    ],
)
def test_what_is_no_curve_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
