"""A bake as shape keys: a copy of the object that needs no file, for export."""

import bpy
import numpy as np

from . import stack
from .failure import Failure
from .wishes import curves_of


def put_beside(obj, positions, frames):
    """Make a copy with one shape key per sample (frames, n, 3) and hide the original.

    A copy, because the keys of a bake would add to those that pose the original.
    """
    if obj.type != "MESH":
        raise Failure(f"{obj.name} is a curve and has no shape keys for this; write a mesh cache")
    wish = obj.pliant
    copy = obj.copy()
    copy.name = f"{obj.name} baked"
    # Without its keys: a Key that is copied by `data.copy()` can never be removed again.
    copy.data = bpy.data.meshes.new_from_object(obj, preserve_all_data_layers=True)
    copy.data.name = f"{obj.data.name} baked"
    copy.pliant.copy, copy.pliant.baked, copy.pliant.modifier = None, "", ""
    for users in obj.users_collection:
        users.objects.link(copy)
    names = {m.name for m in stack.posing(obj)}
    mine = stack.own(obj)
    names |= {mine.name} if mine is not None else set()
    for modifier in [m for m in copy.modifiers if m.name in names]:
        copy.modifiers.remove(modifier)
    copy.shape_key_add(name="Basis", from_mix=False)
    last = len(positions) - 1
    for k, frame in enumerate(positions):
        key = copy.shape_key_add(name=f"frame {frames[k]:g}", from_mix=False)
        key.data.foreach_set("co", np.ascontiguousarray(frame, dtype=np.float32).ravel())
        for step in (-1, 0, 1):
            if 0 <= k + step <= last:  # the first key holds before, the last after
                key.value = 1.0 - abs(step)
                key.keyframe_insert("value", frame=frames[k + step])
    for curve in curves_of(copy.data.shape_keys.animation_data):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    wish.copy, wish.baked = copy, "KEYS"
    _hide(obj, True)
    return copy


def take_away(obj):
    """Remove the copy and show the original again."""
    copy, obj.pliant.copy = obj.pliant.copy, None
    if copy is not None:
        mesh, keys = copy.data, copy.data.shape_keys
        action = keys.animation_data.action if keys and keys.animation_data else None
        if keys:
            copy.shape_key_clear()  # or the Key stays behind, used by the mesh that is gone
        bpy.data.objects.remove(copy)
        if mesh.users == 0:
            bpy.data.meshes.remove(mesh)
        if action is not None and action.users == 0:
            bpy.data.actions.remove(action)
    _hide(obj, False)


def _hide(obj, hidden):
    obj.hide_render = hidden
    if obj.name in bpy.context.view_layer.objects:  # it may be another scene's by now
        obj.hide_set(hidden)
