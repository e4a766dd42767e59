"""Surfaces: their files, their corners, and what their report says."""

import struct

import numpy as np
import pytest

import pliant as pl
from pliant.mesh import generators as meshes
from pliant.mesh.skin import Skin

CUBE = """# two quads share a seam: point 2 has two texture coordinates
mtllib none.mtl
o some part
g lower
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vt 0.5
vn 0 0 -1
usemtl grey
s off
f 4/4/1 3/3/1 2/2/1 1/1/1
g upper tip
v 0.5 0.5 1
f -5//1 -4//1 \\
  -1//1
f 2/5 3/3 5/1
"""


def cube():
    """A closed cube of quads, facing outward."""
    return Skin.bare(meshes.box(size=(1, 1, 1), cells=(2, 2, 2), kind="hex")).surface


def faces_of(surface):
    return np.split(surface.corners, np.cumsum(surface.sizes)[:-1])


def test_obj_has_polygons_seams_and_groups(tmp_path):
    path = tmp_path / "part.OBJ"
    path.write_text(CUBE)
    s = pl.Surface.read(path)
    assert s.points.shape == (5, 3) and s.sizes.tolist() == [4, 3, 3]
    assert [f.tolist() for f in faces_of(s)] == [[3, 2, 1, 0], [0, 1, 4], [1, 2, 4]]
    assert s.uv[:4].tolist() == [[0, 1], [1, 1], [1, 0], [0, 0]]
    assert s.uv[4:7].tolist() == [[0, 0]] * 3  # none given
    assert s.uv[7].tolist() == [0.5, 0]
    assert s.normals[:7].tolist() == [[0, 0, -1]] * 7
    # The last face has none of its own and gets that of its plane.
    np.testing.assert_allclose(s.normals[7:], np.tile([2, 0, 1], (3, 1)) / 5**0.5, atol=1e-15)
    assert s.groups["lower"].tolist() == [0, 1, 2, 3]
    assert s.groups["some part"].tolist() == [0, 1, 2, 3, 4]
    assert s.groups["upper"].tolist() == s.groups["tip"].tolist() == [0, 1, 2, 4]


def test_obj_round_trip_is_exact(tmp_path):
    rng = np.random.default_rng(1)
    s = cube()
    k = len(s.corners)
    s = pl.Surface(
        rng.normal(size=s.points.shape), s.sizes, s.corners, rng.random((k, 2)), rng.random((k, 3))
    )
    s.write(tmp_path / "a.obj")
    again = pl.Surface.read(tmp_path / "a.obj")
    for name in ("points", "sizes", "corners", "uv", "normals"):
        np.testing.assert_array_equal(getattr(again, name), getattr(s, name))
    pl.Surface(s.points, s.sizes, s.corners, normals=s.normals).write(tmp_path / "b.obj")
    again = pl.Surface.read(tmp_path / "b.obj")
    assert again.uv is None
    np.testing.assert_array_equal(again.normals, s.normals)


@pytest.mark.parametrize(
    "lines, said",
    [
        ("v 0 0 0\nv 1 0\n", r"line 2: 'v 1 0': expected 'v x y z'"),
        ("v 0 0 zero\n", r"line 1: .*expected numbers"),
        ("v 0 0 0\nv 1 0 0\nf 1 2\n", r"line 3: .*a face of 2 corners; expected at least 3"),
        ("v 0 0 0\nf 1 1 4\n", r"line 2: .*point 4, but 1 stand before this line"),
        ("v 0 0 0\nf 0 1 1\n", r"point 0, but 1 stand before this line; the first is 1"),
        ("v 0 0 0\nf 1/2 1/2 1/2\n", r"texture coordinate 2, but 0 stand"),
        ("v 0 0 0\n", r"1 points and no faces"),
        ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", r"points 0 are not finite"),
    ],
)
def test_broken_obj_names_file_and_line(tmp_path, lines, said):
    path = tmp_path / "broken.obj"
    path.write_text(lines)
    with pytest.raises(pl.MeshError, match=said):
        pl.Surface.read(path)


def stl_bytes(triangles, head=b"solid, though binary"):
    records = [struct.pack("<12fH", 0, 0, 0, *np.ravel(t), 0) for t in triangles]
    return head.ljust(80) + struct.pack("<I", len(triangles)) + b"".join(records)


