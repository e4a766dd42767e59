"""The buttons: bake, cancel, remove."""

from typing import ClassVar

import bpy

from . import result
from .failure import Failure
from .work import Work, running

#: What can be baked, and what is said of other things.
BAKED = ("MESH", "CURVE")
_CONVERT = "Convert it first: Object > Convert > "
BAKED_NOT = {
    "FONT": f"Text is not baked. {_CONVERT}Mesh",
    "SURFACE": f"A NURBS surface is not baked. {_CONVERT}Mesh",
    "META": f"Metaballs are not baked. {_CONVERT}Mesh",
    "CURVES": f"Hair is not baked. {_CONVERT}Curve",
    "POINTCLOUD": f"A point cloud is not baked. {_CONVERT}Mesh",
    "VOLUME": "A volume is not baked: give it a surface with a Volume to Mesh modifier of a mesh",
    "GREASEPENCIL": f"Grease Pencil is not baked. {_CONVERT}Curve",
    "GPENCIL": f"Grease Pencil is not baked. {_CONVERT}Curve",
    "LATTICE": "A lattice is not baked; bake the mesh that it deforms",
    "ARMATURE": "Of an armature bones are baked: Pose mode, Rest on cue in the sidebar",
    "EMPTY": "An empty or an instance is not baked: Object > Apply > Make Instances Real",
}


class Bake(bpy.types.Operator):
    """Simulate the object with pliant, in the background, so that it rests at its frame"""

    bl_idname = "pliant.bake"
    bl_label = "Bake"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    together: bpy.props.BoolProperty(
        name="Together",
        description="Bake all selected meshes and curves at once: they touch each other",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context):
        """A mesh or a curve in object mode that is not being baked."""
        obj = context.object
        if obj is None:
            return False
        if obj.type not in BAKED:
            cls.poll_message_set(BAKED_NOT.get(obj.type, "Only meshes and curves are baked"))
            return False
        if obj.library is not None or obj.override_library is not None:
            cls.poll_message_set("It is linked: Object > Relations > Make Local first")
            return False
        if obj.mode != "OBJECT":
            cls.poll_message_set("Leave edit mode first")
            return False
        return running(obj) is None

    def _objects(self, context):
        """What is baked: the active object, and with `together` all that is selected beside it."""
        others = context.selected_objects if self.together else ()
        more = [obj for obj in others if obj.type in BAKED and obj != context.object]
        return [context.object, *more]

    def execute(self, context):
        """Bake and wait for it: for scripts and Blender without a window."""
        try:
            work = Work(context, self._objects(context))
            try:
                work.wait()
            except BaseException:
                work.give_up()
                raise
            work.finish()
        except Failure as failure:
            return self._fail(failure)
        self._warn_if_temporary()
        return {"FINISHED"}

    def invoke(self, context, _event):
        """Bake in the background."""
        if context.window is None:
            return self.execute(context)  # no window, no events
        try:
            self._work = Work(context, self._objects(context))
        except Failure as failure:
            return self._fail(failure)
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.2, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Look after it five times a second; everything else goes on."""
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        _redraw(context)
        if self._work.given_up:
            self._end(context)
            self.report({"INFO"}, "Bake cancelled; nothing was changed")
            return {"CANCELLED"}
        try:
            if self._work.go_on():
                context.window_manager.progress_update(100.0 * self._work.child.share)
                return {"PASS_THROUGH"}
            objs = self._work.finish()
        except Failure as failure:
            self._work.give_up()
            self._end(context)
            return self._fail(failure)
        self._end(context)
        rests = ", ".join(f"{obj.name} rests at frame {obj.pliant.rest}" for obj in objs)
        self.report({"INFO"}, self._work.child.told or rests)
        self._warn_if_temporary()
        return {"FINISHED"}

    def cancel(self, context):
        """Blender loads another file or closes the window."""
        self._work.give_up()
        self._end(context)

    def _end(self, context):
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()

    def _fail(self, failure):
        self.report({"ERROR"}, str(failure))
        return {"CANCELLED"}

    def _warn_if_temporary(self):
        if not bpy.data.filepath:
            self.report(
                {"WARNING"}, "The cache is temporary: save the .blend and bake again to keep it"
            )


class Cancel(bpy.types.Operator):
    """Stop this bake; the scene stays as it is"""

    bl_idname = "pliant.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, context):
        """A bake is under way."""
        return context.object is not None and running(context.object) is not None

    def execute(self, context):
        """Stop it."""
        running(context.object).give_up()
        return {"FINISHED"}


class RemoveBake(bpy.types.Operator):
    """Take the bake off the object; the files of the cache stay where they are"""

    bl_idname = "pliant.remove_bake"
    bl_label = "Remove bake"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """There is a bake, and none is under way."""
        obj = context.object
        return obj is not None and obj.pliant.baked != "" and running(obj) is None

    def execute(self, context):
        """Remove it."""
        result.remove(context.object)
        return {"FINISHED"}


def _redraw(context):
    """Panel and timeline show the progress, in whichever windows they are open."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("PROPERTIES", "DOPESHEET_EDITOR"):
                area.tag_redraw()
