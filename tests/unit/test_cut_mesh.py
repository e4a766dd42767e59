"""Meshes of simplices, cut along a surface."""

import numpy as np
import pytest

import pliant as pl
from pliant.mesh import MeshError, cut_mesh


class Plane:
    """A plane that ends at some distance from an axis of its own."""

    def __init__(self, point, normal, until=None):
        self.point, self.normal = np.asarray(point, float), np.asarray(normal, float)
        self.normal /= np.linalg.norm(self.normal)
        self.until = until

    def heights(self, x):
        beyond = np.zeros(len(x))
        if self.until is not None:
            beyond = np.maximum(x[:, 1] - self.until, 0.0)
        return (x - self.point) @ self.normal, beyond


LINE = pl.Mesh(
    np.c_[np.linspace(0, 2, 11), np.zeros(11)], {"line": [[i, i + 1] for i in range(10)]}
)
CUTS = [
    (pl.meshes.box((2, 1, 1), (6, 3, 3)), Plane((0.93, 0.5, 0.5), (1, 0.3, 0.2))),
    (pl.meshes.rectangle((2, 1), (10, 5)), Plane((0.97, 0.5), (1, 0.25))),
    (LINE, Plane((0.93, 0), (1, 0.2))),
]


@pytest.mark.parametrize("mesh, plane", CUTS)
def test_no_matter_is_lost(mesh, plane):
    """Pieces fill their cells, halves are apart, and all that was outside still is."""
    change = cut_mesh(mesh, plane)

    new = change.mesh
    assert new.volume == pytest.approx(mesh.volume, rel=1e-14)
    assert new.components.max() == 1
    ((kind, sizes),) = new.measures.items()
    own = np.bincount(change.cells, sizes, len(mesh.measures[kind]))
    assert own == pytest.approx(mesh.measures[kind], rel=1e-13)
    assert (sizes > 0).all()
    assert (new.points[: len(mesh)] == mesh.points).all()  # points keep their numbers
    assert new.quality().worst >= 0.1


@pytest.mark.parametrize("mesh, plane", CUTS)
def test_halves_are_on_both_sides(mesh, plane):
    """No point of a half is farther across the plane than snapping takes it."""
    change = cut_mesh(mesh, plane)

    longest = mesh.quality().edge_max
    for part in range(2):
        own = plane.heights(change.mesh.points[change.mesh.components == part])[0]
        assert min(own.max(), -own.min()) < 0.3 * longest  # as far as a cut is bent at most here
        assert max(own.max(), -own.min()) > 0.5


def test_cut_through_points_splits_no_cell():
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))

    change = cut_mesh(mesh, Plane((1, 0, 0), (1, 0, 0)))

    assert (np.sort(change.cells) == np.arange(len(mesh.cells["tet4"]))).all()
    assert len(change.mesh) == len(mesh) + 9  # the points of the middle, twice
    assert (np.diff(change.points.indptr) == 1).all()


@pytest.mark.parametrize("mesh, plane", CUTS)
def test_blade_takes_matter_away(mesh, plane):
    """A blade of a width takes that width, but for points that it goes through."""
    change = cut_mesh(mesh, plane, width=1e-3)

    across = mesh.volume - change.mesh.volume
    assert 0.5e-3 < across < 1.5e-3  # 1e-3 times an area of one and the slope of the plane
    gap = change.mesh.points[change.mesh.components == 0]
    other = change.mesh.points[change.mesh.components == 1]
    nearest = np.linalg.norm(gap[:, None] - other[None], axis=2).min()
    assert 0.5e-3 < nearest < 2e-3


def test_cut_ends_inside():
    """A cut to half of the height leaves one piece, with a slit that opens no face beyond its end."""
    mesh = pl.meshes.rectangle((2, 1), (10, 10))

    change = cut_mesh(mesh, Plane((0.97, 0), (1, 0.1), until=0.5))

    new = change.mesh
    assert new.components.max() == 0
    assert new.volume == pytest.approx(mesh.volume, rel=1e-14)
    places, copies = np.unique(new.points.round(12), axis=0, return_counts=True)
    assert 8 <= (copies == 2).sum() <= 11  # two for each of the five cells on the way
    assert places[copies == 2][:, 1].max() < 0.5


def test_groups_go_along():
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))
    low = mesh.points[:, 1] < 1e-9
    named = pl.Mesh(mesh.points, mesh.cells, groups={"low": low})

    new = cut_mesh(named, Plane((0.9, 0.5, 0.5), (1, 0.2, 0.1)), width=1e-3).mesh

    on = np.zeros(len(new), dtype=bool)
    on[new.groups["low"]] = True
    assert on.sum() > low.sum()
    # A blade draws points back by half of its width at most.
    assert (on == (new.points[:, 1] < 6e-4)).all()


def test_what_is_missed_is_refused():
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))
    with pytest.raises(MeshError, match="parts nothing"):
        cut_mesh(mesh, Plane((3, 0, 0), (1, 0, 0)))
    with pytest.raises(MeshError, match='kind="tet"'):
        cut_mesh(pl.meshes.box((2, 1, 1), (4, 2, 2), kind="hex"), Plane((1, 0, 0), (1, 0, 0)))
