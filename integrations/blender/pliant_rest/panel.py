"""The panel, in the Physics tab: there Cloth and Soft Body are, and the wish belongs to the object."""

from typing import ClassVar

import bpy

from . import bake, matter, notes
from .work import running


class _InPhysics:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context):
        """Meshes and curves."""
        return context.object is not None and context.object.type in bake.BAKED


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
        frames.use_property_decorate = inputs.use_property_decorate = True  # wishes can be keyed
        frames.prop(wish, "rest", text="At rest at frame")
        inputs.prop(wish, "bounces")
        if wish.bounces == 0:
            inputs.prop(wish, "soft")
        if obj.type == "MESH":
            inputs.prop_search(wish, "pins", obj, "vertex_groups")
            inputs.prop_search(wish, "rest_group", obj, "vertex_groups")
        else:
            inputs.prop(wish, "hold_roots")
        inputs.prop(wish, "gravity")
        for said in notes.of(context, obj):
            inputs.label(text=said, icon="INFO")
        if work is None:
            _buttons(layout, wish, context)
        else:
            _progress(layout, work.child)


def _buttons(layout, wish, context):
    selected = [obj for obj in context.selected_objects if obj.type in bake.BAKED]
    if len(selected) > 1 and context.object in selected:
        text = f"Bake {len(selected)} objects together"
        layout.operator(bake.Bake.bl_idname, text=text, icon="PHYSICS").together = True
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
        """Draw kind, preset and what counts for them."""
        obj = context.object
        kind = obj.pliant.kind if obj.type == "MESH" else "ROD"
        names = ["preset"] if obj.type == "CURVE" else ["kind", "preset"]
        cloth = kind == "CLOTH" or (kind == "AUTO" and obj.pliant.preset in matter.WOVEN)
        names += (
            ["stretch", "shear", "bend", "weight"] if cloth else ["young", "poisson", "density"]
        )
        names += ["thickness"] if kind in ("AUTO", "SHELL", "ROD") and not cloth else []
        _properties(self.layout, obj, *names)


class MotionPanel(_Folded, bpy.types.Panel):
    """How it follows what moves, and what it meets."""

    bl_idname = "PHYSICS_PT_rest_on_cue_motion"
    bl_label = "Motion and collision"

    def draw(self, context):
        """Draw follow-through, pull and collision."""
        _properties(self.layout, context.object, "follow_through", "pull", "touches")


class OutputPanel(_Folded, bpy.types.Panel):
    """How finely it is simulated and what is written."""

    bl_idname = "PHYSICS_PT_rest_on_cue_output"
    bl_label = "Simulation and output"

    def draw(self, context):
        """Draw cell size, holes, frames after rest and the kind of output."""
        layout, obj = self.layout, context.object
        names = ["edge_length", "fill_holes"] if obj.type == "MESH" else []
        _properties(layout, obj, *names, "after", "samples", "output")
        if not bpy.data.filepath and obj.pliant.output != "KEYS":
            layout.label(text="Unsaved .blend: the cache is temporary", icon="INFO")
