"""The buttons: bake, cancel, remove."""

from typing import ClassVar

import bpy

from . import result
from .failure import Failure
from .work import Work, running


class Bake(bpy.types.Operator):
    """Simulate the object with pliant, in the background, so that it rests at its frame"""

    bl_idname = "pliant.bake"
    bl_label = "Bake"
    bl_options: ClassVar = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """A mesh in object mode that is not being baked."""
        obj = context.object
        if obj is None or obj.type != "MESH" or obj.library is not None:
            return False
        if obj.mode != "OBJECT":
            cls.poll_message_set("Leave edit mode first")
            return False
        return running(obj) is None

    def execute(self, context):
        """Bake and wait for it: for scripts and Blender without a window."""
        try:
            work = Work(context, context.object)
            try:
                work.child.wait()
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
            self._work = Work(context, context.object)
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
        if self._work.child.running:
            context.window_manager.progress_update(100.0 * self._work.child.share)
            return {"PASS_THROUGH"}
        self._end(context)
        try:
            obj = self._work.finish()
        except Failure as failure:
            return self._fail(failure)
        told = self._work.child.told or f"{obj.name} rests at frame {obj.pliant.rest}"
        self.report({"INFO"}, told)
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
    """The panel shows the progress, in whichever windows it is open."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "PROPERTIES":
                area.tag_redraw()
