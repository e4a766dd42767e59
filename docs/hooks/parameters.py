"""Docstrings explain parameters as `name [unit]: words` on lines of their own; so do the pages."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Parameters(griffe.Extension):
    """Set the parameters that a docstring explains apart from each other."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Parameters of its making, and what it holds."""
        made = cls.members.get("__init__")
        names = [p.name for p in made.parameters] if isinstance(made, griffe.Function) else []
        set_apart(cls, {*names, *cls.members})

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Parameters of a call."""
        set_apart(func, {p.name for p in func.parameters})


def set_apart(obj: griffe.Object, names: set[str]) -> None:
    """Begin a paragraph with every line that explains one of these names, or several."""
    if obj.docstring is None:
        return

    def paragraph(line: re.Match[str]) -> str:
        if not set(line["names"].split(", ")) <= names:
            return line[0]
        shown = ", ".join(f"`{name}`" for name in line["names"].split(", "))
        return f"\n{shown}{line['unit'] or ''}: "

    start = r"^(?P<names>\w+(?:, \w+)*)(?P<unit> \[[^\]]*\])?: "
    obj.docstring.value = re.sub(start, paragraph, obj.docstring.value, flags=re.MULTILINE)