def stl_text(triangles):
    loops = [
        "facet normal 0 0 0\n outer loop\n"
        + "".join(f"  vertex {x!r} {y!r} {z!r}\n" for x, y, z in t.tolist())
        + " endloop\nendfacet\n"
        for t in triangles
    ]
    return "solid ball\n" + "".join(loops) + "endsolid ball\n"


@pytest.mark.parametrize("binary", [True, False])
def test_stl_is_welded(tmp_path, binary):
    ball = Skin.bare(meshes.sphere(1.0, 3)).surface
    triangles = ball.points[ball.corners[ball.triangles]]
    triangles[0, 0] = np.where(triangles[0, 0] == 0, -0.0, triangles[0, 0])
    flat = triangles[:1, [0, 0, 1]]  # without area, so left out
    every = np.concatenate([triangles, flat])
    path = tmp_path / "ball.stl"
    path.write_bytes(stl_bytes(every) if binary else stl_text(every).encode())
    s = pl.Surface.read(path)
    assert len(s.points) == len(ball.points) and len(s.sizes) == len(ball.sizes)
    report = s.report()
    assert report.closed and report.manifold and report.oriented and report.shells == 1
    assert report.volume == pytest.approx(ball.report().volume, rel=1e-6)  # float32 in the file


def test_broken_stl(tmp_path):
    path = tmp_path / "broken.stl"
    triangle = np.eye(3)[None]
    path.write_bytes(stl_bytes(triangle, b"made by a scanner")[:-7])
    with pytest.raises(pl.MeshError, match=r"127 bytes and says it has 1 triangles.* has 134"):
        pl.Surface.read(path)
    path.write_text(stl_text(triangle).replace("0.0 1.0 0.0", "0.0 1.0"))
    with pytest.raises(pl.MeshError, match=r"line 5: 'vertex 0.0 1.0': expected 'vertex x y z'"):
        pl.Surface.read(path)
    path.write_text("solid\nouter loop\nvertex 0 0 0\nendloop\n")
    with pytest.raises(pl.MeshError, match=r"line 4: a facet of 1 corners; expected 3"):
        pl.Surface.read(path)


def ply(form, faces=((0, 1, 2, 3), (0, 1, 4))):
    """A quad and a triangle with normals, texture coordinates, colours and an element to skip."""
    head = (
        f"ply\nformat {form} 1.0\ncomment of no meaning\nelement vertex 5\nproperty double x\n"
        "property float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
        "property float s\nproperty float t\nproperty uchar red\n"
        f"element camera 1\nproperty int id\nelement face {len(faces)}\n"
        "property list uchar int vertex_indices\nproperty uchar quality\nend_header\n"
    )
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)]
    rows = [(*p, 0, 0, 1, p[0], p[1], 7) for p in points]
    if form == "ascii":
        lines = [" ".join(map(str, row)) for row in rows] + ["3"]
        lines += [f"{len(f)} {' '.join(map(str, f))} 9" for f in faces]
        return (head + "\n".join(lines) + "\n").encode()
    order = "<" if "little" in form else ">"
    body = b"".join(struct.pack(order + "d7fB", *row) for row in rows) + struct.pack(order + "i", 3)
    for f in faces:
        body += struct.pack(f"{order}B{len(f)}iB", len(f), *f, 9)
    return head.encode() + body


@pytest.mark.parametrize("form", ["ascii", "binary_little_endian", "binary_big_endian"])
def test_ply_forms(tmp_path, form):
    path = tmp_path / "a.ply"
    for faces in (((0, 1, 2, 3), (0, 1, 4)), ((0, 1, 4), (1, 2, 4), (2, 3, 4))):
        path.write_bytes(ply(form, faces))
        s = pl.Surface.read(path)
        assert [tuple(f.tolist()) for f in faces_of(s)] == list(faces)
        assert s.points[4].tolist() == [0.5, 0.5, 1]
        np.testing.assert_array_equal(s.uv, s.points[s.corners][:, :2])
        assert (s.normals == [0, 0, 1]).all()


def test_broken_ply(tmp_path):
    path = tmp_path / "a.ply"
    good = ply("ascii")
    cases = [
        (
            good.replace(b"0.5 0.5 1", b"0.5 half 1", 1),
            r"line 24: .*half.*: expected numbers for x y z",
        ),
        (good.replace(b"3 0 1 4 9", b"3 0 1 5 9"), r"a face has point 5; expected 0 to 4"),
        (good.replace(b"4 0 1 2 3 9", b"2 0 1 9"), r"face 0 has 2 corners; expected at least 3"),
        (
            good.replace(b"property float y", b"property real y"),
            r"line 6: 'property real y' is not",
        ),
        (good.rsplit(b"3 0 1 4", 1)[0], r"ends after 1 of 2 rows of 'face'"),
        (ply("binary_little_endian")[:-3], r"ends within the 2 rows of 'face'"),
        (b"plywood", r"is no PLY file"),
    ]
    for data, said in cases:
        path.write_bytes(data)
        with pytest.raises(pl.MeshError, match=said):
            pl.Surface.read(path)


