"""The add-on's preferences: which Python has pliant."""

import bpy

from . import environment, python
from .failure import Failure


class PliantPreferences(bpy.types.AddonPreferences):
    """Edit > Preferences > Add-ons > Rest on cue."""

    bl_idname = __package__

    python: bpy.props.StringProperty(
        name="Python with pliant",
        description="The python into which you installed pliant; empty: look for one",
        subtype="FILE_PATH",
    )
    found: bpy.props.StringProperty(options={"SKIP_SAVE"})

    def draw(self, _context):
        """Draw the preferences."""
        row = self.layout.row(align=True)
        row.prop(self, "python")
        row.operator(CheckPython.bl_idname, text="Check", icon="CHECKMARK")
        if self.found:
            self.layout.label(text=self.found)
        if not self.python:
            where = "makes one of its own" if environment.bundled() else "looks on the PATH"
            self.layout.label(text=f"Empty: PLIANT_PYTHON, or else {where}", icon="INFO")


class CheckPython(bpy.types.Operator):
    """Say which pliant is found, or what is wrong."""

    bl_idname = "pliant.check_python"
    bl_label = "Check the Python with pliant"

    def execute(self, context):
        """Look, and report."""
        mine = chosen(context)
        try:
            path, about = python.find(bpy.path.abspath(mine.python) if mine.python else "")
        except Failure as failure:
            mine.found = str(failure)
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        mine.found = f"{about} in {path}"
        self.report({"INFO"}, mine.found)
        return {"FINISHED"}


def chosen(context):
    """The preferences."""
    return context.preferences.addons[__package__].preferences
