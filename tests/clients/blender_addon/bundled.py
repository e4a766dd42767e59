"""Installs the zip that has wheels, into an empty Blender, and bakes with the Python that it makes."""

import os
from pathlib import Path

import bpy


def work(given):
    os.environ.pop("PYTHONPATH", None)
    os.environ.pop("PLIANT_PYTHON", None)
    os.environ["PATH"] = "/nowhere"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.extensions.package_install_files(
        repo="user_default", filepath=given["zip"], enable_on_install=True
    )
    mine = bpy.context.preferences.addons["bl_ext.user_default.pliant_rest"].preferences
    bpy.ops.pliant.check_python()
    bpy.ops.mesh.primitive_cube_add()
    obj = bpy.context.object
    stretch = obj.modifiers.new("Stretch", "SIMPLE_DEFORM")
    stretch.deform_method, stretch.factor = "STRETCH", 0.5
    obj.pliant.rest, obj.pliant.after, obj.pliant.edge_length = 13, 0, 1.0
    result = bpy.ops.pliant.bake()
    return {
        "found": mine.found,
        "inside": str(Path(os.environ["BLENDER_USER_RESOURCES"])),
        "baked": [*result, obj.pliant.baked],
    }
