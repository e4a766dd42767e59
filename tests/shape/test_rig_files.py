"""Skeletons, motion and skins from UsdSkel, glTF and BVH files."""

import base64
import json
import struct

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

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


#: Where what holds the bones is in the world: turned, half as large, and elsewhere.
PLACE = np.eye(4)
PLACE[:3, :3] = 0.5 * Rotation.from_rotvec([0.3, -1.0, 0.4]).as_matrix()
PLACE[:3, 3] = (1.0, 2.0, 3.0)


def matrices(given, unit):
    """USD's, of maps in metres, in centimetres."""
    from pxr import Gf

    scale = np.diag([1.0 / unit] * 3 + [1.0])
    return [Gf.Matrix4d(m.T.tolist()) for m in scale @ given @ np.linalg.inv(scale)]


def usd_skeleton(stage, path, skeleton, bind):
    """A prim with bones that are bound where `bind` says; and their names."""
    from pxr import UsdSkel

    prim = UsdSkel.Skeleton.Define(stage, path)
    names = []
    for name, parent in zip(skeleton.names, skeleton.parents, strict=True):
        own = name.replace(" ", "_")
        names.append(own if parent < 0 else f"{names[parent]}/{own}")
    prim.CreateJointsAttr(names)
    prim.CreateBindTransformsAttr(matrices(bind, 0.01))
    prim.CreateRestTransformsAttr(matrices(local_matrices(skeleton, skeleton.rest), 0.01))
    return prim, names


def usd_skin(stage, path, dog, prim, place):
    """A mesh that follows the bones, and whose points are bound at `place`."""
    from pxr import UsdGeom, UsdSkel, Vt

    mesh, surface, weights = UsdGeom.Mesh.Define(stage, path), dog.surface, dog.skin.weights
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy((100 * surface.points).astype(np.float32)))
    mesh.CreateFaceVertexCountsAttr(surface.sizes.tolist())
    mesh.CreateFaceVertexIndicesAttr(surface.corners.tolist())
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([prim.GetPath()])
    binding.CreateGeomBindTransformAttr(matrices(place[None], 0.01)[0])
    most = int(np.diff(weights.indptr).max())
    binding.CreateJointIndicesPrimvar(False, most).Set(weights.indices.tolist())
    binding.CreateJointWeightsPrimvar(False, most).Set(weights.data.tolist())


def usd_of(path, dog, motion, place, bound):
    """A stage with an animal whose root is at `place`, bound there or in the space of its bones."""
    from pxr import Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(24)
    root = UsdSkel.Root.Define(stage, "/dog")
    root.AddTransformOp().Set(matrices(place[None], 0.01)[0])
    own = place if bound == "world" else np.eye(4)
    bind = own @ rest_matrices(dog.skeleton)
    prim, names = usd_skeleton(stage, "/dog/skeleton", dog.skeleton, bind)
    animation = UsdSkel.Animation.Define(stage, "/dog/walk")
    animation.CreateJointsAttr(names)
    for t in motion.times:
        local = matrices(local_matrices(dog.skeleton, motion.at(t)), 0.01)
        animation.SetTransforms(local, 24 * t)
    skel = UsdSkel.BindingAPI.Apply(prim.GetPrim())
    skel.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    usd_skin(stage, "/dog/mesh", dog, prim, own)
    return stage


def with_spaces(rig):
    """The names of USD have none."""
    skeleton = rig.skeleton
    names = tuple(name.replace("_", " ") for name in skeleton.names)
    renamed = pl.shape.Skeleton(
        skeleton.joints, skeleton.parents, names=names, tails=skeleton.tails
    )
    return pl.shape.Rig(renamed, rig.motion, rig.surface, rig.weights)


def test_usd_skel(tmp_path):
    motion = DOG.walk(5)
    usd_of(tmp_path / "dog.usda", DOG, motion, np.eye(4), "bones").Save()
    same(with_spaces(pl.shape.read_rig(tmp_path / "dog.usda")), DOG, motion)


@pytest.mark.parametrize("bound", ["world", "bones"])
def test_what_holds_the_bones_counts(tmp_path, bound):
    """Bones that are bound in the world, as the format says, or in their own space, as by Blender."""
    motion = DOG.walk(3)
    stage = usd_of(tmp_path / "dog.usda", DOG, motion, PLACE, bound)
    puppy = pl.shape.Skeleton([[0, 0, 0], [0, 1, 0]], [-1, 0], names=["a", "b"])
    usd_skeleton(stage, "/dog/other", puppy, rest_matrices(puppy))
    stage.Save()
    rig = pl.shape.read_rig(tmp_path / "dog.usda")
    for mine, theirs in (
        (rig.skeleton.joints, DOG.skeleton.joints),
        (rig.surface.points, DOG.surface.points),
        *((rig.skin(rig.motion.at(t)), DOG.skin(motion.at(t))) for t in motion.times),
    ):
        assert np.abs(mine - (theirs @ PLACE[:3, :3].T + PLACE[:3, 3])).max() < 20 * SINGLE


def test_a_root_that_moves_alone(tmp_path):
    """No bone turns, but what holds them goes 2 m along x in a second."""
    from pxr import Gf, UsdGeom

    stage = usd_of(tmp_path / "dog.usda", DOG, DOG.walk(1), np.eye(4), "bones")
    root = UsdGeom.Xformable(stage.GetPrimAtPath("/dog"))
    root.ClearXformOpOrder()
    shift = root.AddTranslateOp()
    for code in (0, 24):
        shift.Set(Gf.Vec3d(200.0 * code / 24, 0, 0), code)
    stage.Save()
    rig = pl.shape.read_rig(tmp_path / "dog.usda")
    way = rig.skin(rig.motion.at(1.0)) - rig.skin(rig.motion.at(0.0))
    assert np.abs(way - [2.0, 0, 0]).max() < 20 * SINGLE


