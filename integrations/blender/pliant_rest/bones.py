"""Chains of bones that swing home on cue: read from a pose, and keyed onto the chosen bones only."""

import json
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from . import bone_law, samples
from .failure import Failure
from .wishes import curves_of

#: Looks at the pose in each frame.
LOOKS = 2


@dataclass(frozen=True)
class Chain:
    """Bones in a row, and where they are in each sample: matrices in the armature (k, n, 4, 4)."""

    names: list
    parent: str  # the bone above, or ""
    posed: list  # as animated
    home: list  # where they come to rest
    above: list  # matrices of the parent (k,)
    world: list  # of the armature (k,)


def chosen(obj, names):
    """The chosen bones as rows, each below the one before; a branch begins another row."""
    rows, taken = [], set()
    for bone in obj.data.bones:  # parents come first
        if bone.name not in names or bone.name in taken:
            continue
        row = [bone]
        while below := [c for c in row[-1].children if c.name in names and c.name not in taken]:
            row.append(below[0])
            taken.add(below[0].name)
        rows.append([b.name for b in row])
    return rows


def bake(context, obj, names):
    """Key the chosen bones from the release to the end; the action before is kept aside."""
    wish = obj.pliant_bones
    remove(obj)
    rows = chosen(obj, set(names))
    if not rows:
        raise Failure("No bone is selected; select those that are to swing, in Pose mode")
    odd = [n for n in names if obj.pose.bones[n].rotation_mode == "AXIS_ANGLE"]
    if odd:
        raise Failure(f"{odd[0]} turns by Axis Angle; let its Rotation Mode be Quaternion or Euler")
    frames = wish.release + np.arange(-1, (_last(wish) - wish.release) * LOOKS + 1) / LOOKS
    chains = _look(context, obj, rows, frames)
    turns = {n: [[*b.rotation_quaternion], [*b.rotation_euler]] for n, b in _named(obj, names)}
    rate = context.scene.render.fps / context.scene.render.fps_base
    done = {}
    for chain in chains:
        turned(obj, chain, wish, rate, done)
    _key(obj, done, wish)
    wish.baked, wish.names, wish.turns = True, "\n".join(names), json.dumps(turns)


def turned(obj, chain, wish, rate, done):
    """Put the rotations of a chain in whole frames into `done`, with their matrices in the armature."""
    each, bones = 1.0 / (rate * LOOKS), obj.data.bones
    reach = [Vector((0.0, bones[name].length, 0.0)) for name in chain.names]
    heads, tips = (
        _places(chain.world, chain.home, way) for way in ([Vector()] * len(reach), reach)
    )
    share = wish.pull * bone_law.shares([bones[name].length for name in chain.names])
    if wish.loop:
        law = bone_law.Swing.of(_seconds(wish, wish.release, rate), wish.bounces)
        beside = bone_law.loop(law, tips[1:], each, share)
    else:
        posed = _places(chain.world, chain.posed, reach)
        stops = _stops(tips[1:], wish)
        law = bone_law.Swing.of(_seconds(wish, stops, rate), wish.bounces)
        thrown = (posed[1] - posed[0] - tips[1] + tips[0]) / each
        jump = (tips[2] - 2.0 * tips[1] + tips[0]) / each
        v = thrown - share[:, None] * jump
        beside = bone_law.swing(law, tips[1:], each, share, posed[1] - tips[1], v)
    swung = tips[1:] + beside
    for k in range(0, len(swung), LOOKS):
        above = _above(chain, done, k)
        turn = chain.world[k + 1].to_quaternion()
        shift = np.zeros(3)
        for i, name in enumerate(chain.names):
            home = Vector(tips[k + 1, i] - heads[k + 1, i])
            now = Vector(swung[k, i] - heads[k + 1, i] - shift)
            shift = beside[k, i]
            away = turn.inverted() @ home.rotation_difference(now) @ turn
            matrix = (away @ chain.home[k + 1][i].to_quaternion()).to_matrix().to_4x4()
            done.setdefault(name, []).append((_basis(bones[name], matrix, above), matrix))
            above = matrix


def remove(obj):
    """Put the action back that was there before the bake."""
    wish = obj.pliant_bones
    if not wish.baked:
        return
    mine = obj.animation_data.action if obj.animation_data else None
    if mine is not None and mine != wish.before:
        obj.animation_data.action = wish.before
        if mine.users == 0:
            bpy.data.actions.remove(mine)
    turns = json.loads(wish.turns)
    for name, bone in _named(obj, turns):  # those without keys keep what was last set
        bone.rotation_quaternion, bone.rotation_euler = turns[name]
    wish.baked, wish.before = False, None


