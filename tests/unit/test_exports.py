"""Files for other programs: what holds for all, point caches and sequences."""

import struct
import subprocess
import sys

import numpy as np
import pytest

from pliant import io
from pliant.io import surfaces
from pliant.io.shading import Shading
from pliant.mesh.surface import Surface
from tests.moving import equal, moving_take, shown

SUFFIXES = [".usdc", ".usda", ".usd", ".glb", ".pc2", ".mdd", ".obj"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_one_frame_is_enough(tmp_path, suffix):
    take = moving_take(frames=1)
    take.save(tmp_path / f"a{suffix}")
    if suffix == ".glb":
        data = (tmp_path / "a.glb").read_bytes()
        assert b"POSITION" in data and b"targets" not in data and b"animations" not in data
    elif suffix.startswith(".usd"):
        from pxr import Usd, UsdGeom

        stage = Usd.Stage.Open(str(tmp_path / f"a{suffix}"))
        points = UsdGeom.Mesh(stage.GetDefaultPrim().GetChildren()[0]).GetPointsAttr()
        assert points.GetNumTimeSamples() == 0
        assert equal(np.array(points.Get()), shown(take, 0, 0))
    else:
        assert (tmp_path / f"a-plate{suffix}").exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("wild", [np.nan, np.inf, 1e39])
def test_wild_numbers_are_refused(tmp_path, suffix, wild):
    take = moving_take()
    take.tracks[1].positions[3, 2, 1] = wild
    with pytest.raises(ValueError, match=r"positions of 'Körper 1/2' in frame 3 \(2.1 s\)"):
        take.save(tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_interrupted_export_leaves_the_old_file(tmp_path, suffix, monkeypatch):
    take = moving_take(bodies=1)
    take.save(tmp_path / f"a{suffix}")
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    calls = 0

    def stop(skin, x):
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return positions(skin, x)

    kind = type(take.tracks[0].skin)
    positions = kind.positions
    monkeypatch.setattr(kind, "positions", stop)
    with pytest.raises(KeyboardInterrupt):
        take.save(tmp_path / f"a{suffix}")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffix_may_be_upper_case(tmp_path, suffix):
    moving_take(bodies=1, frames=1).save(tmp_path / f"a{suffix.upper()}")
    assert (tmp_path / f"a{suffix.upper()}").stat().st_size > 100


def test_alembic_names_the_alternative(tmp_path):
    with pytest.raises(ValueError, match=r"\.usdc, which Blender, Houdini and Maya read"):
        moving_take().save(tmp_path / "a.abc")


def test_importing_the_writers_is_light():
    code = "import sys, pliant.io; print(sorted({'pxr', 'h5py', 'pyvista'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("fps", [24.0, 60.0, 24000 / 1001])
def test_frame_rate_is_that_of_the_frames(fps):
    take = moving_take(frames=9, fps=fps)
    take.times[:] = np.cumsum(np.full(9, 1.0 / fps))  # as a run adds them up
    rate = surfaces.frame_rate(take)
    assert rate == pytest.approx(fps, rel=1e-9)
    assert rate == fps or fps != round(fps)
    assert surfaces.frame_rate(moving_take(frames=1, fps=fps)) == pytest.approx(fps, rel=1e-9)


def test_every_suffix_is_registered():
    assert set(SUFFIXES) <= set(io.known_suffixes())


def test_bare_bodies_get_normals_that_keep_their_edges():
    """A cube that turns: each corner of a face has the normal of that face, turned alike."""
    take = moving_take(bodies=2)
    track = take.tracks[1]
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    track.positions[2] = track.mesh.points @ turn.T
    shading, surface = Shading(track.skin, track.mesh), track.skin.surface
    x = surface.points[surface.corners].reshape(-1, 3, 3)
    faces = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    expected = np.repeat(faces @ turn.T, 3, axis=0)
    np.testing.assert_allclose(
        shading.normals(track.position_frames[2])[shading.index], expected, atol=1e-6
    )
    assert (
        len(shading.normals(track.position_frames[2])) == 8 * 3 + 4 * 2
    )  # cube corners, and points on four edges


def test_pc2_of_several_bodies(tmp_path):
    take = moving_take()
    take.save(tmp_path / "a.pc2")
    names = ["a-Körper 1_2", "a-Körper 1_2_2", "a-plate"]
    assert {p.name for p in tmp_path.iterdir()} == {
        f"{name}{end}" for name in names for end in (".pc2", "_0000.obj")
    }
    for body, name in enumerate(names):
        data = (tmp_path / f"{name}.pc2").read_bytes()
        head = struct.unpack_from("<12siiffi", data)
        count = len(take.tracks[body].skin.surface.points)
        assert head == (b"POINTCACHE2\0", 1, count, 0.0, 1.0, 5)
        x = np.frombuffer(data, "<f4", offset=32).reshape(5, count, 3)
        assert all(equal(x[f], shown(take, body, f)) for f in range(5))
        start = Surface.read(tmp_path / f"{name}_0000.obj")
        np.testing.assert_array_equal(start.points, shown(take, body, 0))
        np.testing.assert_array_equal(start.corners, take.tracks[body].skin.surface.corners)


def test_mdd_of_one_body_leaves_its_source_alone(tmp_path):
    (tmp_path / "a.obj").write_text("mine")
    take = moving_take(bodies=1, fps=25.0)
    take.save(tmp_path / "a.mdd")
    assert (tmp_path / "a.obj").read_text() == "mine"
    data = (tmp_path / "a.mdd").read_bytes()
    frames, count = struct.unpack_from(">ii", data)
    numbers = np.frombuffer(data, ">f4", offset=8)
    np.testing.assert_allclose(numbers[:frames], np.arange(5) / 25.0, rtol=1e-6)
    x = numbers[frames:].reshape(frames, count, 3)
    assert all(equal(x[f], shown(take, 0, f)) for f in range(5))


def test_obj_sequence_keeps_uv_and_normals(tmp_path):
    take = moving_take(bodies=1)
    take.save(tmp_path / "a.obj")
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"a_000{f}.obj" for f in range(5)]
    track = take.tracks[0]
    for frame in range(5):
        found = Surface.read(tmp_path / f"a_000{frame}.obj")
        np.testing.assert_array_equal(found.points, shown(take, 0, frame))
        np.testing.assert_array_equal(found.uv, track.skin.surface.uv)
        expected = track.skin.normals(track.positions[frame], track.mesh.points)
        np.testing.assert_allclose(found.normals, expected, atol=1e-6)
