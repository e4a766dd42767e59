"""Installs the zip as a user does: as an extension, and the older way."""

import os
import sys
from pathlib import Path

import bpy


def work(given):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.extensions.package_install_files(
        repo="user_default", filepath=given["zip"], enable_on_install=True
    )
    name = "bl_ext.user_default.pliant_rest"
    answer = {
        "where": str(Path(sys.modules[name].__file__).resolve()),
        "home": str(Path(os.environ["BLENDER_USER_RESOURCES"]).resolve()),
        "on": name in bpy.context.preferences.addons,
        "panel": hasattr(bpy.types, "PHYSICS_PT_rest_on_cue"),
    }
    mine = bpy.context.preferences.addons[name].preferences
    mine.python = given["python"]
    bpy.ops.pliant.check_python()
    answer["check"] = mine.found
    bpy.ops.preferences.addon_disable(module=name)
    # As Blender before 4.2 does it.
    bpy.ops.preferences.addon_install(filepath=given["zip"])
    bpy.ops.preferences.addon_enable(module="pliant_rest")
    answer["legacy"] = hasattr(bpy.types, "PHYSICS_PT_rest_on_cue")
    return answer
