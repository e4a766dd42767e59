"""Tables of what is exported, from the declarations beside the classes.

A page says `<!-- declared: materials -->` where it wants the materials with their parameters, and
`<!-- reference: materials -->` where it wants the reference of each that the page does not name itself.
"""

from __future__ import annotations

import re
from typing import Any

from pliant.declared import MISSING, Parameter, parameters_of, sentence_of
from pliant.kinds import DAMPINGS, MATERIALS, OBSTACLES, STEPPERS, Sort

SORTS: dict[str, Sort] = {
    "materials": MATERIALS,
    "dampings": DAMPINGS,
    "steppers": STEPPERS,
    "obstacles": OBSTACLES,
}
#: What chooses one in a scene file.
CHOSEN = {"steppers": "`stepper`", "obstacles": "field"}
#: Has a field of its own in scene files, and a page.
APART = {"Settle"}


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put tables and references where a page names them."""
    markdown = re.sub(r"<!-- reference: (\w+) -->", lambda m: reference(m[1], markdown), markdown)
    return re.sub(r"<!-- declared: (\w+) -->", lambda m: table(m[1]), markdown)


def table(sort: str) -> str:
    """One row for each class that scene files know by its `model`."""
    found = {word: cls for word, cls in SORTS[sort].own().items() if word not in APART}
    rows = [f"| `{word}` | {sentence_of(cls)} | {fields(cls)} |" for word, cls in found.items()]
    return "\n".join(
        [f"| {CHOSEN.get(sort, '`model`')} | what it is | fields |", "|---|---|---|", *rows]
    )


def fields(cls: type[Any]) -> str:
    """The parameters that files can set, in the order of the constructor."""
    return "; ".join(field(p) for p in parameters_of(cls) if p.in_files).replace("|", "\\|")


def field(p: Parameter) -> str:
    """A parameter with its sentence, unit and default."""
    default = p.file_default
    usual = "" if default is MISSING or default is None else f" ({_written(default)})"
    return f"`{p.name}`: {p.note.description}{usual}"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, (int, float)) else f"`{value}`"


def reference(sort: str, markdown: str) -> str:
    """Those that a page does not name itself."""
    names = [cls.__name__ for cls in SORTS[sort].own().values()]
    new = [name for name in names if f"::: pliant.{name}\n" not in markdown]
    return "\n\n".join(f"::: pliant.{name}\n    options: {{ members: false }}" for name in new)
