"""Values that declared parameters can have, as a scene file writes them."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from pliant.declared import MISSING, Flag, Numbers, Parameter
from pliant.scenefile.tables import annotation_of


def another(p: Parameter) -> Any:
    """A value that is not the default."""
    for value in _values(p):
        if value != p.file_default and allowed(p, value):
            return value
    raise AssertionError(f"{p.name}: declare an example; none of {list(_values(p))} will do")


def allowed(p: Parameter, value: Any) -> bool:
    """Whether a file may say it."""
    try:
        TypeAdapter(annotation_of(p)).validate_python(value)
    except ValidationError:
        return False
    return True


def read(p: Parameter, value: Any) -> Any:
    """What the constructor is given for a value of a file."""
    return p.note.from_file(TypeAdapter(annotation_of(p)).validate_python(value))


def usual(p: Parameter) -> Any:
    """The default, or the example where there is none."""
    return p.note.example if p.file_default is MISSING else p.file_default


def _values(p: Parameter) -> list[Any]:
    if isinstance(p.note, Flag):
        return [True, False]
    if isinstance(p.note, Numbers):
        return [p.note.example, *([0.1 * k] * n for k in (3, 7, 20) for n in (1, 2, 3))]
    words = [w for kind in _parts(p.note.file_type or p.kind) for w in get_args(kind)]
    return [*words, p.note.example, 0.7, 0.3, 1.7, 3, 40]


def _parts(kind: Any) -> list[Any]:
    if get_origin(kind) is Literal:
        return [kind]
    return [part for inner in get_args(kind) for part in _parts(inner)]


def toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(toml(v) for v in value)}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def same(found: Any, given: Any) -> bool:
    """Whether an object keeps what a file says."""
    if hasattr(found, "tolist"):
        found = found.tolist()
    if isinstance(given, (tuple, list)):
        return [*found] == [*given]
    return found == given
