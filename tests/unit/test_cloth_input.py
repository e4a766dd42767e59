"""What cloth refuses, and what of its flat coordinates does not matter."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.test_cloth import cloth, energy, sheet

SHEET = sheet(cells=(2, 2))
FLAT = SHEET.points[:, [0, 2]]
CRUMPLED = pl.Mesh(SHEET.points + [[0, 0.1 * (i % 2), 0] for i in range(len(SHEET))], SHEET.cells)


@pytest.mark.parametrize(
    "mesh, how, words",
    [
        (SHEET, {"stretch": 0.0}, "stretch=0.0; expected more than 0"),
        (SHEET, {"bend": -1.0}, "0 or more"),
        (SHEET, {"density": float("nan")}, "more than 0"),
        (SHEET, {"rest_stretch": (1.0, 0.0)}, "2 numbers"),
        (SHEET, {"uv": np.zeros((3, 2))}, "two per point"),
        (SHEET, {"uv": SHEET.points[:, :2]}, "no area in uv"),
        (SHEET, {"uv": [[0.0, 1.0], [2.0]]}, "uv of type list; expected finite numbers"),
        (SHEET, {"uv": np.full((len(SHEET), 2), np.nan)}, "of point 0; expected finite"),
        (SHEET, {"uv": 1e-3 * FLAT}, r"1e\+03 times as long in the mesh as in uv \(8 of 8"),
        (SHEET, {"uv": 1e3 * FLAT}, "0.001 times as long .* expected uv in metres"),
        (SHEET, {"uv": FLAT * [1.0, 1e-9]}, r"1e\+09 times as long"),
        (SHEET, {"rest_stretch": "ab"}, "rest_stretch='ab'; expected 2 numbers"),
        (CRUMPLED, {}, "not flat"),
        (pl.meshes.rectangle(), {}, r"np\.insert"),
        (pl.meshes.box(), {}, "triangles in 3D"),
    ],
)
def test_bad_cloth_is_refused(mesh, how, words):
    with pytest.raises(ValueError, match=words):
        cloth(mesh, **how)


def test_three_triangles_on_an_edge_are_refused():
    points = [(0.0, 0, 0), (1.0, 0, 0), (0.0, 1, 0), (1.0, 1.0, 0), (0.5, 2.0, 0)]
    mesh = pl.Mesh(points, {"tri": [(0, 1, 2), (1, 0, 3), (0, 1, 4)]})
    with pytest.raises(pl.MeshError, match="has 3 triangles") as caught:
        cloth(mesh)
    assert caught.value.indices["tri3"].tolist() == [0, 1, 2]


def tube(around=16):
    """Closed, with the uv of its points: those of the last row are a round away from the first's."""
    i, j = (a.ravel() for a in np.meshgrid(np.arange(around), np.arange(4)))
    turn = 2 * np.pi * i / around
    a = (j * around + i)[j < 3]
    b = a - i[a] + (i[a] + 1) % around
    cells = np.concatenate([np.stack([a, b, b + around]), np.stack([a, b + around, a + around])], 1)
    points = np.stack([np.cos(turn), 0.4 * j, np.sin(turn)], axis=1)
    return pl.Mesh(points, {"tri": cells.T}), np.stack([turn, 0.4 * j], axis=1)


def test_a_seam_across_triangles_is_refused():
    mesh, uv = tube()
    with pytest.raises(ValueError, match=r"6 of 96 .* no seam across triangles"):
        cloth(mesh, uv=uv)


def test_mirrored_and_folded_uv_are_the_same_cloth():
    x, z = FLAT.T
    bent = SHEET.points + 0.1 * np.random.default_rng(0).uniform(-1, 1, SHEET.points.shape)
    plain = energy(cloth(SHEET), bent)
    for uv in (FLAT * [-1, 1], np.stack([np.abs(x - 0.5), z], axis=1)):
        assert energy(cloth(SHEET, uv=uv), bent) == pytest.approx(plain, rel=1e-12)