def test_of_two_skeletons_the_first_is_read_with_its_own_skin(tmp_path):
    motion = DOG.walk(3)
    stage = usd_of(tmp_path / "dog.usda", DOG, motion, np.eye(4), "bones")
    puppy = Animal(legs=0.5, brick=0.2)
    bind = rest_matrices(puppy.skeleton)
    other, _ = usd_skeleton(stage, "/dog/z", puppy.skeleton, bind)
    usd_skin(stage, "/dog/z_mesh", puppy, other, np.eye(4))
    stage.Save()
    same(with_spaces(pl.shape.read_rig(tmp_path / "dog.usda")), DOG, motion)


def gltf_of(dog, motion, binary, unit=1.0):
    """A glTF file of an animal: JSON and arrays, in one file or with a data URI.

    unit [m]: in which its bones and points are, below a node that makes metres of it.
    """
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
        {"name": name, "translation": (m[:3, 3] / unit).tolist(), "children": []}
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
    inverse[:, :3, 3] /= unit
    attributes = {
        "POSITION": add((dog.surface.points / unit).astype(np.float32), "VEC3", 5126),
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
            ("translation", (keys[:, i, :3, 3] / unit).astype(np.float32), "VEC3"),
        ):
            samplers.append({"input": times, "output": add(values, kind, 5126)})
            target = {"node": i, "path": path}
            channels.append({"sampler": len(samplers) - 1, "target": target})
    nodes.append({"mesh": 0, "skin": 0})
    roots = [i for i, parent in enumerate(skeleton.parents) if parent < 0]
    nodes.append({"name": "armature", "scale": [unit] * 3, "children": roots})
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


def test_gltf_in_centimetres_below_a_node_that_makes_metres_of_them(tmp_path):
    motion = DOG.walk(3)
    (tmp_path / "dog.glb").write_bytes(gltf_of(DOG, motion, True, unit=0.01))
    same(pl.shape.read_rig(tmp_path / "dog.glb"), DOG, motion)


def test_gltf_with_its_numbers_beside_it(tmp_path):
    content = json.loads(gltf_of(DOG, DOG.walk(2), False))
    raw = base64.b64decode(content["buffers"][0]["uri"].partition(",")[2])
    (tmp_path / "a dog.bin").write_bytes(raw)
    content["buffers"][0]["uri"] = "a%20dog.bin"
    (tmp_path / "a dog.gltf").write_text(json.dumps(content))
    same(pl.shape.read_rig(tmp_path / "a dog.gltf"), DOG, DOG.walk(2))


def test_bones_at_the_end_reach_as_far_as_what_follows_them(tmp_path):
    """Files say where bones begin, not where the last ones end."""
    (tmp_path / "dog.glb").write_bytes(gltf_of(DOG, DOG.walk(2), True))
    found, wanted = pl.shape.Skeleton.read(tmp_path / "dog.glb"), DOG.skeleton
    ends = [i for i in range(len(wanted)) if i not in wanted.parents]
    assert len(ends) == 6  # four feet, head and tail
    for i in ends:
        along = wanted.tails[i] - wanted.joints[i]
        length = np.linalg.norm(along)
        reach = (found.tails[i] - wanted.joints[i]) @ along / length
        assert 0.8 * length < reach < length + 0.15, wanted.names[i]  # flesh beyond it, 6 to 12 cm


def test_a_rig_is_a_take(tmp_path):
    motion = DOG.walk(5)
    (tmp_path / "dog.glb").write_bytes(gltf_of(DOG, motion, True))
    rig = pl.shape.read_rig(tmp_path / "dog.glb")
    take = rig.take()
    assert np.allclose(take.times, motion.times - motion.times[0], atol=SINGLE)
    for k, t in enumerate(motion.times):
        shown = take.tracks[0].skin.positions(take.positions[k])
        assert np.abs(shown - DOG.skin(motion.at(t))).max() < 20 * SINGLE
    assert np.allclose(np.diff(rig.take(fps=30).times), 1 / 30)
    by_file = pl.shape.transfer(tmp_path / "dog.glb", rig.surface)
    assert np.abs(by_file.positions[2] - take.positions[2]).max() < 1e-9
    with pytest.raises(ValueError, match="does not move"):
        pl.shape.Rig(rig.skeleton, None, rig.surface, rig.weights).take()
    with pytest.raises(ValueError, match="fps"):
        rig.take(fps=0)


def test_a_body_inside_has_the_weights_of_the_skin():
    rig = pl.shape.Rig(DOG.skeleton, None, DOG.surface, DOG.skin.weights.toarray())
    on = rig.weights_at(DOG.surface.points)
    assert np.abs(on - DOG.skin.weights.toarray()).max() < 1e-9
    inside = rig.weights_at(DOG.mesh.points)
    assert np.abs(inside.sum(axis=1) - 1.0).max() < 1e-12 and inside.min() >= 0.0
    skin = pl.shape.LinearSkin(DOG.skeleton, DOG.mesh.points, inside)
    assert np.abs(skin(DOG.skeleton.rest) - DOG.mesh.points).max() < 1e-12
    with pytest.raises(ValueError, match="weights_at"):
        rig.weights_at([[0.0, np.nan, 0.0]])


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
    content = json.loads(text) | {"extensionsRequired": ["KHR_draco_mesh_compression"]}
    (tmp_path / "dog.gltf").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="KHR_draco_mesh_compression; expected a file without"):
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
