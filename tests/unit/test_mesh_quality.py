"""Shape quality against known shapes, and the report."""

import dataclasses

import numpy as np
import pytest

from pliant.mesh import Mesh, MeshQuality, generators as meshes

REGULAR_TET = [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]


def worst(points, kind):
    return Mesh(points, {kind: [range(len(points))]}).quality().worst


def test_regular_cells_have_quality_one():
    assert worst(REGULAR_TET, "tet") == pytest.approx(1.0)
    assert worst([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]], "tri") == pytest.approx(1.0)
    assert worst([[0, 0, 0], [1, 0, 0], [0.5, 0, np.sqrt(0.75)]], "tri") == pytest.approx(1.0)
    assert worst([[0, 0], [1, 0], [1, 1], [0, 1]], "quad") == pytest.approx(1.0)
    assert worst([[0, 0], [3, 4]], "line") == 1.0


def test_quality_falls_in_proportion_to_flatness():
    # A triangle of base 1 and height h << 1 above the middle: 4 sqrt(3) (h/2) / (3/2).
    assert worst([[0, 0], [1, 0], [0.5, 1e-4]], "tri") == pytest.approx(4e-4 / np.sqrt(3), rel=1e-6)
    squeezed = np.array(REGULAR_TET) * [1, 1, 1e-2]
    assert 0 < worst(squeezed, "tet") < 0.1
    # A rectangle of sides 1 and r: 2 r / (1 + r^2) at every corner.
    assert worst([[0, 0], [1, 0], [1, 0.1], [0, 0.1]], "quad") == pytest.approx(0.2 / 1.01)


def test_quality_does_not_depend_on_size_or_place():
    points = np.random.default_rng(2).random((4, 3))
    points = points if np.linalg.det(points[1:] - points[0]) > 0 else points[[1, 0, 2, 3]]
    turn = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    assert worst(1e3 * points @ turn.T + 5, "tet") == pytest.approx(worst(points, "tet"))


def test_a_quad_is_as_good_as_its_worst_corner():
    points = [[0, 0], [1, 0], [0.55, 0.55], [0, 1]]
    straight = worst(points, "quad")
    assert 0 < straight < 0.25
    assert worst([[0, 0], [1, 0], [0.5, 0.5], [0, 1]], "quad") == pytest.approx(0.0, abs=1e-12)


def test_report():
    box = meshes.box((2, 1, 1), (2, 1, 1))
    points = box.points.copy()
    points[0] = [0.6, 0.2, 0.2]  # one corner pushed in
    mesh = Mesh(points, box.cells)
    report = mesh.quality()
    assert isinstance(report, MeshQuality)
    assert (report.points, report.cells, report.components) == (12, {"tet4": 12}, 1)
    assert report.edge_min <= report.edge_mean <= report.edge_max == pytest.approx(np.sqrt(3))
    kind, index = report.worst_cells[0]
    assert kind == "tet4" and 0 in mesh.cells["tet4"][index]
    assert len(report.worst_cells) == 10 and 0 < report.worst < report.mean < 1
    text = str(report)
    assert f"(tet4 cell {index})" in text
    assert "12 points, 12 tet4, volume" in text and "m^3, 1 component" in text
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.points = 3
    assert repr(mesh) == "<Mesh of 12 points in 3D, 12 tet4>"


def test_report_of_mixed_kinds_names_the_kind():
    points = [[0, 0], [1, 0], [1, 1], [0, 1], [1.05, 0.5]]
    mesh = Mesh(points, {"quad": [[0, 1, 2, 3]], "tri": [[1, 4, 2]]})
    report = mesh.quality()
    assert report.cells == {"quad4": 1, "tri3": 1}
    assert report.worst_cells == (("tri3", 0), ("quad4", 0))
    assert report.volume == pytest.approx(1.025)
    assert "area 1.025 m^2" in str(report)
