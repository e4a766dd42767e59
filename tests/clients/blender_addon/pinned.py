"""A cube that hangs from its top: scaled, mirrored, turned, below a parent, in centimetres."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import shown, switch_on


def work(given):
    switch_on(given["python"])
    from pliant_rest.job import home

    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.ops.object.empty_add(location=(3, 2, 1), rotation=(0.3, 0.2, 1.0))
    parent = bpy.context.object
    parent.scale = (2, 1, 1)
    bpy.ops.mesh.primitive_cube_add(size=1)
    obj = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.parent = parent
    obj.scale = (-20, 30, 20)
    obj.rotation_euler = (math.pi, 0.4, 0)
    bpy.context.view_layer.update()
    world = np.array(obj.matrix_world)
    rest = shown(obj, 1)
    height = (rest @ world[:3, :3].T)[:, 2]
    held = np.flatnonzero(height > height.max() - 0.25 * np.ptp(height))
    obj.vertex_groups.new(name="hung").add(held.tolist(), 1.0, "REPLACE")
    wish = obj.pliant
    wish.pins, wish.gravity, wish.preset, wish.bounces = "hung", True, "JELLY", 0
    wish.release, wish.rest, wish.after = 1, 25, 0
    wish.edge_length = 12.0  # centimetres: the cube is 20 to 60 of them across
    assert bpy.ops.pliant.bake("INVOKE_DEFAULT") == {"FINISHED"}
    scene = (home(obj) / "scene.toml").read_text(encoding="utf-8")
    frames = np.array([shown(obj, frame) for frame in (1, 25)]) @ world[:3, :3].T
    start, end = frames
    rest = rest @ world[:3, :3].T
    free = np.setdiff1d(np.arange(len(rest)), held)
    wish.pins, wish.rest = "", 13
    assert bpy.ops.pliant.bake() == {"FINISHED"}
    fallen = (shown(obj, 13) @ world[:3, :3].T - rest).mean(axis=0)
    return {
        "young": wish.young,
        "scene": scene,
        "fallen": fallen.tolist(),
        "size": np.ptp(rest, axis=0).tolist(),
        "start": float(np.abs(start - rest).max()),
        "held": float(np.abs(end - rest)[held].max()),
        "sunk": (end - rest)[free].mean(axis=0).tolist(),
    }
