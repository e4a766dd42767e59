"""What is reported when a bake cannot be, and that the scene stays as it is."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
from addon import fails, switch_on, torus, traces


def work(given):
    switch_on(given["python"])
    said = {}
    bpy.ops.mesh.primitive_plane_add()
    said["sheet, still"] = fails(bpy.ops.pliant.bake)
    bpy.context.object.pliant.kind = "SOLID"
    said["open"] = fails(bpy.ops.pliant.bake)
    bpy.context.object.pliant.fill_holes = True
    said["sheet"] = fails(bpy.ops.pliant.bake)
    bpy.ops.mesh.primitive_cube_add()
    for vertex in bpy.context.object.data.vertices:
        vertex.co.z = 0.0
    said["flat"] = fails(bpy.ops.pliant.bake)
    bpy.ops.mesh.primitive_monkey_add()
    bpy.context.object.pliant.kind = "SOLID"
    said["holes"] = fails(bpy.ops.pliant.bake)
    bpy.ops.mesh.primitive_cube_add()
    obj = bpy.context.object
    said["still"] = fails(bpy.ops.pliant.bake)
    for kind in ("BEVEL", "CAST"):
        obj.modifiers.new(kind.title(), kind)
    said["late"] = fails(bpy.ops.pliant.bake)
    obj.pliant.gravity = True
    obj.pliant.pins = "nobody"
    said["group"] = fails(bpy.ops.pliant.bake)
    obj.vertex_groups.new(name="nobody")
    said["empty"] = fails(bpy.ops.pliant.bake)
    obj.vertex_groups["nobody"].add(range(8), 1.0, "REPLACE")
    said["all"] = fails(bpy.ops.pliant.bake)
    obj.pliant.pins = ""
    obj.scale = (1, 1, 0)
    said["scale"] = fails(bpy.ops.pliant.bake)
    obj.scale = (1, 1, 1)
    obj.pliant.rest = obj.pliant.release
    said["frames"] = fails(bpy.ops.pliant.bake)
    obj.pliant.rest = 20
    obj.data.vertices.add(1)
    said["loose"] = fails(bpy.ops.pliant.bake)
    bpy.ops.object.mode_set(mode="EDIT")
    said["mode"] = not bpy.ops.pliant.bake.poll()
    bpy.ops.object.mode_set(mode="OBJECT")

    obj = torus()
    before = traces(obj)
    mine = bpy.context.preferences.addons["pliant_rest"].preferences
    mine.python = given["nothing"]
    said["no python"] = fails(bpy.ops.pliant.check_python)
    del os.environ["PYTHONPATH"]
    mine.python = sys.executable  # Blender's own has no pliant
    said["no pliant"] = fails(bpy.ops.pliant.check_python)
    said["no pliant, bake"] = fails(bpy.ops.pliant.bake)
    mine.python = given["nothing"]
    said["no python, bake"] = fails(bpy.ops.pliant.bake)
    mine.python = given["python"]
    os.environ["PYTHONPATH"] = given["path"]
    obj.pliant.edge_length = 50.0
    said["pliant's own"] = fails(bpy.ops.pliant.bake)
    said["unchanged"] = traces(obj) == before
    bpy.ops.pliant.check_python()
    said["check"] = mine.found
    return said
