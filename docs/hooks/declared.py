"""Tables of what is exported, from the declarations beside the classes.

A page says `<!-- declared: materials -->` where it wants the materials with their parameters, and
`<!-- reference: materials -->` where it wants the reference of each that the page does not name itself.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from pydantic_core import PydanticUndefined

from pliant.bodies import LINEAR_CELLS
from pliant.declared import MISSING, Parameter, parameters_of, sentence_of
from pliant.kinds import BODIES, DAMPINGS, MATERIALS, OBSTACLES, STEPPERS, Sort

SORTS: dict[str, Sort] = {
    "materials": MATERIALS,
    "dampings": DAMPINGS,
    "steppers": STEPPERS,
    "obstacles": OBSTACLES,
    "bodies": BODIES,
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
    if sort == "bodies":
        return bodies()
    found = {word: cls for word, cls in SORTS[sort].own().items() if word not in APART}
    rows = [f"| `{word}` | {sentence_of(cls)} | {fields(cls)} |" for word, cls in found.items()]
    return "\n".join(
        [f"| {CHOSEN.get(sort, '`model`')} | what it is | fields |", "|---|---|---|", *rows]
    )


def bodies() -> str:
    """One row for each field that makes a body, with all that stands in its table."""
    from pliant.scenefile.body import BodyTable
    from pliant.scenefile.fitting import BODY_WORDS

    rows = []
    for word, classes in BODY_WORDS.items():
        table = get_args(BodyTable.model_fields[word].annotation)[0]
        inside = [
            f"`{name}`: {about.description}{_usual(about.get_default())}"
            for name, about in table.model_fields.items()
        ]
        cells = frozenset().union(*(cls.cells for cls in classes))
        space = " in space" if any(cls.in_space for cls in classes) else ""
        mesh = "any with linear cells" if cells >= LINEAR_CELLS else ", ".join(_cells(cells))
        rows.append(f"| `{word}` | {sentence_of(table)} | {mesh}{space} | {'<br>'.join(inside)} |")
    return "\n".join(["| field | what it is | its mesh | fields |", "|---|---|---|---|", *rows])


def _cells(kinds: frozenset[str]) -> list[str]:
    names = {"line2": "lines", "tri3": "triangles", "quad4": "quads", "tet4": "tetrahedra"}
    return [name for kind, name in names.items() if kind in kinds]


def fields(cls: type[Any]) -> str:
    """The parameters that files can set, in the order of the constructor."""
    return "<br>".join(field(p) for p in parameters_of(cls) if p.in_files).replace("|", "\\|")


def field(p: Parameter) -> str:
    """A parameter with its sentence, unit and default."""
    return f"`{p.name}`: {p.note.description}{_usual(p.file_default)}"


def _usual(default: Any) -> str:
    missing = default is None or default is MISSING or default is PydanticUndefined
    return "" if missing else f" ({_written(default)})"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, (int, float)) else f"`{value}`"


def reference(sort: str, markdown: str) -> str:
    """Those that a page does not name itself."""
    names = [cls.__name__ for cls in SORTS[sort].classes()]
    new = [name for name in names if f"::: pliant.{name}\n" not in markdown]
    return "\n\n".join(f"::: pliant.{name}\n    options: {{ members: false }}" for name in new)
