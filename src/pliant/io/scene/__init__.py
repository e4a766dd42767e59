"""Scene files: a scene in TOML, read, checked, changed, built and written again."""

from .errors import SceneError
from .file import SceneFile, json_schema, parse, read, validate
from .setup import Setup

__all__ = [
    "SceneError",
    "SceneFile",
    "Setup",
    "json_schema",
    "parse",
    "read",
    "validate",
]
