"""Objects whose pins are animated: by keyframes, a parent, an armature, shape keys."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import shown, switch_on

RELEASE, STOPS, REST, AFTER = 101, 109, 133, 4


def work(given):
    """Bakes each of the `ways`; returns pinned vertices and the tip over the frames, in the world."""
    answer = {}
    for way in given["ways"]:
        switch_on(given["python"])
        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = 30, 1.001
        obj = _ear()
        globals()[way](obj)
        bpy.ops.wm.save_as_mainfile(filepath=f"{given['folder']}/{way}.blend")
        before = _seen(obj)
        assert bpy.ops.pliant.bake() == {"FINISHED"}
        answer[way] = {"posed": before, "baked": _seen(obj), "told": obj.pliant.told}
        answer[way]["scene"] = Path(f"{given['folder']}/{way}_pliant/ear/scene.toml").read_text()
    return answer


def keyframes(obj):
    """The object goes 1 m to the side, evenly, and stops at once: seen four times a frame."""
    obj.pliant.samples = 4
    _key(obj, "location", {RELEASE - 5: (0, 0, 0), RELEASE: (0, 0, 0), STOPS: (1, 0, 0)})


def parent(obj):
    """An empty that is scaled turns the object about its own place."""
    bpy.ops.object.empty_add()
    holder = bpy.context.object
    holder.scale = (1.5, 1.5, 1.5)
    obj.parent, obj.location = holder, (0.2, 0, 0)
    obj.rotation_euler = (0.1, 0.0, 0.3)
    _key(holder, "rotation_euler", {RELEASE: (0, 0, 0), STOPS: (0, math.radians(40), 0)})
    bpy.context.view_layer.objects.active = obj


def armature(obj):
    """A bone nods with the vertices of the root and of all the rest."""
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bone = rig.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((RELEASE, 0.0), (STOPS, math.radians(30))):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    obj.vertex_groups.new(name=bone.name).add(range(len(obj.data.vertices)), 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.view_layer.objects.active = obj


def thrown(obj):
    """A shape key leans the ear evenly until the release and on; nothing of its root moves."""
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="lean")
    for point in key.data:
        point.co.x += 0.02 * point.co.z**2
    for frame, value in ((RELEASE - 10, 0.0), (RELEASE, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    from pliant_rest.wishes import curves_of

    for curve in curves_of(obj.data.shape_keys.animation_data):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def _ear():
    """A bar of 3 m that stands on its pinned root."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    obj = bpy.context.object
    obj.name = "ear"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex in obj.data.vertices:
        vertex.co.z = 3.0 * (vertex.co.z + 0.5)
    root = [v.index for v in obj.data.vertices if v.co.z < 1e-6]
    obj.vertex_groups.new(name="root").add(root, 1.0, "REPLACE")
    wish = obj.pliant
    wish.pins, wish.release, wish.rest, wish.after = "root", RELEASE, REST, AFTER
    wish.bounces, wish.edge_length = 0, 0.5
    return obj


def _key(thing, what, values):
    from pliant_rest.wishes import curves_of

    for frame, value in values.items():
        setattr(thing, what, value)
        thing.keyframe_insert(what, frame=frame)
    for curve in curves_of(thing.animation_data):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def _seen(obj):
    """Root and tip in the world, in every frame from the release on: (frames, 2, 3)."""
    rest = np.array([v.co for v in obj.data.vertices])
    ends = [rest[:, 2] < 1e-6, rest[:, 2] > rest[:, 2].max() - 1e-6]
    found = []
    for frame in range(RELEASE, REST + AFTER + 1):
        x = shown(obj, frame)
        matrix = np.array(obj.matrix_world)
        world = x @ matrix[:3, :3].T + matrix[:3, 3]
        found.append([world[end].mean(axis=0).tolist() for end in ends])
    return found
