"""Deformers are their formulas, and say how volumes change."""

import numpy as np
import pytest

import pliant as pl

#: Differences over 1e-6 of maps whose third derivatives are of order 10.
H, DIFFERENCES = 1e-6, 1e-8
X = np.random.default_rng(3).random((500, 3))
KINDS = [
    pl.shape.Stretching((2.0, 0.5, 3.0), about=(0, 0, 0)),
    pl.shape.Twisting(degrees=80, along="z", about=(0, 0, 0), length=1.0),
    pl.shape.Tapering(factor=0.5, along="z", about=(0.5, 0.5, 0.0), length=1.2),
    pl.shape.Tapering(factor=3.0, along="y", about=(0.5, 0.0, 0.0), length=1.0),
    pl.shape.Bending(degrees=50, along="y", towards="z", about=(0, 0, 0), length=1.0),
    pl.shape.Warping(at=(0.5, 0.5, 0.5), by=(0.1, 0.2, 0.0), radius=0.6),
]


def slopes(deform, x):
    """det of the derivative by central differences."""
    steps = H * np.eye(x.shape[1])
    return np.linalg.det(
        np.stack([(deform(x + h) - deform(x - h)) / (2 * H) for h in steps], axis=-1)
    )


@pytest.mark.parametrize("deform", KINDS, ids=lambda d: type(d).__name__)
def test_volume_factors_are_det_j(deform):
    factors = deform.volume_factors(X)
    assert np.abs(slopes(deform, X) - factors).max() < DIFFERENCES
    assert factors.min() > 0.0


def test_volume_factors_of_barr():
    z = X[:, 2]
    twist, taper, bend = KINDS[1], KINDS[2], KINDS[4]
    assert np.array_equal(twist.volume_factors(X), np.ones(500))
    assert np.allclose(taper.volume_factors(X), (1.0 - 0.5 * z / 1.2) ** 2, rtol=1e-14)
    k = np.radians(50.0)
    assert np.allclose(bend.volume_factors(X), 1.0 - k * z, rtol=1e-14)


def test_deformers_in_the_plane():
    x = X[:, :2]
    for deform in (
        pl.shape.Bending(degrees=40, about=(0, 0), length=1.0),
        pl.shape.Tapering(factor=0.4, about=(0, 0.5), length=1.0),
        pl.shape.Warping(at=(0.5, 0.5), by=(0.1, 0), radius=0.4),
    ):
        assert np.abs(slopes(deform, x) - deform.volume_factors(x)).max() < DIFFERENCES


def test_ends_are_those_of_the_points():
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    left, right = mesh.points[:, 0] == 0.0, mesh.points[:, 0] == 4.0
    thin = pl.shape.taper(mesh.points, 0.25)
    ratio = np.ptp(thin[right, 1]) / np.ptp(thin[left, 1])
    assert np.isclose(ratio, 0.25, rtol=1e-14)
    held = pl.shape.taper(mesh.points, 0.25, about=(0, 0.5, 0.5))
    assert np.allclose(held[left], mesh.points[left], atol=1e-15)
    turned = pl.shape.twist(mesh.points, 90, about=(0, 0.5, 0.5))
    y, z = mesh.points[right, 1] - 0.5, mesh.points[right, 2] - 0.5
    assert np.allclose(turned[right, 1:] - 0.5, np.stack([-z, y], axis=1), atol=1e-14)
    arc = pl.shape.bend(mesh.points, 180, about=(0, 0.5, 0.5))
    assert np.allclose(arc[right][:, 0].mean(), 0.0, atol=1e-14)  # it looks back
    dragged = pl.shape.warp(mesh.points, at=(4, 0.5, 0.5), by=(0, 1, 0), radius=2)
    middle = np.flatnonzero((mesh.points == (4, 0.5, 0.5)).all(axis=1))[0]
    assert np.allclose(dragged[middle], (4, 1.5, 0.5))
    assert np.array_equal(dragged[left], mesh.points[left])


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.shape.twist(X[:, :2], 90), "cannot be twisted"),
        (lambda: pl.shape.twist(X, 90, along="w"), "expected x, y or z"),
        (lambda: pl.shape.bend(X[:, :2], 90, along="z"), "2D"),
        (lambda: pl.shape.bend(X, 90, along="y"), "two different axes"),
        (lambda: pl.shape.bend(X, np.inf), "degrees=inf"),
        (lambda: pl.shape.bend(X, 150, about=(0, 0, 0)), "radius 0.38.* folds points"),
        (lambda: pl.shape.taper(X, 0.0), "factor=0"),
        (lambda: pl.shape.taper(X, 0.1, about=(0, 0, 0), length=0.5), "inside out"),
        (lambda: pl.shape.twist(X * [0, 1, 1], 90), "flat along x"),
        (lambda: pl.shape.warp(X, at=(0, 0, 0), by=(1, 0, 0), radius=1.0), "folds"),
        (lambda: pl.shape.warp(X, at=(0, 0), by=(1, 0, 0), radius=1.0), "3 finite numbers"),
        (lambda: pl.shape.stretch(X, (1, 2)), "3 of them"),
        (lambda: pl.shape.stretch([], (1, 2)), "got points"),
    ],
)
def test_what_cannot_be_deformed_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
