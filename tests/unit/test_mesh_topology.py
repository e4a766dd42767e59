"""Boundary, edges and components, on every generator and on mixed kinds."""

import copy
import pickle

import numpy as np
import pytest
from scipy.spatial import Delaunay

from pliant.mesh import Mesh, generators as meshes
from pliant.mesh.topology import pieces, row_labels


def delaunay():
    points = np.random.default_rng(5).random((60, 3))
    return Mesh(points, {"tet": Delaunay(points).simplices}, repair=True)


def mixed_plane():
    """Two quads and, to their right, two triangles."""
    points = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [3, 0], [3, 1]]
    return Mesh(points, {"quad": [[0, 1, 4, 3], [1, 2, 5, 4]], "tri": [[2, 6, 7], [2, 7, 5]]})


# mesh, Euler characteristic of the whole, of its boundary
CASES = {
    "rectangle": (lambda: meshes.rectangle((2, 1), (5, 4)), 1, 0),
    "quads": (lambda: meshes.rectangle((2, 1), (5, 4), kind="quad"), 1, 0),
    "trapezoid": (meshes.trapezoid, 1, 0),
    "annulus": (meshes.annulus, 0, 0),
    "disk": (meshes.disk, 1, 0),
    "mixed plane": (mixed_plane, 1, 0),
    "box": (lambda: meshes.box((3, 1, 2), (3, 2, 5)), 1, 2),
    "hexes": (lambda: meshes.box((3, 1, 2), (3, 2, 5), kind="hex"), 1, 2),
    "cylinder": (meshes.cylinder, 1, 2),
    "sphere": (lambda: meshes.sphere(1.0, 4), 1, 2),
    "delaunay": (delaunay, 1, 2),
}


def enclosed(mesh):
    """Volume inside the outward boundary, by the divergence theorem: 1/d sum of x . n."""
    total = 0.0
    for kind, facets in mesh.boundary.items():
        x = mesh.points[facets]
        if kind == "line2":
            total += np.linalg.det(x).sum() / 2
        elif kind == "tri3":
            total += np.linalg.det(x).sum() / 6
        else:  # a bilinear face counts as the mean of its two triangulations
            total += sum(np.linalg.det(np.roll(x, -k, 1)[:, :3]).sum() for k in range(4)) / 12
    return total


def faces_of_tets(mesh):
    return np.concatenate([mesh.cells["tet4"][:, np.delete(range(4), k)] for k in range(4)])


@pytest.mark.parametrize("name", CASES)
def test_outward_boundary_encloses_the_volume(name):
    mesh = CASES[name][0]()
    assert enclosed(mesh) == pytest.approx(mesh.volume, rel=1e-12)
    assert mesh.volume > 0


@pytest.mark.parametrize("name", CASES)
def test_boundary_is_closed_and_has_its_euler_characteristic(name):
    mesh, _, expected = CASES[name][0](), *CASES[name][1:]
    if mesh.dim == 2:
        a, b = mesh.boundary["line2"].T
        assert np.array_equal(np.sort(a), np.sort(b))  # every point entered as often as left
        assert len(mesh.boundary_points) - len(a) == expected
        return
    half = []
    for facets in mesh.boundary.values():
        half.append(np.stack([facets, np.roll(facets, -1, axis=1)], axis=-1).reshape(-1, 2))
    half = np.concatenate(half)
    # Every edge is walked once in each direction: closed and consistently oriented.
    assert {tuple(e) for e in half} == {tuple(e[::-1]) for e in half}
    assert len({tuple(e) for e in half}) == len(half)
    count = sum(len(facets) for facets in mesh.boundary.values())
    assert len(mesh.boundary_points) - len(half) // 2 + count == expected


@pytest.mark.parametrize("name", [n for n in CASES if n != "hexes"])
def test_euler_characteristic_of_the_whole(name):
    mesh, expected = CASES[name][0](), CASES[name][1]
    count = len(mesh) - len(mesh.edges)
    if mesh.dim == 2:
        count += sum(len(nodes) for nodes in mesh.cells.values())
    else:
        faces = np.sort(faces_of_tets(mesh), axis=1)
        count += len(np.unique(faces, axis=0)) - len(mesh.cells["tet4"])
    assert count == expected


def test_edges_of_two_triangles():
    mesh = Mesh([[0, 0], [1, 0], [1, 1], [0, 1]], {"tri": [[0, 1, 2], [0, 2, 3]]})
    assert mesh.edges.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]
    assert mesh.boundary["line2"].tolist() == [[0, 1], [1, 2], [2, 3], [3, 0]]


