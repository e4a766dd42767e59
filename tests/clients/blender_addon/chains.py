"""A tail of twenty bones on a body that goes to the side: on cue, in a loop, and taken off again."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import fails, switch_on

COUNT, RELEASE, STOPS, STILL = 20, 5, 13, 37


def work(given):
    switch_on("")
    rig = _tail()
    answer = {"nothing": fails(bpy.ops.pliant.bake_bones)}
    for bone in rig.pose.bones:
        _select(bone, bone.name.startswith("tail"))
    keys = _keys(rig)
    wish = rig.pliant_bones
    wish.release, wish.rest, wish.bounces, wish.after = RELEASE, STILL, 2, 4
    led = _ends(rig)
    assert bpy.ops.pliant.bake_bones() == {"FINISHED"}
    answer["led"], answer["swung"] = led, _ends(rig)
    answer["keyed"] = sorted({p.split('"')[1] for p in _keys(rig)} - {"body"})
    answer["body"] = {p: n for p, n in _keys(rig).items() if "body" in p} == {
        p: n for p, n in keys.items() if "body" in p
    }
    wish.bounces = 3  # live: it is baked anew
    answer["live"] = _ends(rig)
    assert bpy.ops.pliant.remove_bones() == {"FINISHED"}
    answer["removed"] = [_keys(rig) == keys, _ends(rig) == led, len(bpy.data.actions)]
    answer["home"] = _let_go(rig)
    answer["loop"] = _loop(rig)
    answer["speed"] = _speed(rig)
    return answer


def _let_go(rig):
    """From a bent pose home to the rest pose, Euler angles: how far the end is from there."""
    first = rig.pose.bones["tail0"]
    first.rotation_mode = "XYZ"
    first.rotation_euler.x = 0.5
    first.keyframe_insert("rotation_euler", frame=1)
    wish = rig.pliant_bones
    wish.home, wish.bounces = "REST", 0
    bpy.ops.pliant.bake_bones()
    found = [e[0] for e in _ends(rig)], [e[0] for e in _ends(rig, "body")]
    bpy.ops.pliant.remove_bones()
    wish.home = "POSE"
    return found


def _loop(rig):
    """The body goes to and fro once: where the end is beside it at both ends of the period."""
    body = rig.pose.bones["body"]
    for frame in range(1, 26):
        body.location.x = np.sin(2 * np.pi * (frame - 1) / 24)
        body.keyframe_insert("location", frame=frame)
    wish = rig.pliant_bones
    wish.release, wish.rest, wish.loop = 1, 25, True
    bpy.ops.pliant.bake_bones()
    return _ends(rig, frames=range(1, 26))


def _speed(rig):
    """Milliseconds a frame for the turns of twenty bones, without looking at poses and keying."""
    from pliant_rest import bones

    wish = rig.pliant_bones
    names = [b.name for b in rig.pose.bones if b.name.startswith("tail")]
    frames = wish.release + np.arange(-1, 2 * (wish.rest - wish.release) + 1) / 2
    chain = bones._look(bpy.context, rig, bones.chosen(rig, set(names)), frames)[0]
    begun = time.process_time()
    bones.turned(rig, chain, wish, 24.0, {})
    return 1e3 * (time.process_time() - begun) / (wish.rest - wish.release + 1)


def _tail():
    bpy.context.scene.render.fps = 24
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones.remove(bones[0])
    above = bones.new("body")
    above.head, above.tail = (0, 0, -1), (0, 0, 0)
    for i in range(COUNT):
        bone = bones.new(f"tail{i}")
        bone.head, bone.tail, bone.roll = (0, 0, 0.1 * i), (0, 0, 0.1 * (i + 1)), 0.2
        bone.parent, bone.use_connect, above = above, True, bone
    bpy.ops.object.mode_set(mode="POSE")
    for frame, x in ((RELEASE, 0.0), (STOPS, 0.8)):
        rig.pose.bones["body"].location.x = x
        rig.pose.bones["body"].keyframe_insert("location", frame=frame)
    for bone in rig.pose.bones:
        _select(bone, False)
    return rig


def _select(bone, on):
    (bone if hasattr(bone, "select") else bone.bone).select = on


def _keys(rig):
    from pliant_rest.wishes import curves_of

    return {
        f"{c.data_path}[{c.array_index}]": len(c.keyframe_points)
        for c in curves_of(rig.animation_data)
    }


def _ends(rig, name=f"tail{COUNT - 1}", frames=range(1, STILL + 5)):
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name]
        found.append(list(rig.matrix_world @ posed.tail))
    return found
