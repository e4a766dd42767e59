"""Mesh files that lie about themselves: each is refused in one line, and nothing else happens."""

import os
import struct
import subprocess
import sys
import zlib
from base64 import b64encode

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from tests.unit.scene_texts import MATERIAL

PLY = (
    "ply\nformat {form} 1.0\nelement vertex {points}\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list {size} int vertex_indices\nend_header\n"
)
CORNERS = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
VTK = (
    "# vtk DataFile Version 3.0\na\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {points} double\n"
    "0 0 0 1 0 0 0 1 0\nCELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n"
)


def refused(path, *words, read=pl.Mesh.read):
    with pytest.raises(ValueError) as caught:
        read(path)
    for word in (path.name, *words):
        assert word in str(caught.value), str(caught.value)
    assert len(str(caught.value)) < 500 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (PLY.format(form="ascii", points=10**12, size="uchar"), b"0 0 0\n"),
        (PLY.format(form="binary_little_endian", points=10**12, size="uchar"), CORNERS),
        (PLY.format(form="ascii", points=10**400, size="uchar"), b"0 0 0\n"),
        (PLY.format(form="ascii", points=-1, size="uchar"), b"0 0 0\n"),
        # A list of -1 points is all that is left to numpy.
        (PLY.format(form="binary_little_endian", points=3, size="char"), CORNERS + b"\xff" * 40),
        (
            PLY.format(form="binary_little_endian", points=3, size="float"),
            CORNERS + b"\0\0\x80\x7f",
        ),
    ],
    ids=["ascii", "binary", "10**400", "-1", "a list of -1", "a list of inf"],
)
def test_ply_that_claims_more_than_it_has(tmp_path, head, body):
    path = tmp_path / "a.ply"
    path.write_bytes(head.encode() + body)
    refused(path, read=pl.Surface.read)


def test_stl_that_claims_more_than_it_has(tmp_path):
    path = tmp_path / "a.stl"
    path.write_bytes(b"x" * 80 + struct.pack("<I", 2**32 - 1) + b"\0" * 50)
    refused(path, "4294967295 triangles", read=pl.Surface.read)


@pytest.mark.parametrize("corner", ["1" + "0" * 400, "-" + "9" * 5000, "nan", "1/2/3/4/5"])
def test_obj_with_wild_corners(tmp_path, corner):
    path = tmp_path / "a.obj"
    path.write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 {corner}\n")
    refused(path, "line 4", read=pl.Surface.read)


