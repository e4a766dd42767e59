"""Binary glTF, read back by a small reader of its own and by Khronos' rules."""

import json
import struct

import numpy as np
import pytest

from pliant.io.shading import Shading
from tests.moving import equal, moving_take, shown


class Glb:
    """A small reader of its own, from the specification."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + size])
        self.bytes = data[28 + size :]

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
        kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        count = accessor["count"] * width
        flat = np.frombuffer(self.bytes, kind, count, view["byteOffset"])
        return flat.reshape(-1, width) if width > 1 else flat

    def frame(self, mesh, weights):
        """Positions of the corners of all triangles under some weights."""
        (primitive,) = self.json["meshes"][mesh]["primitives"]
        x = self.array(primitive["attributes"]["POSITION"])
        for weight, target in zip(weights, primitive["targets"], strict=True):
            x = x + weight * self.array(target["POSITION"])
        return x[self.array(primitive["indices"])]


def corners(surface):
    """Points of the triangles' corners."""
    return surface.corners[surface.triangles.ravel()]


def test_glb_shows_each_frame_at_its_time(tmp_path):
    take = moving_take(fps=30.0)
    glb = Glb(take.save(tmp_path / "my take.glb"))
    assert [n["name"] for n in glb.json["nodes"]] == ["Körper 1/2", "Körper 1/2_2", "plate"]
    (animation,) = glb.json["animations"]
    (sampler,) = animation["samplers"]
    np.testing.assert_allclose(glb.array(sampler["input"]), np.arange(5) / 30.0, rtol=1e-6)
    weights = glb.array(sampler["output"]).reshape(5, 4)
    for body, track in enumerate(take.tracks):
        for frame in range(5):
            found = glb.frame(body, weights[frame])
            assert equal(found, shown(take, body, frame)[corners(track.skin.surface)])


def test_glb_splits_points_on_seams_and_creases_only(tmp_path):
    take = moving_take(normals=False)
    glb = Glb(take.save(tmp_path / "a.glb"))
    track = take.tracks[0]
    surface, shading = track.skin.surface, Shading(track.skin, track.mesh)
    attributes = glb.json["meshes"][0]["primitives"][0]["attributes"]
    places = np.unique(np.column_stack([surface.corners, shading.index, surface.uv]), axis=0)
    assert len(surface.points) < len(places) < len(surface.corners)  # or the test tests nothing
    assert len(glb.array(attributes["POSITION"])) == len(places)
    indices = glb.array(glb.json["meshes"][0]["primitives"][0]["indices"])
    uv = glb.array(attributes["TEXCOORD_0"])[indices] * [1, -1] + [0, 1]
    np.testing.assert_array_equal(uv, surface.uv[surface.triangles.ravel()])
    plane = glb.json["meshes"][2]["primitives"][0]["attributes"]["POSITION"]
    assert len(glb.array(plane)) == len(take.tracks[2].skin.surface.points)


def test_glb_normals_turn_with_the_body(tmp_path):
    take = moving_take()
    glb = Glb(take.save(tmp_path / "a.glb"))
    track, (primitive,) = take.tracks[0], glb.json["meshes"][0]["primitives"]
    indices = glb.array(primitive["indices"])
    base = glb.array(primitive["attributes"]["NORMAL"])
    for frame, target in enumerate(primitive["targets"], start=1):
        expected = track.skin.normals(track.positions[frame], track.mesh.points)
        found = (base + glb.array(target["NORMAL"]))[indices]
        corner = track.skin.surface.triangles.ravel()
        np.testing.assert_allclose(found, expected[corner], atol=1e-6)


def test_glb_that_is_too_long_is_refused(tmp_path, monkeypatch):
    from pliant.io import glb_file

    monkeypatch.setattr(glb_file, "_GLB_LIMIT", 4000)
    with pytest.raises(ValueError, match=r"\.glb cannot hold.*usdc"):
        moving_take().save(tmp_path / "a.glb")
    assert list(tmp_path.iterdir()) == []