def test_ply_agrees_with_meshio(tmp_path):
    import meshio

    mesh = meshes.sphere(1.0, 2)
    for binary in (True, False):
        blocks = [("triangle", np.array(mesh.boundary["tri3"], dtype=np.int32))]
        meshio.ply.write(tmp_path / "a.ply", meshio.Mesh(mesh.points, blocks), binary=binary)
        s = pl.Surface.read(tmp_path / "a.ply")
        np.testing.assert_allclose(s.points, mesh.points, atol=1e-15)
        np.testing.assert_array_equal(s.corners.reshape(-1, 3), mesh.boundary["tri3"])


def test_other_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no surface file .*gone\.obj"):
        pl.Surface.read(tmp_path / "gone.obj")
    (tmp_path / "a.fbx").write_text("x")
    with pytest.raises(pl.MeshError, match=r"unknown surface format '.fbx'.*\.obj \.stl \.ply"):
        pl.Surface.read(tmp_path / "a.fbx")
    with pytest.raises(pl.MeshError, match=r"cannot write a surface as '.stl'"):
        cube().write(tmp_path / "a.stl")


def test_report_of_a_sound_surface():
    report = cube().report()
    assert report.closed and report.manifold and report.oriented
    assert report.shells == 1 and report.open_edges == 0 and report.duplicates == 0
    assert report.volume == pytest.approx(1.0) and report.area == pytest.approx(6.0)
    assert "closed, volume 1 m^3" in str(report)


def test_report_finds_what_is_wrong():
    whole = cube()
    faces = faces_of(whole)
    inside_out = pl.Surface.of(whole.points, [f[::-1] for f in faces]).report()
    assert inside_out.volume == pytest.approx(-1.0) and inside_out.oriented
    assert "point inward" in str(inside_out)

    middle = [whole.points[f].mean(axis=0) for f in faces]
    ends = [i for i, m in enumerate(middle) if m[0] in (0.0, 1.0)]  # both ends of the x axis
    tube = pl.Surface.of(whole.points, [f for i, f in enumerate(faces) if i not in ends]).report()
    assert not tube.closed and tube.open_edges == 16
    assert [hole.edges for hole in tube.holes] == [8, 8]
    assert {hole.low[0] for hole in tube.holes} == {0.0, 1.0}
    assert tube.holes[0].low[1:] == (0.0, 0.0) and tube.holes[0].high[1:] == (1.0, 1.0)
    assert "16 open edges in 2 holes" in str(tube)

    one_flipped = pl.Surface.of(whole.points, [faces[0][::-1], *faces[1:]]).report()
    assert one_flipped.flipped_edges == 4 and one_flipped.closed

    fin = pl.Surface.of(whole.points, [*faces, faces[0][:3]]).report()
    assert fin.branching_edges == 2 and fin.open_edges == 1


def test_loose_faces_are_welded():
    whole = cube()
    loose = pl.Surface(whole.points[whole.corners], whole.sizes, np.arange(len(whole.corners)))
    report = loose.report()
    assert report.shells == len(whole.sizes) and not report.closed
    assert report.duplicates == len(whole.corners) - len(whole.points)
    again = loose.welded().report()
    assert again.closed and again.shells == 1 and again.points == len(whole.points)


def test_bad_surfaces_are_refused():
    points = np.eye(3)
    for bad, said in [
        (lambda: pl.Surface.of(points, [[0, 1]]), "three corners or more"),
        (lambda: pl.Surface.of(points, []), "no faces"),
        (lambda: pl.Surface.of(points, [[0, 1, 3]]), r"corner 2 is point 3; expected 0 to 2"),
        (lambda: pl.Surface.of(points[:, :2], [[0, 1, 2]]), r"shape \(3, 2\); expected \(m, 3\)"),
        (
            lambda: pl.Surface(points, [3], [0, 1, 2], uv=np.zeros((2, 2))),
            r"one row per corner of a face, \(3, 2\)",
        ),
    ]:
        with pytest.raises(pl.MeshError, match=said):
            bad()