def test_obj_with_a_point_that_is_not_finite_names_the_file(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n")
    refused(path, "not finite", read=pl.Surface.read)


@pytest.mark.parametrize("points", [10**12, 10**400, -1])
def test_vtk_that_claims_more_than_it_has(tmp_path, points):
    path = tmp_path / "a.vtk"
    path.write_text(VTK.format(points=points))
    refused(path)


def test_a_reader_that_never_ends_is_ended(tmp_path, monkeypatch):
    """meshio waits for the next line of a TetGen file that ends too soon."""
    monkeypatch.setattr("pliant.mesh.confined.LEAST_SECONDS", 2.0)
    path = tmp_path / "a.node"
    path.write_text("# no line with numbers\n")
    (tmp_path / "a.ele").write_text("# none here\n")
    refused(path, "not read in 2 s")


def test_a_compressed_file_that_grows_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("pliant.mesh.confined.LEAST_BYTES", 5e8)
    grown = zlib.compress(b"\0" * 500_000_000)
    head = struct.pack("<4I", 1, 0, 0, len(grown))
    data = (b64encode(head) + b64encode(grown)).decode()
    path = tmp_path / "a.vtu"
    path.write_text(
        '<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian" '
        'header_type="UInt32" compressor="vtkZLibDataCompressor"><UnstructuredGrid><Piece '
        'NumberOfPoints="1" NumberOfCells="1"><Points><DataArray type="Float64" '
        f'NumberOfComponents="3" format="binary">{data}</DataArray></Points></Piece>'
        "</UnstructuredGrid></VTKFile>"
    )
    refused(path)


def secret(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "secret.inp").write_text("*NODE\n1, 0., 0., 0.\n")
    np.arange(9.0).tofile(folder / "secret.bin")
    return folder


def test_a_mesh_opens_no_file_of_another_folder(tmp_path):
    folder = secret(tmp_path)
    path = tmp_path / "a.inp"
    path.write_text(
        f"*INCLUDE, INPUT={folder / 'secret.inp'}\n*ELEMENT, TYPE=C3D4\n1, 1, 1, 1, 1\n"
    )
    refused(path, "secret.inp", "not opened")


def test_xdmf_opens_no_file_of_another_folder(tmp_path):
    folder = secret(tmp_path)
    path = tmp_path / "a.xdmf"
    path.write_text(
        '<Xdmf Version="3.0"><Domain><Grid Name="Grid"><Geometry GeometryType="XYZ"><DataItem '
        'DataType="Float" Dimensions="3 3" Format="Binary" Precision="8">'
        f"{folder / 'secret.bin'}</DataItem></Geometry></Grid></Domain></Xdmf>"
    )
    refused(path, "secret.bin", "not opened")


def test_a_linked_mesh_is_read(tmp_path):
    (tmp_path / "there").mkdir()
    made = pl.meshes.box(cells=(1, 1, 1))
    made.write(tmp_path / "there" / "a.vtu")
    (tmp_path / "here.vtu").symlink_to(tmp_path / "there" / "a.vtu")
    assert len(pl.Mesh.read(tmp_path / "here.vtu")) == len(made)


def odd_file(tmp_path, kind, suffix):
    path = tmp_path / f"odd{suffix}"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    else:
        path.touch()
    return path


ODD = pytest.mark.parametrize("kind", ["a pipe", "a folder", "a device", "is empty"])


@ODD
@pytest.mark.parametrize("suffix", [".msh", ".vtu", ".obj", ".stl", ".ply"])
def test_only_regular_files_are_read(tmp_path, kind, suffix):
    path = odd_file(tmp_path, kind, suffix)
    for read in (pl.Mesh.read, pl.Surface.read):
        refused(path, kind, read=read)


@ODD
@pytest.mark.parametrize(
    ("suffix", "lines"),
    [
        (".obj", "mesh = { file = 'FILE' }\n" + MATERIAL),
        (".msh", "mesh = { file = 'FILE' }\n" + MATERIAL),
        (".obj", "mesh = { box = {} }\n" + MATERIAL + "\nsurface = 'FILE'"),
        (".obj", "mesh = { box = {} }\n" + MATERIAL + "\nstart = { surface = 'FILE' }"),
        (
            ".usda",
            "mesh = { box = {} }\n" + MATERIAL + "\ndrive = [{ where = 'x > 0.9', "
            "usd = 'FILE', prim = '/a' }]",
        ),
    ],
    ids=["surface to fill", "mesh", "worn", "start", "usd"],
)
def test_only_regular_files_are_read_for_scenes(tmp_path, kind, suffix, lines):
    path = odd_file(tmp_path, kind, suffix)
    text = "[body.a]\n" + lines.replace("FILE", str(path))
    with pytest.raises(scene.SceneError, match=rf"^a\.toml:\d+: body\.a\..*{kind}"):
        scene.parse(text, name="a.toml").build()


@ODD
def test_only_regular_files_are_scenes(tmp_path, kind):
    refused(odd_file(tmp_path, kind, ".toml"), kind, read=scene.read)


def test_reading_meshes_does_not_import_meshio(tmp_path):
    """It is what takes most of the time, and the process that reads has it."""
    pl.meshes.box(cells=(1, 1, 1)).write(tmp_path / "a.vtu")
    code = "import sys, pliant as pl; pl.Mesh.read(sys.argv[1]); sys.exit('meshio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.vtu")], check=False)
    assert done.returncode == 0
