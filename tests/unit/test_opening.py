"""Meshes that are opened along faces."""

import numpy as np
import pytest

import pliant as pl
from pliant.mesh import MeshError, SharedFaces, face_areas, open_faces

MESHES = {
    "tri": lambda: pl.meshes.rectangle((3, 2), (3, 2)),
    "quad": lambda: pl.meshes.rectangle((3, 2), (3, 2), kind="quad"),
    "tet": lambda: pl.meshes.box((2, 2, 2), (2, 2, 2)),
    "hex": lambda: pl.meshes.box((3, 2, 2), (3, 2, 2), kind="hex"),
}
kinds = pytest.mark.parametrize("kind", MESHES)


def across(mesh, faces, x):
    """The faces all of whose corners are at x."""
    return (np.abs(mesh.points[faces.points(mesh)[:, 0], 0] - x) < 1e-9).all(axis=1)


@kinds
def test_shared_faces_are_those_of_two_cells(kind):
    mesh = MESHES[kind]()
    faces = SharedFaces.of(mesh)
    sides = faces.points(mesh)
    np.testing.assert_array_equal(sides[:, 0], sides[:, 1])
    assert (faces.cells[:, 0] != faces.cells[:, 1]).all()
    (cells,), (facets,) = mesh.cells.values(), mesh.boundary.values()
    per_cell = {"tri": 3, "quad": 4, "tet": 4, "hex": 6}[kind]
    assert 2 * len(faces) + len(facets) == per_cell * len(cells)


@kinds
def test_a_mesh_opened_everywhere_is_its_cells(kind):
    mesh = MESHES[kind]()
    faces = SharedFaces.of(mesh)
    change = open_faces(mesh, faces, np.ones(len(faces), dtype=bool))
    (cells,) = mesh.cells.values()
    assert len(change.mesh) == cells.size
    assert change.mesh.components.max() + 1 == len(cells)
    np.testing.assert_array_equal(change.carried(mesh.points), change.mesh.points)
    assert change.mesh.volume == pytest.approx(mesh.volume, rel=1e-14)


@kinds
def test_a_mesh_opened_across_is_two(kind):
    mesh = MESHES[kind]()
    faces = SharedFaces.of(mesh)
    opened = across(mesh, faces, 1.0)
    change = open_faces(mesh, faces, opened)
    line = np.abs(mesh.points[:, 0] - 1.0) < 1e-9
    assert len(change.mesh) == len(mesh) + line.sum()
    assert change.mesh.components.max() == 1
    np.testing.assert_array_equal(change.mesh.points[: len(mesh)], mesh.points)
    again = open_faces(change.mesh, faces, opened)
    assert len(again.mesh) == len(change.mesh)


def test_an_open_edge_inside_has_its_ends_in_common():
    mesh = pl.meshes.rectangle((4, 4), (4, 4))
    faces = SharedFaces.of(mesh)
    on_line = np.flatnonzero(across(mesh, faces, 2.0))
    middle = mesh.points[faces.points(mesh)[on_line, 0], 1].mean(axis=1)
    line = on_line[np.argsort(middle)]  # from the rim to the other
    opened = np.zeros(len(faces), dtype=bool)
    opened[line[1]] = True
    assert len(open_faces(mesh, faces, opened).mesh) == len(mesh)
    opened[line[2]] = True  # two in a row part at the point between them
    assert len(open_faces(mesh, faces, opened).mesh) == len(mesh) + 1
    from_the_rim = np.zeros(len(faces), dtype=bool)
    from_the_rim[line[0]] = True
    assert len(open_faces(mesh, faces, from_the_rim).mesh) == len(mesh) + 1


def test_opening_at_once_and_one_by_one_give_the_same():
    mesh = MESHES["tet"]()
    faces = SharedFaces.of(mesh)
    order = np.random.default_rng(0).permutation(len(faces))[:30]
    opened, now = np.zeros(len(faces), dtype=bool), None
    for one in order:
        opened[one] = True
        before = mesh if now is None else now.mesh
        step = open_faces(before, faces, opened)
        now = step if now is None else now.then(step)
    at_once = open_faces(mesh, faces, opened)
    assert len(now.mesh) == len(at_once.mesh) > len(mesh)
    np.testing.assert_array_equal(now.carried(mesh.points), now.mesh.points)
    corners = [m.mesh.cells["tet4"].ravel() for m in (now, at_once)]
    pairs = np.unique(np.stack(corners, axis=1), axis=0)
    assert len(pairs) == len(at_once.mesh)  # the same points, in another order


def test_groups_have_all_copies():
    mesh = pl.meshes.rectangle((2, 1), (2, 1), kind="quad")
    mesh = pl.Mesh(mesh.points, mesh.cells, groups={"middle": mesh.points[:, 0] == 1.0})
    faces = SharedFaces.of(mesh)
    opened = open_faces(mesh, faces, np.ones(len(faces), dtype=bool)).mesh
    assert len(opened.groups["middle"]) == 4
    np.testing.assert_array_equal(opened.points[opened.groups["middle"], 0], 1.0)


def test_areas():
    box = pl.meshes.box((2, 3, 5), (1, 1, 1), kind="hex")
    areas = face_areas(box.points, np.sort(box.boundary["quad4"], axis=1))
    np.testing.assert_allclose(np.sort(areas), [6, 6, 10, 10, 15, 15], rtol=1e-14)
    ball = pl.meshes.box((1, 1, 1), (1, 1, 1))
    assert face_areas(ball.points, ball.boundary["tri3"]).sum() == pytest.approx(6.0, rel=1e-14)


def test_meshes_that_cannot_open_are_refused():
    with pytest.raises(MeshError, match="linear cells of one kind"):
        SharedFaces.of(pl.Mesh([[0, 0], [1, 0]], {"line": [[0, 1]]}))
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]]
    book = pl.Mesh(points, {"tri": [[0, 1, 2], [0, 1, 3], [0, 1, 4]]})
    with pytest.raises(MeshError, match="has 3 cells"):
        SharedFaces.of(book)
