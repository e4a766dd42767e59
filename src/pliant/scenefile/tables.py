"""Tables that are made from the declared parameters of a class."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, create_model

from pliant.declared import MISSING, Parameter, parameters_of, sentence_of

from .fields import Table


class ClassTable(Table):
    """A table whose fields are parameters of a class."""

    makes: ClassVar[type[Any]]

    @property
    def refines(self) -> bool:
        """Whether what it makes can be made on a finer mesh."""
        return True

    def arguments(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {
            p.name: p.note.from_file(getattr(self, p.name))
            for p in parameters_of(self.makes)
            if p.name in type(self).model_fields
        }

    def make(self, *given: Any, **more: Any) -> Any:
        """The object of the library; given, more: what files say elsewhere."""
        return self.makes(*given, **self.arguments() | more)


@cache
def table_of(
    cls: Any,
    *,
    model: str = "",
    usual: bool = False,
    but: Collection[str] = (),
    base: Any = ClassTable,
) -> type[ClassTable]:
    """The table of a class.

    model: its name, where a field `model` chooses among several; usual: that of those who choose none.
    but: parameters that files say elsewhere.
    """
    fields: dict[str, Any] = {}
    if model:
        default = model if usual else ...
        fields["model"] = (Literal[model], Field(default, description=sentence_of(cls)))
    for p in parameters_of(cls):
        if p.in_files and p.name not in but:
            fields[p.name] = (annotation_of(p), field_of(p))
    made: type[ClassTable] = create_model(
        f"{cls.__name__}Table", __base__=base, __doc__=sentence_of(cls), **fields
    )
    made.makes = cls
    return made


def annotation_of(p: Parameter) -> Any:
    """The type of a field, for pydantic."""
    kind: Any = Annotated[p.note.file_type or p.kind, p.note]
    return kind | None if p.file_default is None else kind


def field_of(p: Parameter) -> Any:
    """Default and description of a field."""
    default = ... if p.file_default is MISSING else p.file_default
    return Field(default, description=p.note.description)
