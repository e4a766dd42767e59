"""Parameters are declared once, as annotations of the constructor that takes them.

    def __init__(self, gamma: Annotated[float, Quantity("drag of a point", "kg/s", at_least=0.0)]):
        accept(self, gamma=gamma)

From these annotations come the checks and their messages, `repr`, the table of scene files with its
schema, the row in the docs, and the example that law tests and the laboratory are made with. What is
annotated with `InPython`, or not at all, is not in scene files.
"""

from .any_of import AnyOf
from .numbers import Numbers
from .parameters import (
    MISSING,
    Declared,
    Parameter,
    accept,
    example_of,
    exported,
    parameters_of,
    sentence_of,
)
from .quantity import Note, Quantity, refuse
from .words import Described, Flag, InPython

__all__ = [
    "MISSING",
    "AnyOf",
    "Declared",
    "Described",
    "Flag",
    "InPython",
    "Note",
    "Numbers",
    "Parameter",
    "Quantity",
    "accept",
    "example_of",
    "exported",
    "parameters_of",
    "refuse",
    "sentence_of",
]
