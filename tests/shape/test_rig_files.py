"""Skeletons, motion and skins from UsdSkel, glTF and BVH files."""

import base64
import json
import struct

import numpy as np
import pytest

import pliant as pl

from .quadruped import Animal

DOG = Animal(brick=0.12)
#: Single precision of coordinates of size 1.
SINGLE = 1e-6

BVH = """HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 100 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 50 0 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 0 0 0 0 0 0 0 0
0 20 0 90 0 0 90 0 0
"""


def test_bvh(tmp_path):
    (tmp_path / "leg.bvh").write_text(BVH)
    rig = pl.shape.read_rig(tmp_path / "leg.bvh", scale=0.01)
    assert rig.skeleton.names == ("hips", "knee") and list(rig.skeleton.parents) == [-1, 0]
    assert np.allclose(rig.skeleton.joints, [[0, 0, 0], [1, 0, 0]])
    assert np.allclose(rig.skeleton.tails[1], [1.5, 0, 0])
    pose = rig.motion.at(0.5)
    ends = np.einsum("bij,bj->bi", pose[..., :3], rig.skeleton.tails) + pose[..., 3]
    assert np.allclose(ends, [[0, 1.2, 0], [-0.5, 1.2, 0]], atol=1e-12)
    assert np.array_equal(rig.motion.times, [0.0, 0.5])
    with pytest.raises(ValueError, match="no skin"):
        _ = rig.skin


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("HIERARCHY", "BVH", "leg.bvh:1: got 'BVH'"),
        ("0 20 0", "0 x 0", "leg.bvh:20: got 'x'"),
        ("Frames: 2", "Frames: 3", "expected 27"),
        (
            "Zrotation Xrotation Yrotation\n    End",
            "Zrotation Xroll Yrotation\n    End",
            "channels",
        ),
        ("Frame Time: 0.5", "Frame Time: 0", "above 0"),
        ("MOTION", "", "expected MOTION"),
    ],
)
def test_broken_bvh(tmp_path, old, new, words):
    (tmp_path / "leg.bvh").write_text(BVH.replace(old, new, 1))
    with pytest.raises(ValueError, match=words):
        pl.shape.Skeleton.read(tmp_path / "leg.bvh")


def rest_matrices(skeleton):
    """Where bones are at rest, (b, 4, 4)."""
    found = np.tile(np.eye(4), (len(skeleton), 1, 1))
    found[:, :3, :3], found[:, :3, 3] = skeleton.axes, skeleton.joints
    return found


def local_matrices(skeleton, pose):
    """Bones against their parents in a pose, (b, 4, 4)."""
    whole = np.tile(np.eye(4), (len(skeleton), 1, 1))
    whole[:, :3] = pose
    world = whole @ rest_matrices(skeleton)
    up = np.stack([np.eye(4) if p < 0 else world[p] for p in skeleton.parents])
    return np.linalg.inv(up) @ world


def same(rig, dog, motion):
    assert rig.skeleton.names == dog.skeleton.names
    assert np.array_equal(rig.skeleton.parents, dog.skeleton.parents)
    assert np.abs(rig.skeleton.joints - dog.skeleton.joints).max() < SINGLE
    assert np.abs(rig.motion.times - motion.times).max() < SINGLE
    for t in motion.times:
        assert np.abs(rig.motion.at(t) - motion.at(t)).max() < 20 * SINGLE  # chains of five
        x = rig.skin(rig.motion.at(t))
        assert np.abs(x - dog.skin(motion.at(t))).max() < 20 * SINGLE


def test_usd_skel(tmp_path):
    from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

    motion, skeleton = DOG.walk(5), DOG.skeleton
    stage = Usd.Stage.CreateNew(str(tmp_path / "dog.usda"))
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(24)
    UsdSkel.Root.Define(stage, "/dog")
    prim = UsdSkel.Skeleton.Define(stage, "/dog/skeleton")
    paths = []
    for name, parent in zip(skeleton.names, skeleton.parents, strict=True):
        own = name.replace(" ", "_")
        paths.append(own if parent < 0 else f"{paths[parent]}/{own}")
    prim.CreateJointsAttr(paths)
    centimetres = np.diag([100.0, 100.0, 100.0, 1.0])

    def matrices(given):
        scaled = centimetres @ given @ np.linalg.inv(centimetres)
        return [Gf.Matrix4d(m.T.tolist()) for m in scaled]

    bind = rest_matrices(skeleton)
    prim.CreateBindTransformsAttr(matrices(bind))
    prim.CreateRestTransformsAttr(matrices(local_matrices(skeleton, skeleton.rest)))
    animation = UsdSkel.Animation.Define(stage, "/dog/walk")
    animation.CreateJointsAttr(paths)
    for t in motion.times:
        local = matrices(local_matrices(skeleton, motion.at(t)))
        animation.SetTransforms(local, 24 * t)
    mesh = UsdGeom.Mesh.Define(stage, "/dog/mesh")
    surface = DOG.surface
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy((100 * surface.points).astype(np.float32)))
    mesh.CreateFaceVertexCountsAttr(surface.sizes.tolist())
    mesh.CreateFaceVertexIndicesAttr(surface.corners.tolist())
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([prim.GetPath()])
    skel = UsdSkel.BindingAPI.Apply(prim.GetPrim())
    skel.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    weights = DOG.skin.weights
    most = int(np.diff(weights.indptr).max())
    binding.CreateJointIndicesPrimvar(False, most).Set(weights.indices.tolist())
    binding.CreateJointWeightsPrimvar(False, most).Set(weights.data.tolist())
    stage.Save()
    rig = pl.shape.read_rig(tmp_path / "dog.usda")
    names = tuple(name.replace("_", " ") for name in rig.skeleton.names)
    renamed = pl.shape.Skeleton(
        rig.skeleton.joints, rig.skeleton.parents, names=names, tails=rig.skeleton.tails
    )
    same(pl.shape.Rig(renamed, rig.motion, rig.surface, rig.weights), DOG, motion)


