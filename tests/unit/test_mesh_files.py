"""Meshes through files, by way of meshio."""

import meshio
import numpy as np
import pytest

from pliant.mesh import Mesh, MeshError, generators as meshes

# A unit square of two triangles with its left edge named, its diagonal's middle point stray, and
# points numbered as gmsh does. Version 2.2 has physical tags, meshio leaves the names to us.
GMSH22 = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "left"
2 8 "solid"
$EndPhysicalNames
$Nodes
5
1 0.5 0.5 0
2 0 0 0
3 1 0 0
4 1 1 0
5 0 1 0
$EndNodes
$Elements
4
1 15 2 0 1 1
2 1 2 7 1 5 2
3 2 2 8 1 2 3 4
4 2 2 8 1 2 4 5
$EndElements
"""


def same(a, b):
    np.testing.assert_allclose(a.points, b.points, rtol=0, atol=1e-15)
    assert list(a.cells) == list(b.cells)
    for kind in a.cells:
        np.testing.assert_array_equal(a.cells[kind], b.cells[kind])


@pytest.mark.parametrize("suffix", [".vtu", ".msh", ".vtk"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: meshes.annulus(1, 2, (12, 2)),
        lambda: meshes.rectangle(cells=(3, 2), kind="quad"),
        lambda: meshes.sphere(1.0, 2),
        lambda: meshes.box(cells=(2, 2, 1), kind="hex"),
    ],
    ids=["tri", "quad", "tet", "hex"],
)
def test_round_trip(tmp_path, suffix, make):
    made = make()
    mesh = Mesh(made.points, made.cells, groups={"right side": made.points[:, 0] > 0.3, "one": [1]})
    mesh.write(tmp_path / f"mesh{suffix}")
    again = Mesh.read(tmp_path / f"mesh{suffix}")
    same(mesh, again)
    assert again.dim == mesh.dim
    assert again.groups["one"].tolist() == [1]
    np.testing.assert_array_equal(again.groups["right_side"], mesh.groups["right side"])


def test_mixed_kinds_round_trip(tmp_path):
    points = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0.5]]
    mesh = Mesh(points, {"quad": [[0, 1, 2, 3]], "tri": [[1, 4, 2]]})
    mesh.write(tmp_path / "mixed.vtu")
    same(Mesh.read(tmp_path / "mixed.vtu"), mesh)


def test_gmsh_physical_names_become_groups(tmp_path):
    path = tmp_path / "square.msh"
    path.write_text(GMSH22)
    mesh = Mesh.read(path)
    assert mesh.dim == 2 and list(mesh.cells) == ["tri3"] and mesh.volume == pytest.approx(1.0)
    assert mesh.kept.tolist() == [1, 2, 3, 4] and mesh.repairs == ()
    assert mesh.groups["solid"].tolist() == [0, 1, 2, 3]
    left = mesh.groups["left"]
    assert mesh.points[left].tolist() == [[0, 0], [0, 1]]


def test_gmsh_4_names_become_groups(tmp_path):
    path = tmp_path / "square.msh"
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    tags = [np.array([7]), np.array([8, 8])]
    file = meshio.Mesh(
        points,
        [("line", [[3, 0]]), ("triangle", [[0, 1, 2], [0, 2, 3]])],
        point_data={"gmsh:dim_tags": np.array([[1, 1], [2, 1], [2, 1], [1, 1]])},
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": [t * 0 + 1 for t in tags]},
        field_data={"left": np.array([7, 1]), "solid": np.array([8, 2])},
    )
    meshio.gmsh.write(path, file, fmt_version="4.1", binary=False)
    mesh = Mesh.read(path)
    assert mesh.groups["solid"].tolist() == [0, 1, 2, 3]
    left = mesh.points[mesh.groups["left"]]  # gmsh 4 renumbers points by the entity they lie on
    assert sorted(left.tolist()) == [[0, 0], [0, 1]]


def test_field_data_of_other_formats_is_no_group(tmp_path):
    box = meshes.box(cells=(1, 1, 1))
    blocks = [("tetra", np.array(box.cells["tet4"]))]
    file = meshio.Mesh(box.points, blocks, field_data={"time": np.array([1.0])})
    file.write(tmp_path / "box.vtu")
    assert dict(Mesh.read(tmp_path / "box.vtu").groups) == {}


def test_point_and_cell_sets_become_groups(tmp_path):
    box = meshes.box(cells=(2, 1, 1), kind="hex")
    file = meshio.Mesh(
        box.points,
        [("hexahedron", np.array(box.cells["hex8"]))],
        point_sets={"wall": np.array([0, 3])},
        cell_sets={"second": [np.array([1])]},
    )
    file.write(tmp_path / "box.inp")
    mesh = Mesh.read(tmp_path / "box.inp")
    assert mesh.groups["wall"].tolist() == [0, 3]
    np.testing.assert_array_equal(mesh.groups["second"], np.sort(box.cells["hex8"][1]))


def test_only_the_highest_cells_are_read(tmp_path):
    box = meshes.box(cells=(2, 2, 2))
    points = np.concatenate([[[9.0, 9, 9]], box.points, [[8.0, 8, 8]]])
    blocks = [
        ("vertex", [[0]]),
        ("line", [[0, 1]]),
        ("triangle", box.boundary["tri3"] + 1),
        ("tetra", box.cells["tet4"][:20] + 1),
        ("tetra", box.cells["tet4"][20:] + 1),
    ]
    meshio.write(tmp_path / "box.vtu", meshio.Mesh(points, blocks))
    mesh = Mesh.read(tmp_path / "box.vtu")
    same(mesh, box)
    np.testing.assert_array_equal(mesh.kept, 1 + np.arange(len(box)))


def test_flat_surfaces_become_plane_unless_told_not_to(tmp_path):
    flat = meshes.rectangle(cells=(2, 2))
    points = np.column_stack([flat.points, np.full(len(flat), 3.0)])
    path = tmp_path / "flat.vtk"
    meshio.write(path, meshio.Mesh(points, [("triangle", np.array(flat.cells["tri3"]))]))
    assert Mesh.read(path).dim == 2
    assert Mesh.read(path, dim=3).points[0, 2] == 3.0
    Mesh(points + np.linspace(0, 1, len(points))[:, None], flat.cells).write(path)
    assert Mesh.read(path).dim == 3
    with pytest.raises(MeshError, match="z varies by 1 m; use dim=3"):
        Mesh.read(path, dim=2)


def test_a_bad_mesh_in_a_file_names_the_call_that_repairs_it(tmp_path):
    path = tmp_path / "turned.vtu"
    points = np.array([[9.0, 9, 9], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    meshio.write(path, meshio.Mesh(points, [("tetra", [[1, 3, 2, 4]])]))
    with pytest.raises(MeshError, match=r"inverted.*pl\.Mesh\.read\(.*turned.vtu', repair=True\)"):
        Mesh.read(path)
    mesh = Mesh.read(path, repair=True)
    assert mesh.volume == pytest.approx(1 / 6) and mesh.kept.tolist() == [1, 2, 3, 4]


def test_files_that_cannot_be_read(tmp_path, capfd):
    with pytest.raises(FileNotFoundError, match=r"no mesh file .*absent\.vtu"):
        Mesh.read(tmp_path / "absent.vtu")
    (tmp_path / "mesh.doc").write_text("hello")
    with pytest.raises(MeshError, match=r"unknown mesh format '.doc'.*\.vtu"):
        Mesh.read(tmp_path / "mesh.doc")
    for name in ("broken.msh", "broken.vtu", "broken.vtk"):  # meshio calls sys.exit on some
        (tmp_path / name).write_text("hello")
        with pytest.raises(MeshError, match=r"cannot read .*broken"):
            Mesh.read(tmp_path / name)
    meshio.write(tmp_path / "cloud.vtu", meshio.Mesh(np.eye(3), [("vertex", [[0], [1], [2]])]))
    with pytest.raises(MeshError, match="no solid cells"):
        Mesh.read(tmp_path / "cloud.vtu")
    wedge = meshio.Mesh(np.random.default_rng(0).random((6, 3)), [("wedge", [range(6)])])
    meshio.write(tmp_path / "wedge.vtu", wedge)
    with pytest.raises(MeshError, match="1 cells of type 'wedge'"):
        Mesh.read(tmp_path / "wedge.vtu")
    assert capfd.readouterr().out == ""


def test_a_file_with_wrong_indices_or_dimension(tmp_path):
    path = tmp_path / "wrong.vtu"
    meshio.write(path, meshio.Mesh(np.eye(3), [("triangle", [[0, 1, 2], [0, 1, 7]])]))
    with pytest.raises(MeshError, match="tri3 cells 1 name points out of range"):
        Mesh.read(path)
    meshes.box(cells=(1, 1, 1)).write(path)
    with pytest.raises(MeshError, match="solid cells: tet4; use dim=3"):
        Mesh.read(path, dim=2)
    with pytest.raises(MeshError, match="dim is 4"):
        Mesh.read(path, dim=4)


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(MeshError, match="unknown mesh format"):
        meshes.trapezoid().write(tmp_path / "mesh.doc")
    with pytest.raises(MeshError, match=r"cannot write tet4 cells.*mesh\.write"):
        meshes.box(cells=(1, 1, 1)).write(tmp_path / "mesh.obj")
    with pytest.warns(UserWarning, match=r"mesh\.off: .*Skipping tetra"):
        meshes.box(cells=(1, 1, 1)).write(tmp_path / "mesh.off")
