"""Bones on cue in the sidebar of Pose mode: the wish, and its buttons."""

from typing import ClassVar

import bpy

from . import bones
from .failure import Failure


def _live(wish, context):
    """Bake anew when a number was changed, if there is a bake and Live is on."""
    if wish.live and wish.baked:
        names = wish.names.split("\n")
        try:
            bones.bake(context, wish.id_data, names)
        except Failure as failure:
            print(failure)


class BonesOnCue(bpy.types.PropertyGroup):
    """The wish of the chosen bones of an armature."""

    release: bpy.props.IntProperty(
        name="Released at frame",
        description="Until then bones go as they are animated",
        default=1,
        update=_live,
    )
    rest: bpy.props.IntProperty(
        name="Still at frame",
        description="1% of the largest distance is left then, if what they hang on stops before",
        default=25,
        update=_live,
    )
    bounces: bpy.props.IntProperty(
        name="Bounces", default=2, min=0, soft_max=12, max=200, update=_live
    )
    pull: bpy.props.FloatProperty(
        name="Motion pulls",
        description="How far the end of a chain lags behind what it hangs on",
        default=1.0,
        min=0.0,
        soft_max=3.0,
        update=_live,
    )
    after: bpy.props.IntProperty(name="Frames after", default=6, min=0, update=_live)
    home: bpy.props.EnumProperty(
        name="Home",
        items=[
            ("POSE", "Animated pose", "They swing about the pose that they are animated in"),
            (
                "REST",
                "Rest pose",
                "They are let go from their pose and swing home to the rest pose",
            ),
        ],
        default="POSE",
        update=_live,
    )
    loop: bpy.props.BoolProperty(
        name="Loop",
        description="From released to still is one period: what they hang on goes round in it, and so "
        "do they, without a seam and without a run-up",
        update=_live,
    )
    live: bpy.props.BoolProperty(
        name="Live", description="Bake again whenever a number here changes", default=True
    )
    # What the last bake left behind.
    baked: bpy.props.BoolProperty(options={"HIDDEN"})
    names: bpy.props.StringProperty(options={"HIDDEN"})
    turns: bpy.props.StringProperty(options={"HIDDEN"})  # of the bones before it, as JSON
    before: bpy.props.PointerProperty(type=bpy.types.Action, options={"HIDDEN"})


class BakeBones(bpy.types.Operator):
    """Let the selected bones swing and rest on cue; no other bone gets a key"""

    bl_idname = "pliant.bake_bones"
    bl_label = "Bake bones"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """An armature in Pose mode with selected bones."""
        obj = context.object
        if obj is None or obj.type != "ARMATURE" or obj.mode != "POSE":
            cls.poll_message_set("Select an armature and go to Pose mode")
            return False
        return obj.library is None

    def execute(self, context):
        """Bake them at once."""
        names = [bone.name for bone in context.selected_pose_bones or ()]
        try:
            bones.bake(context, context.object, names)
        except Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        return {"FINISHED"}


class RemoveBones(bpy.types.Operator):
    """Put the keys back that were there before the bake"""

    bl_idname = "pliant.remove_bones"
    bl_label = "Remove bake"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """There is a bake."""
        obj = context.object
        return obj is not None and obj.type == "ARMATURE" and obj.pliant_bones.baked

    def execute(self, context):
        """Remove it."""
        bones.remove(context.object)
        return {"FINISHED"}


class BonesPanel(bpy.types.Panel):
    """When the selected bones are let go and are still."""

    bl_idname = "VIEW3D_PT_bones_on_cue"
    bl_label = "Bones on cue"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Animation"

    @classmethod
    def poll(cls, context):
        """Pose mode."""
        return context.object is not None and context.object.mode == "POSE"

    def draw(self, context):
        """Draw the wish and the buttons."""
        layout, wish = self.layout, context.object.pliant_bones
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("release", "rest", "bounces", "pull", "home", "loop", "after", "live"):
            layout.prop(wish, name)
        row = layout.row(align=True)
        text = "Bake again" if wish.baked else "Bake selected bones"
        row.operator(BakeBones.bl_idname, text=text, icon="BONE_DATA")
        if wish.baked:
            row.operator(RemoveBones.bl_idname, text="", icon="TRASH")
