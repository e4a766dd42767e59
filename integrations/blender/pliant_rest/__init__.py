"""Rest on cue: a mesh is released at one frame and at rest at another, simulated by pliant."""

# Blender before 4.2 reads this instead of blender_manifest.toml.
bl_info = {
    "name": "Rest on cue (pliant)",
    "author": "The pliant authors",
    "version": (0, 1, 0),
    "blender": (3, 6, 0),
    "location": "Properties > Physics > Rest on cue",
    "description": "Soft bodies that come to rest at the frame you name",
    "category": "Physics",
}

import atexit  # noqa: E402 - bl_info must be found without importing

import bpy  # noqa: E402

from . import bake, bone_panel, panel, preferences, settings, timeline, work  # noqa: E402

CLASSES = (
    settings.RestOnCue,
    preferences.PliantPreferences,
    preferences.CheckPython,
    bake.Bake,
    bake.Cancel,
    bake.RemoveBake,
    panel.RestOnCuePanel,
    panel.MaterialPanel,
    panel.MotionPanel,
    panel.OutputPanel,
    bone_panel.BonesOnCue,
    bone_panel.BakeBones,
    bone_panel.RemoveBones,
    bone_panel.BonesPanel,
)


def register():
    """Called by Blender when the add-on is switched on."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.pliant = bpy.props.PointerProperty(type=settings.RestOnCue)
    bpy.types.Object.pliant_bones = bpy.props.PointerProperty(type=bone_panel.BonesOnCue)
    bpy.types.DOPESHEET_HT_header.append(timeline.draw)
    atexit.register(work.stop_all)  # a child must not outlive Blender


def unregister():
    """Called by Blender when the add-on is switched off."""
    work.stop_all()
    bpy.types.DOPESHEET_HT_header.remove(timeline.draw)
    atexit.unregister(work.stop_all)
    del bpy.types.Object.pliant, bpy.types.Object.pliant_bones
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