def gltf_of(dog, motion, binary):
    """A glTF file of an animal: JSON and arrays, in one file or with a data URI."""
    from scipy.spatial.transform import Rotation

    skeleton, chunk, views, accessors = dog.skeleton, b"", [], []

    def add(values, kind, component):
        nonlocal chunk
        raw = np.ascontiguousarray(values).tobytes()
        views.append({"buffer": 0, "byteOffset": len(chunk), "byteLength": len(raw)})
        chunk += raw + b"\0" * (-len(raw) % 4)
        own = {"bufferView": len(views) - 1, "componentType": component, "count": len(values)}
        accessors.append(own | {"type": kind})
        return len(accessors) - 1

    local = local_matrices(skeleton, skeleton.rest)
    nodes = [
        {"name": name, "translation": m[:3, 3].tolist(), "children": []}
        for name, m in zip(skeleton.names, local, strict=True)
    ]
    for i, parent in enumerate(skeleton.parents):
        if parent >= 0:
            nodes[parent]["children"].append(i)
    for node in nodes:
        if not node["children"]:
            del node["children"]
    w = dog.skin.weights
    width = np.diff(w.indptr).max()
    faces = dog.surface.corners[dog.surface.triangles].astype(np.uint32).ravel()
    inverse = np.linalg.inv(rest_matrices(skeleton))
    attributes = {
        "POSITION": add(dog.surface.points.astype(np.float32), "VEC3", 5126),
        "JOINTS_0": add(w.indices.reshape(-1, width).astype(np.uint8), "VEC4", 5121),
        "WEIGHTS_0": add(w.data.reshape(-1, width).astype(np.float32), "VEC4", 5126),
    }
    primitive = {"attributes": attributes, "indices": add(faces, "SCALAR", 5125)}
    matrices = add(np.swapaxes(inverse, 1, 2).astype(np.float32).reshape(-1, 16), "MAT4", 5126)
    times = add(motion.times.astype(np.float32), "SCALAR", 5126)
    samplers, channels = [], []
    keys = np.stack([local_matrices(skeleton, motion.at(t)) for t in motion.times])
    for i in range(len(skeleton)):
        turns = Rotation.from_matrix(keys[:, i, :3, :3]).as_quat().astype(np.float32)
        for path, values, kind in (
            ("rotation", turns, "VEC4"),
            ("translation", keys[:, i, :3, 3].astype(np.float32), "VEC3"),
        ):
            samplers.append({"input": times, "output": add(values, kind, 5126)})
            target = {"node": i, "path": path}
            channels.append({"sampler": len(samplers) - 1, "target": target})
    nodes.append({"mesh": 0, "skin": 0})
    content = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": list(range(len(skeleton))), "inverseBindMatrices": matrices}],
        "animations": [{"channels": channels, "samplers": samplers}],
        "bufferViews": views,
        "accessors": accessors,
        "buffers": [{"byteLength": len(chunk)}],
    }
    if not binary:
        data = "data:application/octet-stream;base64," + base64.b64encode(chunk).decode()
        content["buffers"][0]["uri"] = data
        return json.dumps(content).encode()
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(chunk))
    return (
        head
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + struct.pack("<I4s", len(chunk), b"BIN\0")
        + chunk
    )


@pytest.mark.parametrize("name", ["dog.glb", "dog.gltf"])
def test_gltf(tmp_path, name):
    motion = DOG.walk(5)
    (tmp_path / name).write_bytes(gltf_of(DOG, motion, name.endswith("glb")))
    same(pl.shape.read_rig(tmp_path / name), DOG, motion)


def test_broken_files(tmp_path):
    whole = gltf_of(DOG, DOG.walk(3), True)
    for content in (whole[:200], whole[:-5000], b"{}", b"[]", b"\xff\xfe"):
        (tmp_path / "dog.glb").write_bytes(content)
        with pytest.raises(ValueError, match=r"dog\.glb"):
            pl.shape.read_rig(tmp_path / "dog.glb")
    text = gltf_of(DOG, DOG.walk(3), False).decode()
    for place in ('"byteOffset": -64', '"byteOffset": 1e3', '"byteStride": -400, "byteOffset": 0'):
        (tmp_path / "dog.gltf").write_text(text.replace('"byteOffset": 0', place, 1))
        with pytest.raises(ValueError, match=r"dog\.gltf has places"):
            pl.shape.read_rig(tmp_path / "dog.gltf")
    (tmp_path / "dog.gltf").write_text(text.replace("data:application", "../data:application"))
    with pytest.raises(ValueError, match="beside it"):
        pl.shape.read_rig(tmp_path / "dog.gltf")
    (tmp_path / "dog.usda").write_text("#usda 1.0\n")
    with pytest.raises(ValueError, match="no skeleton"):
        pl.shape.read_rig(tmp_path / "dog.usda")
    (tmp_path / "dog.usda").write_text("nothing")
    with pytest.raises(ValueError, match="cannot be read"):
        pl.shape.read_rig(tmp_path / "dog.usda")
    with pytest.raises(ValueError, match=r"\.fbx"):
        (tmp_path / "dog.fbx").write_text("x")
        pl.shape.read_rig(tmp_path / "dog.fbx")
    with pytest.raises(FileNotFoundError, match="no rig"):
        pl.shape.Skeleton.read(tmp_path / "cat.glb")
