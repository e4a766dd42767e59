"""Scene files: a scene in TOML, read, checked, changed, built and written again.

Tables of the file are made from what classes declare (`tables`), or written here where a file says
more than a constructor: meshes, poses, drives, selections. Mistakes are told with the line they are
on (`mistakes`), and edits keep comments (`edits`).
"""

from .edits import parse_keys as parse_keys, parse_value as parse_value
from .errors import SceneError as SceneError
from .file import (
    SceneFile as SceneFile,
    json_schema as json_schema,
    parse as parse,
    read as read,
    validate as validate,
)
from .reading import NotTomlError as NotTomlError, parse_toml as parse_toml
from .selections import evaluate as evaluate
from .setup import Setup as Setup
from .toml_text import value_text as value_text
