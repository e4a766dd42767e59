"""Scenes to start from: the examples, made small, and one of every kind of body and field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXAMPLES = Path(__file__).parents[3] / "examples" / "scenes"
KINDS = Path(__file__).parents[1] / "seeds"
#: Fields that count something: a few of each are enough to try a field, and quick.
COUNTS = ("cells", "rings", "rows", "bottom")


def seeds() -> list[dict[str, Any]]:
    """All of them, as data."""
    files = [*sorted(EXAMPLES.glob("*.toml")), *sorted(KINDS.glob("*.toml"))]
    return [made_small(tomllib.loads(path.read_text())) for path in files]


def made_small(tree: Any, counting: bool = False) -> Any:
    """A scene with few cells, and with our own surface for every file."""
    if isinstance(tree, dict):
        return {
            k: "cube.obj" if k == "file" and v != "tet.msh" else made_small(v, k in COUNTS)
            for k, v in tree.items()
        }
    if isinstance(tree, list):
        return [made_small(v, counting) for v in tree]
    return min(tree, 6) if counting else tree
