"""Small sound meshes, to begin from."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import meshio
import numpy as np

CUBE = """# a cube of quads with texture coordinates
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
g low
f 1/1/1 4/2/1 3/3/1 2/4/1
f 5/1/1 6/2/1 7/3/1 8/4/1
g sides
f 1/1/1 2/2/1 6/3/1 5/4/1
f 2//1 3//1 7//1 6//1
f 3/1 4/2 8/3 7/4
f 4 1 5 8
"""
MSH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "end"
3 2 "all"
$EndPhysicalNames
$Nodes
8
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0 0 1
6 1 0 1
7 1 1 1
8 0 1 1
$EndNodes
$Elements
7
1 2 2 1 1 1 4 8
2 2 2 1 1 1 8 5
3 4 2 2 1 1 2 4 5
4 4 2 2 1 2 3 4 7
5 4 2 2 1 5 6 2 7
6 4 2 2 1 5 7 4 8
7 4 2 2 1 2 7 4 5
$EndElements
"""
POINTS = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
TETS = np.array([[0, 1, 2, 4], [1, 3, 2, 7], [4, 5, 1, 7], [4, 7, 2, 6], [1, 7, 2, 4]])
TRIANGLES = np.array([[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3],
                      [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]])  # fmt: skip
#: Suffix, meshio's name of the format, and the options of its writer.
FORMATS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (".vtk", "vtk", {"binary": False}), (".vtk", "vtk", {"binary": True}), (".vtk", "vtk42", {}),
    (".vtu", "vtu", {"binary": False}), (".vtu", "vtu", {"binary": True}),
    (".msh", "gmsh", {"binary": False}), (".msh", "gmsh", {"binary": True}),
    (".msh", "gmsh22", {"binary": False}), (".msh", "gmsh22", {"binary": True}),
    (".msh", "ansys", {"binary": False}), (".mesh", "medit", {}), (".meshb", "medit", {}),
    (".inp", "abaqus", {}), (".bdf", "nastran", {}), (".xdmf", "xdmf", {}),
    (".xdmf", "xdmf", {"data_format": "XML"}), (".med", "med", {}), (".cgns", "cgns", {}),
    (".h5m", "h5m", {}), (".hmf", "hmf", {}), (".exo", "exodus", {}), (".f3grid", "flac3d", {}),
    (".mdpa", "mdpa", {}), (".vol", "netgen", {}), (".dat", "tecplot", {}), (".post", "permas", {}),
    (".su2", "su2", {}), (".ugrid", "ugrid", {}), (".avs", "avsucd", {}), (".xml", "dolfin-xml",
    {}),
    (".node", "tetgen", {}), (".wkt", "wkt", {}), (".off", "off", {}), (".obj", "obj", {}),
    (".ply", "ply", {"binary": False}), (".ply", "ply", {"binary": True}),
    (".stl", "stl", {"binary": False}), (".stl", "stl", {"binary": True}), (".svg", "svg", {}),
)  # fmt: skip
SURFACES = (".obj", ".ply", ".stl", ".off", ".wkt")


def write_cube(path: Path) -> Path:
    """A cube of quads, as .obj."""
    path.write_text(CUBE)
    return path


def write_tetrahedra(path: Path) -> Path:
    """Five tetrahedra with the groups `end` and `all`, as gmsh writes them."""
    path.write_text(MSH)
    return path


def write_all(home: Path) -> list[Path]:
    """A file of every format that meshio can write here; those it cannot are left out."""
    home.mkdir(parents=True, exist_ok=True)
    made = [write_cube(home / "cube.obj"), write_tetrahedra(home / "tet.msh")]
    member = np.array([1.0, 1, 0, 0, 1, 1, 0, 0])
    for i, (suffix, form, options) in enumerate(FORMATS):
        path = home / f"{form}{i}{suffix}"
        cells = [("triangle", TRIANGLES)] if suffix in SURFACES else [("tetra", TETS)]
        flat = suffix == ".svg"
        mesh = meshio.Mesh(
            POINTS[:4, :2] if flat else POINTS,
            [("triangle", np.array([[0, 1, 2], [1, 3, 2]]))] if flat else cells,
            point_data={} if flat or suffix in SURFACES else {"group:end": member},
        )
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            meshio.write(path, mesh, file_format=form, **options)
            made.append(path)
    return [path for path in made if path.stat().st_size]
