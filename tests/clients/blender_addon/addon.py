"""What the scripts of this folder share; they run inside Blender."""

import sys
from pathlib import Path

import bpy
import numpy as np

HOME = Path(__file__).parents[3] / "integrations" / "blender"
sys.path.insert(0, str(HOME))


def switch_on(python=""):
    """A new file with the add-on switched on."""
    import addon_utils  # Blender's, so there only after bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert addon_utils.enable("pliant_rest", default_set=True) is not None
    bpy.context.preferences.addons["pliant_rest"].preferences.python = python


def switch_off():
    import addon_utils

    addon_utils.disable("pliant_rest")


def torus():
    """A torus that a shape key stretches until frame 5; its subdivision comes after the bake."""
    bpy.ops.mesh.primitive_torus_add(
        major_segments=24, minor_segments=8, major_radius=0.5, minor_radius=0.2
    )
    obj = bpy.context.object
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="stretched")
    for point in key.data:
        point.co.x *= 1.4
    for frame, value in ((1, 0.0), (5, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    obj.modifiers.new("Subdivision", "SUBSURF")
    wish = obj.pliant
    wish.release, wish.rest, wish.after, wish.bounces, wish.edge_length = 5, 29, 6, 1, 0.15
    return obj


def shown(obj, frame, *, subdivided=False):
    """Where Blender shows the vertices at a frame, in the object's own coordinates, (n, 3)."""
    later = [m for m in obj.modifiers if m.type == "SUBSURF"]
    for modifier in later:
        modifier.show_viewport = subdivided
    bpy.context.scene.frame_set(frame)
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    for modifier in later:
        modifier.show_viewport = True
    return points.reshape(-1, 3)


def fails(operator):
    """What Blender reports when an operator fails."""
    try:
        operator()
    except RuntimeError as error:
        return str(error).removeprefix("Error: ").strip()
    return ""


def traces(obj):
    """What of the scene a bake could have changed."""
    scene = bpy.context.scene
    return [
        [o.name for o in bpy.data.objects],
        [m.name for m in obj.modifiers],
        [k.name for k in obj.data.shape_keys.key_blocks],
        bool(obj.animation_data),
        scene.frame_current,
        [m.show_viewport for m in obj.modifiers],
    ]
