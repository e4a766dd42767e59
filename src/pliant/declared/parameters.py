"""The declared parameters of a class."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from pliant.errors import shown

from .quantity import Note
from .words import InPython

#: The default of a parameter that has none.
MISSING: Final = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """A parameter of a constructor: its name, its declaration, its type and its default."""

    name: str
    note: Note
    kind: Any
    default: Any

    @property
    def in_files(self) -> bool:
        """Whether scene files can set it."""
        return not isinstance(self.note, InPython)

    @property
    def file_default(self) -> Any:
        """The value if a file leaves it out; MISSING if a file must give it."""
        if self.note.default is ...:
            return MISSING
        return self.default if self.note.default is None else self.note.default

    @property
    def optional(self) -> bool:
        """Whether None is among its values."""
        return type(None) in get_args(self.kind)

    def accept(self, who: str, value: Any) -> Any:
        """The value as the constructor keeps it; refused if it is not what is declared."""
        if value is None and self.optional:
            return None
        words = _words(self.kind)
        if words and not (isinstance(value, str) and value in words):
            expected = " or ".join(f'"{word}"' for word in words)
            raise ValueError(f"{who}: got {self.name}={shown(value)}; expected {expected}")
        return self.note.accept(who, self.name, value)


def parameters_of(cls: Any) -> tuple[Parameter, ...]:
    """The parameters of the constructor of a class that are declared, in their order."""
    return _read(cls)


@cache
def _read(cls: Any) -> tuple[Parameter, ...]:
    constructor = cls.__init__
    if constructor is object.__init__:
        return ()
    hints = get_type_hints(constructor, include_extras=True)
    found = []
    for name, given in inspect.signature(constructor).parameters.items():
        hint = _without_optional(hints.get(name))
        notes = [n for n in getattr(hint, "__metadata__", ()) if isinstance(n, Note)]
        if get_origin(hint) is Annotated and notes:
            found.append(Parameter(name, notes[0], get_args(hint)[0], given.default))
    return tuple(found)


def _without_optional(hint: Any) -> Any:
    """An annotation as it was written: Python 3.10 makes it optional where the default is None."""
    noted = [part for part in get_args(hint) if get_origin(part) is Annotated]
    return noted[0] if get_origin(hint) is Union and len(noted) == 1 else hint


def accept(owner: Any, **given: Any) -> list[Any]:
    """The arguments of a constructor, checked by their declarations, in the order of the call."""
    declared, who = _declared(type(owner)), type(owner).__name__
    return [declared[name].accept(who, value) for name, value in given.items()]


def accept_each(owner: Any, count: int, **given: Any) -> list[np.ndarray]:
    """As `accept`, for quantities that each of `count` elements has: arrays (count,)."""
    who = type(owner).__name__
    notes: dict[str, Any] = {name: _declared(type(owner))[name].note for name in given}
    return [notes[name].accept_each(who, name, value, count) for name, value in given.items()]


def _declared(cls: type) -> dict[str, Parameter]:
    """The parameters of a class and of those that it inherits from, by name."""
    return {p.name: p for base in cls.__mro__[::-1] for p in parameters_of(base)}


class Declared:
    """Base of classes with declared parameters. `repr` is a call that makes the same object."""

    def __repr__(self) -> str:
        known = [p.name for p in parameters_of(type(self)) if p.in_files]
        told = ", ".join(f"{name}={_told(getattr(self, name))}" for name in known)
        return f"{type(self).__name__}({told})"


def example_of(cls: type, **given: Any) -> Any:
    """An object of a class, made of the examples that its parameters declare."""
    for p in parameters_of(cls):
        if p.name not in given and p.note.example is not None:
            given[p.name] = p.note.example
    return cls(**given)


def exported(names: Mapping[str, Any]) -> list[str]:
    """`__all__` of a package: the public names of its `globals()` that are neither modules nor tools."""
    return sorted(
        name
        for name, value in names.items()
        if not (name.startswith("_") or inspect.ismodule(value) or value is exported)
        and name != "TYPE_CHECKING"
    )


def sentence_of(cls: type) -> str:
    """The first sentence of the docstring of a class."""
    return (inspect.getdoc(cls) or cls.__name__).split("\n\n")[0].replace("\n", " ")


def _words(kind: Any) -> list[str]:
    """The words that a `Literal` allows, alone or beside None."""
    if get_origin(kind) in (Union, types.UnionType):
        return [word for part in get_args(kind) for word in _words(part)]
    return list(get_args(kind)) if get_origin(kind) is Literal else []


def _told(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim == 1 and len(value) <= 3:
        return repr(tuple(value.tolist()))
    return f"<an array of shape {value.shape}>"
