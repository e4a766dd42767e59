"""A bake as a mesh cache: one modifier on the object."""

import bpy

from . import stack

NAME = "Rest on cue"


def put_on(obj, path):
    """Play a PC2 file on the object from its release on; before that it moves as it did."""
    wish = obj.pliant
    modifier = stack.own(obj)
    if modifier is None:
        modifier = obj.modifiers.new(NAME, "MESH_CACHE")
        wish.modifier = modifier.name
    place = len(stack.posing(obj))
    obj.modifiers.move(obj.modifiers.find(modifier.name), place)
    modifier.cache_format = "PC2"
    modifier.filepath = relative(path)
    modifier.time_mode, modifier.play_mode = "FRAME", "SCENE"
    modifier.frame_start, modifier.frame_scale = wish.release, 1.0
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
