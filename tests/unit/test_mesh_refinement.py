"""Refined meshes: as many cells as they should have, the same volume, upright, and conforming."""

import numpy as np
import pytest

import pliant as pl
from pliant.mesh.measures import measure
from pliant.mesh.refinement import refined
from pliant.mesh.topology import boundary

MESHES = {
    "tri": (lambda: pl.meshes.rectangle((2, 1), (3, 2)), 4),
    "quad": (lambda: pl.meshes.rectangle((2, 1), (3, 2), kind="quad"), 4),
    "tet": (lambda: pl.meshes.box((2, 1, 1), (2, 1, 1)), 8),
    "hex": (lambda: pl.meshes.box((2, 1, 1), (2, 1, 1), kind="hex"), 8),
    "sphere": (lambda: pl.meshes.sphere(1.0, 2), 8),
}


@pytest.mark.parametrize("name", MESHES)
def test_refined_meshes_are_the_same_shape(name):
    make, parts = MESHES[name]
    coarse = make()
    fine = refined(coarse)
    for kind, cells in coarse.cells.items():
        assert len(fine.cells[kind]) == parts * len(cells)
        before = measure(coarse.points, kind, coarse.cells[kind])
        after = measure(fine.points, kind, fine.cells[kind])
        assert after.sum() == pytest.approx(before.sum(), rel=1e-12)
        assert (after > 0).all()
    assert np.array_equal(fine.points[: len(coarse)], coarse.points)
    # Conforming: no point twice, and a boundary of twice (2D) or four times (3D) the facets.
    assert len(np.unique(fine.points.round(9), axis=0)) == len(fine)

    def facets(mesh):
        return sum(len(f) for f in boundary(mesh.cells).values())

    assert facets(fine) == 2 ** (coarse.dim - 1) * facets(coarse)


def test_groups_go_along_and_quadratic_cells_are_refused():
    mesh = pl.meshes.rectangle((2, 1), (2, 1))
    named = pl.Mesh(mesh.points, mesh.cells, groups={"left": mesh.points[:, 0] < 1e-9})
    fine = refined(named, 2)
    assert np.allclose(fine.points[fine.groups["left"], 0], 0.0)
    left = np.zeros(len(fine), dtype=bool)
    left[fine.groups["left"]] = True
    assert np.array_equal(left, np.abs(fine.points[:, 0]) < 1e-9)
    with pytest.raises(pl.MeshError, match="linear"):
        refined(pl.meshes.rectangle((2, 1), (2, 1), kind="tri6"))