def test_tets_on_a_hex_match_by_their_kinds_of_facet():
    # A pyramid of two tetrahedra on the top of a hex: triangles never match a quad face.
    cube = meshes.box(cells=(1, 1, 1), kind="hex")
    points = np.concatenate([cube.points, [[0.5, 0.5, 2.0]]])
    a, b, c, d = cube.cells["hex8"][0, 4:]
    mesh = Mesh(points, {"hex": cube.cells["hex8"], "tet": [[a, b, c, 8], [a, c, d, 8]]})
    assert mesh.volume == pytest.approx(1 + 1 / 3)
    assert {k: len(v) for k, v in mesh.boundary.items()} == {"quad4": 6, "tri3": 6}
    assert enclosed(mesh) == pytest.approx(mesh.volume)
    assert mesh.components.tolist() == [0] * 9


def test_quadratic_cells_share_facets_by_corners():
    # Two tri6 on a square and a linear triangle beside them.
    points = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [4, 0]]
    cells = {"tri6": [[0, 1, 2, 4, 5, 6], [0, 2, 3, 6, 7, 8]], "tri3": [[1, 9, 2]]}
    mesh = Mesh(points, cells)
    assert {k: len(v) for k, v in mesh.boundary.items()} == {"line3": 3, "line2": 2}
    assert mesh.boundary_points.tolist() == [0, 1, 2, 3, 4, 7, 8, 9]
    assert mesh.volume == 6.0


def test_only_the_highest_cells_count_for_boundary_and_volume():
    box = meshes.box(cells=(2, 2, 2))
    cells = {"tet": box.cells["tet4"], "tri": box.boundary["tri3"], "line": box.edges}
    mesh = Mesh(box.points, cells)
    assert mesh.cell_dim == 3 and mesh.volume == pytest.approx(1.0)
    np.testing.assert_array_equal(mesh.boundary["tri3"], box.boundary["tri3"])
    assert mesh.measures["tri3"].sum() == pytest.approx(6.0)


def test_a_closed_surface_has_no_boundary():
    ball = meshes.sphere(1.0, 3)
    index = np.full(len(ball), -1)
    index[ball.boundary_points] = np.arange(len(ball.boundary_points))
    shell = Mesh(ball.points[ball.boundary_points], {"tri": index[ball.boundary["tri3"]]})
    assert dict(shell.boundary) == {} and shell.boundary_points.tolist() == []
    assert shell.volume == pytest.approx(4 * np.pi, rel=0.06) and shell.cell_dim == 2


def test_components_are_cells_that_share_a_point():
    a = meshes.rectangle(cells=(2, 2))
    shifted = [a.points + np.array(by) for by in ((0, 0), (1, 1), (5, 0))]
    cells = np.concatenate([a.cells["tri3"] + k * len(a) for k in range(3)])
    mesh = Mesh(np.concatenate(shifted), {"tri": cells}, repair=True)
    # The first two touch in one corner, which the repair merges; the third is alone.
    assert len(mesh) == 3 * len(a) - 1
    assert mesh.quality().components == 2
    assert mesh.components.tolist() == [0] * (2 * len(a) - 1) + [1] * len(a)


def test_row_labels_number_rows_in_order():
    rows = np.random.default_rng(0).integers(0, 4, (300, 3))
    expected = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    np.testing.assert_array_equal(row_labels(rows), expected)


def test_a_mesh_never_changes():
    given = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    mesh = Mesh(given, {"tri": [[0, 1, 2]]}, groups={"a": [0]})
    given[0] = 7.0
    assert mesh.points[0].tolist() == [0.0, 0.0]
    arrays = [mesh.points, mesh.cells["tri3"], mesh.groups["a"], mesh.edges, mesh.kept]
    arrays += [mesh.boundary["line2"], mesh.boundary_points, mesh.components]
    for array in [*arrays, mesh.measures["tri3"]]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError):
        mesh.cells["tri3"] = None
    with pytest.raises(AttributeError, match="never changes"):
        mesh.points = given
    assert mesh.boundary is mesh.boundary


@pytest.mark.parametrize("again", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_mesh_travels_between_processes(again):
    mesh = Mesh([[0, 0], [1, 0], [0, 1], [9, 9]], {"tri": [[0, 2, 1]]}, repair=True)
    other = again(mesh)
    assert (other.points == mesh.points).all() and other.repairs == mesh.repairs
    assert other.cells["tri3"].tolist() == mesh.cells["tri3"].tolist()
    assert not other.points.flags.writeable


def test_pieces_hang_together_by_facets():
    whole = meshes.box(size=(2, 1, 1), cells=(4, 2, 2))
    assert (pieces("tet4", whole.cells["tet4"]) == 0).all()
    middle = whole.points[whole.cells["tet4"]].mean(axis=1)
    # Two corners of the box that meet in the line x = 1, y = 0.5 only.
    diagonal = (middle[:, 0] < 1) == (middle[:, 1] < 0.5)
    assert pieces("tet4", whole.cells["tet4"][diagonal]).max() == 1
    hexes = meshes.box(size=(2, 1, 1), cells=(2, 2, 1), kind="hex").cells["hex8"]
    assert list(pieces("hex8", hexes[[0, 3]])) == [0, 1] and not pieces("hex8", hexes).any()
