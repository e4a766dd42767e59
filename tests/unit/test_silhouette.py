"""The outline of a rest shape is where it turns away from the eye, whatever edges its mesh has."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.io.extent import Extent
from pliant.io.facets import Facets
from pliant.io.silhouette import Silhouette
from pliant.mesh import Skin, Surface


def ball(rings=24, around=48):
    """A unit sphere of triangles."""
    t, p = np.linspace(0, np.pi, rings + 1)[1:-1], 2 * np.pi * np.arange(around) / around
    rows = np.stack(
        [
            np.outer(np.sin(t), np.cos(p)),
            np.outer(np.sin(t), np.sin(p)),
            np.outer(np.cos(t), 0 * p + 1),
        ],
        axis=-1,
    ).reshape(-1, 3)
    points = np.concatenate([rows, [[0, 0, 1], [0, 0, -1]]])
    i, j = np.meshgrid(np.arange(rings - 2), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    c, d = a + around, b + around
    top, bottom = len(rows), len(rows) + 1
    k = np.arange(around)
    last = (rings - 2) * around
    triangles = np.concatenate(
        [
            np.stack([a, c, b], -1).reshape(-1, 3),
            np.stack([b, c, d], -1).reshape(-1, 3),
            np.stack([np.full(around, top), k, (k + 1) % around], -1),
            np.stack([np.full(around, bottom), last + (k + 1) % around, last + k], -1),
        ]
    )
    return Surface(points, np.full(len(triangles), 3), triangles.ravel())


def lengths(pieces):
    return np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1)


def test_the_outline_of_a_ball_is_the_circle_that_is_seen():
    surface = ball()
    outline = Silhouette(Facets.of(surface))
    toward = np.array([0.6, 0.64, 0.48])
    far = outline.lines(surface.points, toward, afar=True)
    # The polygon of a circle that a mesh of 7.5 degrees holds is 0.3 % too short, and wavy by as much.
    assert lengths(far).sum() == pytest.approx(2 * np.pi, rel=0.01)
    assert np.abs(far @ toward).max() < 0.02  # a great circle across the line of sight
    eye = 3.0 * toward
    near = outline.lines(surface.points, eye)
    # Seen from three radii away it is the circle in which a cone touches: at 1/3 towards the eye.
    np.testing.assert_allclose((near @ toward).mean(), 1 / 3, atol=0.01)
    assert lengths(near).sum() == pytest.approx(2 * np.pi * np.sqrt(1 - 1 / 9), rel=0.01)


def test_the_outline_of_a_box_has_six_edges():
    mesh = pl.meshes.box(size=(2, 1, 1), cells=(2, 1, 1))
    surface = Skin.bare(mesh).surface
    pieces = Silhouette(Facets.of(surface)).lines(
        surface.points, np.array([3.0, 2.0, 1.0]), afar=True
    )
    assert lengths(pieces).sum() == pytest.approx(2 * (2 + 1 + 1))


def test_a_sheet_keeps_its_rim():
    flat = pl.meshes.rectangle(size=(2, 1), cells=(4, 2))
    surface = Skin.bare(flat).surface
    x = np.column_stack([flat.points, 0.0 * flat.points[:, 0]])
    pieces = Silhouette(Facets.of(surface)).lines(x, np.array([0.0, 0.0, 1.0]), afar=True)
    assert lengths(pieces).sum() == pytest.approx(6.0)


def test_normals_that_a_file_rounded_make_no_edges():
    """They once did: each such point was drawn as a black star."""
    surface = ball()
    normals = surface.points[surface.corners]
    rounded = normals * np.where(np.arange(len(normals)) % 7 == 0, 0.9992, 1.0)[:, None]
    found = Facets.of(replace(surface, normals=rounded))
    assert len(found.creases) == 0 and len(found.vertices) == len(surface.points)


def test_only_sizes_that_are_alike_have_one_scale():
    from pliant.io.camera import FRONT

    def of(size):
        corners = size * np.array([[0, 0, 0], [1, 1, 1.0]])
        return Extent.of([corners], FRONT, (100, 100), flat=False)

    small, large, huge = of(1.0), of(1.9), of(2.1)
    first, second = Extent.side_by_side([small, large])
    assert first is second and np.allclose(first.high, 1.9)
    assert Extent.side_by_side([small, huge]) == [small, huge]
