"""Generated meshes: counts, analytic volumes and their convergence, symmetry, shape quality."""

import numpy as np
import pytest

from pliant.mesh import generators as meshes


def same_mirrored(mesh, axis):
    """Whether reflecting the mesh in the middle of an axis maps cells onto cells."""
    ((_, cells),) = mesh.cells.items()
    x = mesh.points
    mirrored = x.copy()
    mirrored[:, axis] = x[:, axis].min() + x[:, axis].max() - x[:, axis]
    place = {tuple(p): i for i, p in enumerate(np.round(x, 9) + 0.0)}
    index = np.array([place[tuple(p)] for p in np.round(mirrored, 9) + 0.0])
    return {frozenset(c) for c in cells.tolist()} == {frozenset(c) for c in index[cells].tolist()}


def test_rectangle():
    mesh = meshes.rectangle((4, 1), (16, 4), origin=(1, -1))
    assert (len(mesh), len(mesh.cells["tri3"])) == (17 * 5, 2 * 64)
    assert mesh.points.min(axis=0).tolist() == [1, -1]
    assert mesh.points.max(axis=0).tolist() == [5, 0]
    assert mesh.points[1].tolist() == [1.25, -1]  # x runs fastest
    assert mesh.volume == pytest.approx(4.0)
    assert same_mirrored(mesh, 0) and same_mirrored(mesh, 1)
    assert not same_mirrored(meshes.rectangle(cells=(3, 4)), 0)
    assert mesh.quality().worst == pytest.approx(np.sqrt(3) / 2)  # right isosceles
    quads = meshes.rectangle((4, 1), (16, 4), kind="quad")
    assert len(quads.cells["quad4"]) == 64 and quads.quality().worst == pytest.approx(1.0)


def test_trapezoid_is_the_first_example():
    mesh = meshes.trapezoid()
    assert (len(mesh), len(mesh.cells["tri3"])) == (12, 12)
    rows, counts = np.unique(np.round(mesh.points[:, 1], 9), return_counts=True)
    assert counts.tolist() == [5, 4, 3]
    np.testing.assert_allclose(rows, np.sqrt(3) / 2 * np.arange(3), atol=1e-9)
    quality = mesh.quality()
    assert quality.worst == pytest.approx(1.0) and quality.edge_max == pytest.approx(1.0)
    assert mesh.volume == pytest.approx(12 * np.sqrt(3) / 4)
    assert same_mirrored(mesh, 0)
    assert len(meshes.trapezoid(3, 3, 0.5).cells["tri3"]) == 9


def test_annulus_is_the_second_example():
    mesh = meshes.annulus()
    assert (len(mesh), len(mesh.cells["tri3"])) == (276, 414)
    radius = np.linalg.norm(mesh.points, axis=1)
    assert (radius.min(), radius.max()) == (pytest.approx(5.0), pytest.approx(8.0))
    quality = mesh.quality()
    assert quality.edge_mean == pytest.approx(0.863, abs=1e-3)
    assert quality.worst > 0.67 and quality.mean > 0.8
    # Between two regular polygons of 69 sides the area is exact, staggered or not.
    polygon = 69 / 2 * np.sin(2 * np.pi / 69)
    assert mesh.volume == pytest.approx(polygon * (64 - 25))


def test_annulus_of_fitting_counts_is_near_equilateral():
    mesh = meshes.annulus(5, 8, (41, 4))
    assert mesh.quality().mean > 0.95


@pytest.mark.parametrize("across", [1, 2, 5])
def test_annulus_of_any_number_of_rows(across):
    mesh = meshes.annulus(1, 2, (32, across))
    assert len(mesh.cells["tri3"]) == 64 * across
    assert len(mesh.boundary["line2"]) == 64


def test_box():
    mesh = meshes.box(size=(4, 1, 2), cells=(6, 2, 4), origin=(0, 0, 1))
    assert (len(mesh), len(mesh.cells["tet4"])) == (7 * 3 * 5, 6 * 48)
    assert mesh.volume == pytest.approx(8.0)
    assert mesh.points.min(axis=0).tolist() == [0, 0, 1]
    assert mesh.points.max(axis=0).tolist() == [4, 1, 3]
    assert all(same_mirrored(mesh, axis) for axis in range(3))
    assert len(mesh.boundary["tri3"]) == 2 * 2 * (6 * 2 + 2 * 4 + 6 * 4)
    cube = meshes.box(cells=(3, 3, 3))
    assert cube.quality().worst == pytest.approx(12 * 0.5 ** (2 / 3) / 10)  # Kuhn tetrahedron
    hexes = meshes.box(size=(4, 1, 2), cells=(4, 1, 2), kind="hex")
    np.testing.assert_allclose(hexes.measures["hex8"], 1.0)
    assert hexes.quality().worst == pytest.approx(1.0)


