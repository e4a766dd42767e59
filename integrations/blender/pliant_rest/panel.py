"""The panel, in the Physics tab: there Cloth and Soft Body are, and the wish belongs to the object."""

from typing import ClassVar

import bpy

from . import bake
from .work import running


class _InPhysics:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context):
        """Meshes only."""
        return context.object is not None and context.object.type == "MESH"


class RestOnCuePanel(_InPhysics, bpy.types.Panel):
    """When it is released, when it rests, how often it bounces."""

    bl_idname = "PHYSICS_PT_rest_on_cue"
    bl_label = "Rest on cue"

    def draw(self, context):
        """Draw the wish and the buttons."""
        layout, obj = self.layout, context.object
        wish, work = obj.pliant, running(obj)
        layout.use_property_split = True
        layout.use_property_decorate = False
        inputs = layout.column()
        inputs.enabled = work is None
        frames = inputs.column(align=True)
        frames.prop(wish, "release", text="Released at frame")
        frames.prop(wish, "rest", text="At rest at frame")
        inputs.prop(wish, "bounces")
        if wish.bounces == 0:
            inputs.prop(wish, "soft")
        inputs.prop_search(wish, "pins", obj, "vertex_groups")
        inputs.prop(wish, "gravity")
        if wish.gravity and not wish.pins:
            inputs.label(text="Nothing is pinned: it will fall", icon="INFO")
        if wish.gravity and not context.scene.use_gravity:
            inputs.label(text="Gravity is off in the scene", icon="INFO")
        if work is None:
            _buttons(layout, wish)
        else:
            _progress(layout, work.child)


def _buttons(layout, wish):
    row = layout.row(align=True)
    row.operator(bake.Bake.bl_idname, text="Bake again" if wish.baked else "Bake", icon="PHYSICS")
    if wish.baked:
        row.operator(bake.RemoveBake.bl_idname, text="", icon="TRASH")


def _progress(layout, child):
    row = layout.row(align=True)
    # The child's thread may go on between two looks: each is looked at once.
    text, left = child.doing, child.seconds_left
    if not text:
        text = f"frame {child.frame} of {child.of}, {left:.0f} s left"
    if hasattr(row, "progress"):
        row.progress(factor=child.share, text=text)
    else:  # before Blender 4.0
        row.label(text=f"{100 * child.share:.0f}%, {text}")
    row.operator(bake.Cancel.bl_idname, text="", icon="CANCEL")


class _Folded(_InPhysics):
    bl_parent_id = RestOnCuePanel.bl_idname
    bl_options: ClassVar = {"DEFAULT_CLOSED"}


def _properties(layout, obj, *names):
    """Properties of the wish, which cannot be changed while it is baked."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.enabled = running(obj) is None
    for name in names:
        layout.prop(obj.pliant, name)


class MaterialPanel(_Folded, bpy.types.Panel):
    """What it is made of."""

    bl_idname = "PHYSICS_PT_rest_on_cue_material"
    bl_label = "Material"

    def draw(self, context):
        """Draw stiffness, Poisson's ratio and density."""
        _properties(self.layout, context.object, "preset", "young", "poisson", "density")


class OutputPanel(_Folded, bpy.types.Panel):
    """How finely it is simulated and what is written."""

    bl_idname = "PHYSICS_PT_rest_on_cue_output"
    bl_label = "Simulation and output"

    def draw(self, context):
        """Draw cell size, holes, frames after rest and the kind of output."""
        layout, obj = self.layout, context.object
        _properties(layout, obj, "edge_length", "fill_holes", "after", "output")
        if not bpy.data.filepath and obj.pliant.output == "CACHE":
            layout.label(text="Unsaved .blend: the cache is temporary", icon="INFO")
