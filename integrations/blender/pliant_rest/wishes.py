"""Wishes that are painted or keyed."""

import numpy as np

from .failure import Failure
from .shape import group_weights


def painted(obj):
    """The share of the time to rest that each vertex is given, (n,), or None."""
    if obj.type != "MESH" or not obj.pliant.rest_group:
        return None
    return group_weights(obj, obj.pliant.rest_group, "for rest times")


def keys(obj, frames):
    """Frames at which the wish changes on the way, each with the rest and the bounces from then on."""
    curves = {name: _curve(obj, f"pliant.{name}") for name in ("rest", "bounces")}
    if not any(curves.values()):
        return []
    wish, found, last = obj.pliant, [], None
    for frame in frames[frames == np.floor(frames)]:
        now = tuple(
            round(curve.evaluate(frame)) if curve else getattr(wish, name)
            for name, curve in curves.items()
        )
        if last is not None and now != last and frame > wish.release:
            if now[0] <= frame:
                raise Failure(
                    f"{obj.name}: from frame {frame:.0f} on it is to rest at {now[0]}; give the key a "
                    "later frame, and constant interpolation"
                )
            found.append((float(frame), *now))
        last = now
    return found


def first(obj, frame):
    """Rest and bounces at a frame, keyed or not."""
    found = []
    for name in ("rest", "bounces"):
        curve = _curve(obj, f"pliant.{name}")
        found.append(round(curve.evaluate(frame)) if curve else getattr(obj.pliant, name))
    return found


def latest(obj):
    """The latest frame of rest that is keyed, 0 if none is."""
    curve = _curve(obj, "pliant.rest")
    return int(max((point.co[1] for point in curve.keyframe_points), default=0)) if curve else 0


def _curve(obj, path):
    data = obj.animation_data
    if data is None or data.action is None:
        return None
    return next((c for c in curves_of(data) if c.data_path == path), None)


def curves_of(data):
    """The curves of an action, wherever this Blender keeps them."""
    if hasattr(data.action, "fcurves"):
        return data.action.fcurves
    from bpy_extras import anim_utils  # Blender 5 keeps curves in slots

    bag = anim_utils.action_get_channelbag_for_slot(data.action, data.action_slot)
    return bag.fcurves if bag is not None else ()
