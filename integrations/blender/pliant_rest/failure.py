"""A reason why a bake cannot be: one sentence for Blender's status bar."""


class Failure(Exception):
    """Shown to the user as an error report, without a traceback."""
