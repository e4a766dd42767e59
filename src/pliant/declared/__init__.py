"""Parameters are declared once, as annotations of the constructor that takes them.

    def __init__(self, gamma: Annotated[float, Quantity("drag of a point", "kg/s", at_least=0.0)]):
        accept(self, gamma=gamma)

From these annotations come the checks and their messages, `repr`, the table of scene files with its
schema, the row in the docs, and the example that law tests and the laboratory are made with. What is
annotated with `InPython`, or not at all, is not in scene files.
"""

from .any_of import AnyOf as AnyOf
from .numbers import Numbers as Numbers
from .parameters import (
    MISSING as MISSING,
    Declared as Declared,
    Parameter as Parameter,
    accept as accept,
    accept_each as accept_each,
    example_of as example_of,
    exported as exported,
    parameters_of as parameters_of,
    sentence_of as sentence_of,
)
from .quantity import Checked as Checked, Note as Note, Quantity as Quantity, refuse as refuse
from .words import Described as Described, Flag as Flag, InPython as InPython
