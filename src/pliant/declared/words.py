"""Parameters that are words or flags, and those that files do not have."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from pliant.given import flag

from .quantity import Note


@dataclass(frozen=True)
class Described(Note):
    """A parameter whose annotation says which values it takes, or `kind`, if files take fewer."""

    _: KW_ONLY
    kind: Any = None

    @property
    def file_type(self) -> Any:
        """For pydantic; None if that of the annotation is meant."""
        return self.kind


@dataclass(frozen=True)
class Flag(Note):
    """True or False."""

    file_type = bool

    def accept(self, who: str, what: str, value: Any) -> bool:
        """The flag that a constructor was given."""
        return flag(who, what, value)


@dataclass(frozen=True)
class InPython(Note):
    """A parameter that is not in scene files; `about` says what is there instead, or why not."""
