"""Tubes and ribbons follow their curves."""

import inspect

import numpy as np
import pytest

import pliant as pl
from pliant.mesh.sections import sections_of
from pliant.scenefile.meshes import MeshTable

SPLINE = pl.shape.BSpline([[0, 0, 0], [1, 2, 0], [2, -1, 1], [3, 0, 0], [4, 1, 1]])
LENGTH = np.linalg.norm(np.diff(SPLINE(np.linspace(0, 1, 4001)), axis=0), axis=1).sum()


def test_a_tube_has_the_volume_of_pappus():
    mesh = pl.meshes.tube(SPLINE, 0.2, (64, 4))
    # A polygon of 24 sides has 0.9886 of its circle; chords of the curve shorten it by less than 0.5 %.
    polygon = 24 * np.sin(2 * np.pi / 24) / (2 * np.pi)
    assert abs(mesh.volume / (np.pi * 0.04 * LENGTH) / polygon - 1.0) < 5e-3
    ring = pl.meshes.tube(pl.shape.Nurbs.circle(1.0), 0.3, (48, 4))
    assert ring.components.max() == 0
    chords = 48 * np.sin(2 * np.pi / 48) / (2 * np.pi)  # sections stand across the tangents
    assert abs(ring.volume / (2 * np.pi**2 * 0.09) / polygon / chords - 1.0) < 3e-3


def test_walls_are_closed_around():
    wall = pl.meshes.tube(pl.shape.Nurbs.circle(1.0), 0.3, (48, 4), kind="quad")
    assert not len(wall.boundary_points)
    assert abs(wall.volume / (4 * np.pi**2 * 0.3) - 1.0) < 0.01
    cone = pl.meshes.tube(SPLINE, lambda s: 0.1 + 0.1 * s, (32, 2), kind="tri")
    assert len(cone.boundary_points) == 24  # two rims
    for end, radius in ((0, 0.1), (1, 0.2)):
        rim = cone.points[np.argsort(np.linalg.norm(cone.points - SPLINE(end), axis=1))[:12]]
        assert np.allclose(np.linalg.norm(rim - SPLINE(end), axis=1), radius, atol=1e-9)


def test_frames_turn_no_more_than_they_must():
    """Along a plane curve the frame stays in the plane; a closed one comes back to itself."""
    flat = sections_of("", pl.shape.Bezier([[0, 0, 0], [1, 2, 0], [3, -2, 0], [4, 0, 0]]), 40)
    assert np.abs(flat.frames(np.array([0.0, 0.0, 1.0])) - [0, 0, 1]).max() < 1e-8
    t = np.linspace(0, 2 * np.pi, 81)
    knot = np.stack(
        [np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], 1
    )
    ring = sections_of("", knot, 80)
    across = ring.frames(np.array([0.0, 0.0, 1.0]))
    assert ring.closed
    assert np.abs((across * ring.tangents).sum(axis=1)).max() < 0.02  # of chords of 80 pieces
    steps = np.linalg.norm(across - np.roll(across, 1, axis=0), axis=1)
    assert steps[0] < 2.0 * steps.mean()  # nothing is left over for the seam


def test_ribbons():
    sheet = pl.meshes.ribbon(SPLINE, 0.2)
    assert sheet.dim == 3 and abs(sheet.volume / (0.2 * LENGTH) - 1.0) < 0.01
    strip = pl.meshes.ribbon(pl.shape.Bezier([[0, 0], [1, 1], [2, 0]]), 0.1)
    assert strip.dim == 2 and strip.volume > 0.1 * 2.0
    flat = pl.meshes.ribbon([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.5, facing=(0, 1, 0))
    assert np.ptp(flat.points[:, 1]) < 1e-15 and np.isclose(np.ptp(flat.points[:, 2]), 0.5)
    band = pl.meshes.ribbon(pl.shape.Nurbs.circle(1.0), 0.2)
    assert band.components.max() == 0 and len(np.unique(band.boundary_points)) == 64


def test_quadratic_tubes_and_points():
    assert set(pl.meshes.tube(SPLINE, kind="tet10", cells=(8, 1)).cells) == {"tet10"}
    mesh = pl.meshes.tube(np.stack([np.linspace(0, 1, 6)] + 2 * [np.zeros(6)], axis=1), 0.1, (1, 1))
    assert len(np.unique(np.round(mesh.points[:, 0], 12))) == 6


def test_tubes_in_scene_files():
    points = [[0, 0, 0], [1, 1, 0], [2, 0, 0]]
    made = MeshTable(tube={"points": points, "radius": 0.2}).generate()
    expected = pl.meshes.tube(pl.shape.BSpline(points, 2), 0.2)
    assert np.array_equal(made.points, expected.points)
    made = MeshTable(ribbon={"points": points, "width": 0.3, "kind": "quad"}).generate()
    expected = pl.meshes.ribbon(pl.shape.BSpline(points, 2), 0.3, kind="quad")
    assert np.array_equal(made.points, expected.points)
    for name in ("tube", "ribbon"):
        fields = MeshTable.model_fields[name].annotation.__args__[0].model_fields
        ours = inspect.signature(getattr(pl.meshes, name)).parameters
        assert {k for k in ours if k != "curve"} == set(fields) - {"points", "degree"}
        for k, parameter in ours.items():
            assert k == "curve" or fields[k].default == parameter.default


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.meshes.tube(pl.shape.Nurbs.circle(1.0), 1.3), "folds"),
        (lambda: pl.meshes.tube("curve"), "expected a curve"),
        (lambda: pl.meshes.tube(SPLINE, -1), "above 0"),
        (lambda: pl.meshes.tube(SPLINE, lambda s: 1.0 - 2.0 * s), "above 0"),
        (lambda: pl.meshes.tube([[0, 0, 0], [0, 0, 0]]), "stands still"),
        (lambda: pl.meshes.tube([[0, 0], [1, 0]]), "2D"),
        (lambda: pl.meshes.tube(SPLINE, cells=(8, 0), kind="tri"), "from 1"),
        (lambda: pl.meshes.tube(SPLINE, kind="hex"), "kind"),
        (lambda: pl.meshes.ribbon(SPLINE, np.nan), "above 0"),
    ],
)
def test_what_is_no_tube_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
