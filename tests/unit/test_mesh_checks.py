"""Every refusal with its indices, and every repair with what it says it did."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

from pliant.mesh import Mesh, MeshError, generators as meshes

SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=float)
TWO = {"tri": [[0, 1, 2], [0, 2, 3]]}
FIX = r"pl\.Mesh\(points, cells, repair=True\)"


def refused(points, cells, match, /, **indices):
    """The mesh is refused with this message and these offenders."""
    with pytest.raises(MeshError, match=match) as caught:
        Mesh(points, cells)
    assert {k: v.tolist() for k, v in caught.value.indices.items()} == indices
    return str(caught.value)


def test_a_sound_mesh_is_kept_as_given():
    mesh = Mesh(SQUARE, TWO, groups={"left": SQUARE[:, 0] < 0.5, "top": [3, 2]})
    assert len(mesh) == 4 and mesh.dim == 2 and mesh.cell_dim == 2
    assert mesh.repairs == () and mesh.kept.tolist() == [0, 1, 2, 3]
    assert mesh.groups["left"].tolist() == [0, 3] and mesh.groups["top"].tolist() == [2, 3]
    assert mesh.volume == 1.0 and mesh.measures["tri3"].tolist() == [0.5, 0.5]


def test_points_that_are_not_finite():
    points = SQUARE.copy()
    points[1, 0], points[3, 1] = np.nan, np.inf
    refused(points, TWO, "2 of 4 points are not finite: points 1, 3", points=[1, 3])
    with pytest.raises(MeshError, match="not finite"):
        Mesh(points, TWO, repair=True)


def test_index_out_of_range():
    cells = {"tri": [[0, 1, 2], [0, 2, 4], [-1, 2, 3]]}
    refused(SQUARE, cells, "indices run from -1 to 4, expected 0 to 3", tri3=[1, 2])
    with pytest.raises(MeshError, match="out of range"):
        Mesh(SQUARE, cells, repair=True)
    with pytest.raises(MeshError, match="counted from 1\\? pass array - 1"):
        Mesh(SQUARE, {"tri": [[1, 2, 3], [1, 3, 4]]})


def test_duplicate_points_are_refused_then_merged():
    points = np.concatenate([SQUARE, SQUARE[[0, 2]] + 1e-14])
    cells = {"tri": [[0, 1, 2], [4, 5, 3]]}
    message = "points 4, 5 repeat points 0, 2.*" + FIX + " merges"
    refused(points, cells, message, points=[4, 5])
    mesh = Mesh(points, cells, groups={"diagonal": [4, 5], "top": [3, 2]}, repair=True)
    assert mesh.cells["tri3"].tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.kept.tolist() == [0, 1, 2, 3]
    assert mesh.groups["diagonal"].tolist() == [0, 2]
    assert mesh.repairs == ("merged 2 duplicate points: points 4, 5 repeat points 0, 2",)
    assert mesh.components.max() == 0


def test_many_points_in_one_place_cost_no_quadratic_time():
    # 5000 triangles all with one corner of their own at the origin: 12 million pairs if paired.
    count = 5000
    angle = np.linspace(0, np.pi, count + 1)
    rim = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = np.concatenate([rim, np.zeros((count, 2))])
    i = np.arange(count)
    mesh = Mesh(points, {"tri": np.stack([i, i + 1, count + 1 + i], axis=1)}, repair=True)
    assert len(mesh) == count + 2
    assert mesh.volume == pytest.approx(np.pi / 2, rel=1e-6)


def test_close_points_of_a_fine_mesh_are_not_duplicates():
    small = 1e-9 * SQUARE
    mesh = Mesh(np.concatenate([small, SQUARE + 2]), {"quad": [[0, 1, 2, 3], [4, 5, 6, 7]]})
    assert mesh.quality().components == 2


def test_size_and_place_do_not_matter():
    for scale, shift in ((1e-6, 0.0), (1e6, 0.0), (1.0, 1e6), (1e-3, 1e3)):
        mesh = meshes.box(cells=(2, 2, 2))
        moved = Mesh(scale * mesh.points + shift, mesh.cells)
        assert moved.volume == pytest.approx(scale**3, rel=1e-6)


def test_degenerate_cells_are_refused_then_dropped():
    points = np.concatenate([SQUARE, [[0.5, 0.0]]])
    cells = {"tri": [[0, 4, 2], [0, 4, 1], [0, 2, 3], [1, 1, 2], [4, 1, 2]]}
    message = r"2 of 5 cells are degenerate.*tri3 cells 1, 3.*" + FIX + " drops them"
    refused(points, cells, message, tri3=[1, 3])
    mesh = Mesh(points, cells, repair=True)
    assert mesh.cells["tri3"].tolist() == [[0, 4, 2], [0, 2, 3], [4, 1, 2]]
    assert mesh.repairs == ("dropped degenerate tri3 cells 1, 3",)
    assert mesh.volume == pytest.approx(1.0)


def test_repeated_cells_are_refused_then_dropped():
    cells = {"tri": [[0, 1, 2], [0, 2, 3], [2, 0, 1], [0, 2, 3]]}
    message = r"2 of 4 cells have the points of another cell: tri3 cells 2, 3.*" + FIX
    refused(SQUARE, cells, message, tri3=[2, 3])
    mesh = Mesh(SQUARE, cells, repair=True)
    assert mesh.cells["tri3"].tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.repairs == ("dropped repeated tri3 cells 2, 3",)


def test_the_two_sides_of_a_sheet_are_one_cell():
    flat = np.insert(SQUARE, 2, 0.0, axis=1)
    refused(flat, {"tri": [[0, 1, 2], [0, 2, 3], [2, 1, 0]]}, "1 of 3 cells have", tri3=[2])


def test_points_left_by_dropped_cells_go_too():
    points = np.concatenate([SQUARE, [[2.0, 0.0], [3.0, 0.0]]])
    mesh = Mesh(points, {"tri": [[0, 1, 2], [0, 2, 3], [1, 4, 5]]}, repair=True)
    assert len(mesh) == 4
    assert mesh.repairs[1] == "dropped points left without a cell: points 4, 5"


def test_all_degenerate_cannot_be_repaired():
    with pytest.raises(MeshError, match="every cell is degenerate"):
        Mesh([[0, 0], [1, 0], [2, 0]], {"tri": [[0, 1, 2]]}, repair=True)


def test_how_flat_is_degenerate():
    # area / (longest edge)^2 = height / 2, against the limit of 1e-10
    assert Mesh([[0, 0], [1, 0], [0.5, 1e-9]], {"tri": [[0, 1, 2]]}).volume == 0.5e-9
    with pytest.raises(MeshError, match="degenerate"):
        Mesh([[0, 0], [1, 0], [0.5, 1e-10]], {"tri": [[0, 1, 2]]})


@pytest.mark.parametrize("far", [0.0, 1e4])
def test_a_flat_tetrahedron_is_degenerate_wherever_it_lies(far):
    rng = np.random.default_rng(0)
    flat = rng.standard_normal((4, 2)) @ rng.standard_normal((2, 3)) + far
    with pytest.raises(MeshError, match="degenerate"):
        Mesh(flat, {"tet": [[0, 1, 2, 3]]})


@pytest.mark.parametrize(
    "mesh",
    [
        meshes.rectangle(cells=(3, 3)),
        meshes.rectangle(cells=(3, 3), kind="quad"),
        meshes.box(cells=(2, 2, 2)),
        meshes.box(cells=(2, 2, 2), kind="hex"),
    ],
    ids=lambda mesh: next(iter(mesh.cells)),
)
def test_inverted_cells_are_refused_then_reordered(mesh):
    ((kind, nodes),) = mesh.cells.items()
    turned = nodes.copy()
    turned[2:5] = turned[2:5, ::-1] if kind != "tet4" else turned[2:5][:, [1, 0, 2, 3]]
    if kind == "hex8":  # reversing all eight corners turns the cell around; swap top and bottom
        turned[2:5] = nodes[2:5][:, [4, 5, 6, 7, 0, 1, 2, 3]]
    message = f"3 of {len(nodes)} cells are inverted.*cells 2, 3, 4; .*{FIX} reorders"
    refused(mesh.points, {kind: turned}, message, **{kind: [2, 3, 4]})
    repaired = Mesh(mesh.points, {kind: turned}, repair=True)
    assert repaired.repairs == (f"reordered inverted {kind} cells 2, 3, 4",)
    np.testing.assert_allclose(repaired.measures[kind], mesh.measures[kind])
    assert (repaired.points == mesh.points).all()


def test_a_long_list_shows_ten_and_the_count():
    mesh = meshes.rectangle(cells=(5, 5))
    message = refused(
        mesh.points, {"tri": mesh.cells["tri3"][:, ::-1]}, "50 of 50", tri3=list(range(50))
    )
    assert "cells 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... (50 in all)" in message


def test_folded_quads_are_refused_and_never_repaired():
    points = [[0, 0], [1, 0], [0.2, 0.2], [0, 1]]  # an arrowhead: area positive, corner 2 inward
    refused(points, {"quad": [[0, 1, 2, 3]]}, "fold over at a corner: quad4 cells 0", quad4=[0])
    with pytest.raises(MeshError, match="cannot choose"):
        Mesh(points, {"quad": [[0, 1, 2, 3]]}, repair=True)


def test_unreferenced_points_are_refused_then_dropped():
    points = np.concatenate([[[9.0, 9.0]], SQUARE, SQUARE[:1]])  # the last also repeats point 1
    cells = {"tri": [[1, 2, 3], [1, 3, 4]]}
    refused(points, cells, "2 of 6 points belong to no cell: points 0, 5.*" + FIX, points=[0, 5])
    mesh = Mesh(points, cells, groups={"some": [0, 2]}, repair=True)
    assert mesh.kept.tolist() == [1, 2, 3, 4]
    assert mesh.groups["some"].tolist() == [1]
    np.testing.assert_array_equal(mesh.points, points[mesh.kept])
    assert mesh.repairs == ("dropped 2 points of no cell: points 0, 5",)


def test_everything_wrong_at_once_is_repaired():
    points = np.concatenate([SQUARE, SQUARE[:1], [[5.0, 5.0]]])
    cells = {"tri": [[0, 2, 1], [4, 2, 3], [0, 4, 3]]}
    mesh = Mesh(points, cells, repair=True)
    assert [s.split()[0] for s in mesh.repairs] == ["merged", "dropped", "reordered", "dropped"]
    assert mesh.volume == pytest.approx(1.0) and len(mesh) == 4


@pytest.mark.parametrize(
    ("points", "cells", "message"),
    [
        (SQUARE.T, TWO, r"shape \(2, 4\).*points\.T"),
        (np.zeros(3), TWO, r"shape \(3,\)"),
        ([["a", "b"]], TWO, "not numbers"),
        (SQUARE, {}, "no cells"),
        (SQUARE, {"tri": np.empty((0, 3), int)}, "no cells"),
        (SQUARE, [[0, 1, 2]], 'cells are a list.*{"tet": array}'),
        (SQUARE, {"tri": [[0, 1, 2, 3]]}, r"shape \(1, 4\); expected \(cells, 3\)"),
        (SQUARE, {"tri": [[0.0, 1.0, 2.0]]}, r"float64.*astype\(int\)"),
        (SQUARE, {"tet": [[0, 1, 2, 3]]}, r"tet4 cells need points of shape \(n, 3\)"),
    ],
)
def test_arguments_of_the_wrong_form(points, cells, message):
    with pytest.raises(MeshError, match=message):
        Mesh(points, cells)


@pytest.mark.parametrize(
    ("group", "message"), [([4], "out of range: 4"), ([True], "mask of shape"), ([[0]], "shape")]
)
def test_groups_of_the_wrong_form(group, message):
    with pytest.raises(MeshError, match=message):
        Mesh(SQUARE, TWO, groups={"a": group})


def test_surfaces_and_lines_have_no_orientation():
    points = np.column_stack([SQUARE, [0.0, 0.3, 0.0, 0.3]])
    for cells in ({"tri": [[0, 1, 2], [0, 3, 2]]}, {"line": [[0, 1], [2, 1], [2, 3]]}):
        mesh = Mesh(points, cells)
        assert all((m > 0).all() for m in mesh.measures.values())
    assert mesh.volume == pytest.approx(3 * np.sqrt(1.09))
    assert mesh.boundary["vertex"].ravel().tolist() == [0, 3]
    assert Mesh(SQUARE, {"line": [[1, 0], [1, 2], [2, 3]]}).volume == 3.0


def test_delaunay_meshes_are_accepted_once_their_slivers_are_dropped():
    rng = np.random.default_rng(3)
    points = rng.random((200, 3))
    hull = Delaunay(points)
    mesh = Mesh(points, {"tet": hull.simplices}, repair=True)  # Delaunay orders either way
    faces = points[hull.convex_hull]
    heights = np.abs(np.linalg.det(faces - 0.5))  # cones from a point inside
    assert mesh.volume == pytest.approx(heights.sum() / 6, rel=1e-9)
    # A regular grid is cospherical everywhere: its Delaunay tetrahedra include flat ones.
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    mesh = Mesh(grid, {"tet": Delaunay(grid).simplices}, repair=True)
    assert mesh.volume == pytest.approx(27.0)
    assert mesh.quality().worst > 0.1