def _named(obj, names):
    return [(name, obj.pose.bones[name]) for name in names if name in obj.pose.bones]


def _last(wish):
    return max(wish.rest, wish.release + 1) + (0 if wish.loop else wish.after)


def _seconds(wish, since, rate):
    if wish.rest <= wish.release:
        raise Failure(f"At rest at frame {wish.rest} but released at {wish.release}; rest later")
    return (wish.rest - (since if since < wish.rest else wish.release)) / rate


def _stops(tips, wish):
    """The frame at which what they hang on moves for the last time."""
    late = np.flatnonzero(samples.moving(tips))
    return wish.release + late[-1] / LOOKS if len(late) else wish.release


def _look(context, obj, rows, frames):
    parents = [obj.data.bones[row[0]].parent for row in rows]
    chains = [
        Chain(row, parent.name if parent else "", [], [], [], [])
        for row, parent in zip(rows, parents, strict=True)
    ]
    scene, keep_home = context.scene, obj.pliant_bones.home == "POSE"
    now = scene.frame_current, scene.frame_subframe
    for frame in frames:
        scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        evaluated = obj.evaluated_get(context.evaluated_depsgraph_get())
        pose = evaluated.pose.bones
        for chain in chains:
            above = pose[chain.parent].matrix.copy() if chain.parent else Matrix()
            posed = [pose[name].matrix.copy() for name in chain.names]
            chain.posed.append(posed)
            chain.above.append(above)
            chain.world.append(evaluated.matrix_world.copy())
            chain.home.append(posed if keep_home else _at_rest(obj, chain, above))
    scene.frame_set(now[0], subframe=now[1])
    return chains


def _at_rest(obj, chain, above):
    """The chain as it was drawn, on its parent as that is posed."""
    found = []
    for name in chain.names:
        bone = obj.data.bones[name]
        found.append(_local_to_pose(bone, Matrix(), above, invert=False))
        above = found[-1]
    return found


def _local_to_pose(bone, matrix, above, *, invert):
    if bone.parent is None:
        return bone.convert_local_to_pose(matrix, bone.matrix_local, invert=invert)
    return bone.convert_local_to_pose(
        matrix,
        bone.matrix_local,
        parent_matrix=above,
        parent_matrix_local=bone.parent.matrix_local,
        invert=invert,
    )


def _basis(bone, matrix, above):
    return _local_to_pose(bone, matrix, above, invert=True).to_quaternion()


def _above(chain, done, k):
    """The matrix of the parent, which may have been turned itself."""
    if chain.parent in done:
        return done[chain.parent][k // LOOKS][1]
    return chain.above[k + 1]


def _places(world, matrices, reach):
    found = [
        [w @ (m @ way) for m, way in zip(row, reach, strict=True)]
        for w, row in zip(world, matrices, strict=True)
    ]
    return np.array(found)


def _key(obj, done, wish):
    """Key a copy of the action in whole frames, in place of the keys from the release on."""
    data = obj.animation_data_create()
    wish.before = data.action
    if data.action is not None:
        data.action = data.action.copy()
        data.action.name = f"{wish.before.name} on cue"
        _clear(data, obj, done, wish.release)
    for name, turns in done.items():
        bone, last = obj.pose.bones[name], None
        quaternion = bone.rotation_mode == "QUATERNION"
        for k, (turn, _) in enumerate(turns):
            if quaternion:
                turn = -turn if last is not None and last.dot(turn) < 0.0 else turn
                bone.rotation_quaternion = last = Quaternion(turn)
            else:
                last = turn.to_euler(bone.rotation_mode, *([last] if last else []))
                bone.rotation_euler = last
            path = "rotation_quaternion" if quaternion else "rotation_euler"
            bone.keyframe_insert(path, frame=wish.release + k, group=name)


def _clear(data, obj, done, release):
    paths = {f"{obj.pose.bones[name].path_from_id()}.rotation" for name in done}
    for curve in curves_of(data):
        if any(curve.data_path.startswith(path) for path in paths):
            late = [p for p in curve.keyframe_points if p.co[0] >= release - 1e-3]
            for point in reversed(late):
                curve.keyframe_points.remove(point)
