"""Bakes a torus into a cache and into shape keys, and saves what Blender shows."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import shown, switch_on, torus


def work(given):
    switch_on(given["python"])
    obj = torus()
    folder = Path(given["folder"])
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "torus.blend"))
    bpy.context.scene.frame_set(17)
    posed = np.array([shown(obj, frame) for frame in range(1, 6)])
    bpy.context.scene.frame_set(17)
    assert bpy.ops.pliant.bake() == {"FINISHED"}
    stayed = bpy.context.scene.frame_current
    frames = np.array([shown(obj, frame) for frame in range(1, 45)])
    fine = len(shown(obj, 20, subdivided=True))
    order = [m.type for m in obj.modifiers]
    modifier = obj.modifiers[0]
    path = modifier.filepath

    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(folder / "torus.blend"))
    obj = bpy.context.object
    again = np.array([shown(obj, frame) for frame in range(1, 45)])

    # The same take as keys: put there by the add-on, without a second simulation.
    from pliant_rest import play_keys, point_cache

    positions = point_cache.read(folder / "torus_pliant/Torus/cache.pc2")
    copy = play_keys.put_beside(obj, positions, np.arange(len(positions)) + obj.pliant.release)
    keys = np.array([shown(copy, frame) for frame in range(1, 45)])
    hidden = [obj.hide_get(), obj.hide_render]
    kept = [m.type for m in copy.modifiers]
    actions = len(bpy.data.actions)
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.pliant.remove_bake() == {"FINISHED"}
    left = [k.name for k in bpy.data.shape_keys if k.users == 0 or k.user is None]
    np.savez(folder / "shown.npz", frames=frames, posed=posed, again=again, keys=keys)
    return {
        "stayed": stayed,
        "order": order,
        "path": path,
        "fine": fine,
        "hidden": hidden,
        "kept": kept,
        "gone": copy.name not in bpy.data.objects if _alive(copy) else True,
        "left": [len(bpy.data.shape_keys), len(bpy.data.meshes), *left],
        "actions": [actions, len(bpy.data.actions)],
        "back": [obj.hide_get(), obj.hide_render],
    }


def _alive(thing):
    try:
        return bool(thing.name)
    except ReferenceError:
        return False
