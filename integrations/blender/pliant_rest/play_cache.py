"""A bake as a mesh cache: one modifier on the object."""

import bpy

from . import stack

NAME = "Rest on cue"


def put_on(obj, path, gathered):
    """Play a cache on the object from its release on; before that it moves as it did."""
    wish = obj.pliant
    modifier = stack.own(obj)
    if modifier is None:
        modifier = obj.modifiers.new(NAME, "MESH_CACHE")
        wish.modifier = modifier.name
    modifier.use_apply_on_spline = obj.type == "CURVE"  # on control points, not on the drawn line
    place = len(stack.posing(obj)) if obj.type == "MESH" else 0
    obj.modifiers.move(obj.modifiers.find(modifier.name), place)
    modifier.cache_format = path.suffix[1:].upper()
    modifier.filepath = relative(path)
    modifier.time_mode, modifier.play_mode = "FRAME", "SCENE"
    # Samples are counted as frames, of which there may be several in one of Blender's.
    modifier.frame_scale = 1.0 / (gathered.rate * gathered.each)
    modifier.frame_start = wish.release * modifier.frame_scale
    modifier.interpolation, modifier.deform_mode = "LINEAR", "OVERWRITE"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    driven = f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"].factor'
    obj.driver_remove(driven)
    # A comparison with `frame` is computed by Blender itself: it needs no permission to run scripts.
    driver = obj.driver_add(driven).driver
    driver.type, driver.expression = "SCRIPTED", f"frame >= {wish.release}"
    wish.baked = "CACHE"


def take_off(obj):
    """Remove the modifier and its driver."""
    modifier = stack.own(obj)
    if modifier is not None:
        obj.driver_remove(f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"].factor')
        obj.modifiers.remove(modifier)
    obj.pliant.modifier = ""


def relative(path):
    """As Blender keeps it: relative to the .blend if there is one."""
    return bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