def test_disk_cylinder_and_sphere_counts_and_quality():
    disk = meshes.disk(2.0, 5)
    assert (len(disk), len(disk.cells["tri3"])) == (91, 150)
    assert meshes.disk(1.0, 30).quality().worst > 0.86
    rod = meshes.cylinder(0.5, 3.0, (3, 6))
    assert len(rod.cells["tet4"]) == 3 * 54 * 6
    assert rod.points[:, 2].min() == 0 and rod.points[:, 2].max() == pytest.approx(3.0)
    assert same_mirrored(rod, 2)
    assert meshes.cylinder(1.0, 2.0, (6, 12)).quality().worst > 0.69
    ball = meshes.sphere(1.0, 4)
    assert len(ball.cells["tet4"]) == 20 * 4**3
    assert len(ball.boundary["tri3"]) == 20 * 4**2
    np.testing.assert_allclose(np.linalg.norm(ball.points[ball.boundary_points], axis=1), 1.0)


def test_sphere_quality_does_not_decay_with_refinement():
    assert min(meshes.sphere(1.0, n).quality().worst for n in (1, 2, 5, 9)) > 0.66


def test_sphere_surface_is_evenly_divided():
    ball = meshes.sphere(1.0, 9)
    a, b, c = np.moveaxis(ball.points[ball.boundary["tri3"]], 1, 0)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    assert areas.min() > 0.8 * areas.max()  # 0.57 without the even spacing along great circles


@pytest.mark.parametrize(
    ("make", "exact"),
    [
        (lambda n: meshes.disk(2.0, n), 4 * np.pi),
        (lambda n: meshes.annulus(1.0, 2.0, (6 * n, n // 2)), 3 * np.pi),
        (lambda n: meshes.cylinder(2.0, 3.0, (n, 2)), 12 * np.pi),
        (lambda n: meshes.sphere(2.0, n), 32 / 3 * np.pi),
    ],
    ids=["disk", "annulus", "cylinder", "sphere"],
)
def test_volume_converges_at_second_order_from_below(make, exact):
    errors = np.array([exact - make(n).volume for n in (4, 8, 12)])
    assert (errors > 0).all()
    order = np.polyfit(np.log([4, 8, 12]), np.log(errors), 1)[0]
    assert order == pytest.approx(-2.0, abs=0.05)


def test_the_smallest_meshes():
    assert len(meshes.rectangle(cells=(1, 1)).cells["tri3"]) == 2
    assert len(meshes.trapezoid(1, 1).cells["tri3"]) == 1
    assert len(meshes.disk(1.0, 1).cells["tri3"]) == 6
    assert len(meshes.box(cells=(1, 1, 1)).cells["tet4"]) == 6
    assert len(meshes.cylinder(1.0, 1.0, (1, 1)).cells["tet4"]) == 18
    assert len(meshes.sphere(1.0, 1).cells["tet4"]) == 20


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: meshes.rectangle((-1, 1)), "width is -1; expected a length above 0"),
        (lambda: meshes.rectangle((1, 1), (0, 3)), "nx is 0; expected a whole number from 1"),
        (lambda: meshes.rectangle((1, 1), (2.5, 3)), "nx is 2.5"),
        (lambda: meshes.rectangle((1, 1, 1)), "expected 2 numbers, as in pl.meshes.rectangle"),
        (lambda: meshes.rectangle(kind="tet"), "kind is 'tet'; expected one of tri, quad"),
        (lambda: meshes.rectangle(origin=(0, np.nan)), "not finite"),
        (lambda: meshes.trapezoid(2, 3), "rows is 3 on a bottom of 2 edges"),
        (lambda: meshes.trapezoid(edge=np.inf), "edge is inf"),
        (lambda: meshes.annulus(8, 5), "expected inner < outer"),
        (lambda: meshes.annulus(1, 2, (2, 1)), "around is 2; expected at least 3"),
        (lambda: meshes.annulus(1, 2, (4, 6)), "would cut the ring below"),
        (lambda: meshes.disk(0.0), "radius is 0.0"),
        (lambda: meshes.disk(1.0, 0), "rings is 0"),
        (lambda: meshes.box(4), "size is 4; expected 3 numbers"),
        (lambda: meshes.box((1, 1, "a")), "depth is .*'a'"),
        (lambda: meshes.box(cells=(1, 1, -2)), "nz is -2"),
        (lambda: meshes.box(kind="tri"), "expected one of tet, hex"),
        (lambda: meshes.cylinder(1.0, -1.0), "height is -1.0"),
        (lambda: meshes.sphere(1.0, 0), "cells is 0"),
        (lambda: meshes.sphere(None), "radius is None"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_count_an_annulus_asks_for_is_enough():
    with pytest.raises(ValueError, match=r"cells=\(\d+, 6\)") as caught:
        meshes.annulus(1, 2, (4, 6))
    around = int(str(caught.value).split("cells=(")[1].split(",")[0])
    assert meshes.annulus(1, 2, (around, 6)).quality().worst > 0
