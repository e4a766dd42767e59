"""Docstrings explain parameters as `name [unit]: words` on lines of their own; so do the pages."""

from __future__ import annotations

import importlib
import re
from typing import Any

import griffe

#: What users need of all bodies. The other names of `Deformable` are for scenes and steppers.
# fmt: off
OF_BODIES = {
    "anneal", "change_damping", "compliance", "cue_report", "cut", "damping", "dim", "direct",
    "drop_keys", "fix", "keyed_dampings", "loads", "masses", "mesh", "move", "parts", "pinned",
    "pins", "place", "plastic", "positions", "push", "release", "reset", "rest_at", "rest_shape",
    "skin", "thickness", "touch", "unpush", "velocity", "wear",
}
# fmt: on


class Parameters(griffe.Extension):
    """Set the parameters that a docstring explains apart; hide what users do not need."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Materials, dampings and bodies are names of the package, though no line of it says so."""
        if pkg.path != "pliant":
            return
        from pliant.kinds import BODIES, DAMPINGS, MATERIALS

        for sort in (MATERIALS, DAMPINGS, BODIES):
            for one in sort.classes():
                pkg.set_member(
                    one.__name__, griffe.Alias(one.__name__, f"{one.__module__}.{one.__name__}")
                )

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Parameters of its making, and what it holds."""
        made = cls.members.get("__init__")
        if isinstance(made, griffe.Function):
            add_declared(cls, made)
        names = [p.name for p in made.parameters] if isinstance(made, griffe.Function) else []
        set_apart(cls, {*names, *cls.members})
        if cls.module.path.startswith("pliant.bodies."):
            from pliant.bodies import Deformable

            for name in set(dir(Deformable)) - OF_BODIES:
                if not name.startswith("_") and name in cls.members:
                    cls.del_member(name)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Parameters of a call."""
        set_apart(func, {p.name for p in func.parameters})


def add_declared(cls: griffe.Class, made: griffe.Function) -> None:
    """Show the plain types of declared parameters, and list what is declared of them."""
    from pliant.declared import MISSING, parameters_of

    found = getattr(importlib.import_module(cls.module.path), cls.name, None)
    try:
        declared = parameters_of(found) if isinstance(found, type) else ()
    except NameError:  # annotations that are for type checkers alone declare nothing
        return
    rows = []
    for p in declared:
        kind = getattr(p.kind, "__name__", str(p.kind)) if isinstance(p.kind, type) else str(p.kind)
        if "_SupportsArray" in kind:  # NumPy's ArrayLike, spelled out
            kind = "ArrayLike | None" if "None" in kind else "ArrayLike"
        made.parameters[p.name].annotation = re.sub(r"\b(typing|numpy(\.\w+)*)\.", "", kind)
        usual = "" if p.default is MISSING else f" (`{p.default!r}`)"
        rows.append(f"| `{p.name}` | {p.note.description}{usual} |".replace(" | None", ""))
    if rows and cls.docstring is not None:
        cls.docstring.value += "\n\n| parameter | |\n|---|---|\n" + "\n".join(rows)


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
