"""Errors, and the words that they are told in.

Here are the exceptions of pliant, the checks of numbers that most refusals share, how a value is
shown in a message, and `Advice`: messages whose remedy is a call in Python and a field in a scene
file. This room imports no other.
"""

from .advice import Advice, in_scene, prefixed
from .errors import (
    LARGEST,
    SMALLEST,
    ImpossibleWishError,
    MissingExtraError,
    OldName,
    SolverError,
    UnstableError,
    check_not_negative,
    check_positive,
    check_size,
    is_finite,
    is_whole,
    renamed,
    require_matplotlib,
    usable,
)
from .words import SHOWN, described, shown

__all__ = [
    "LARGEST",
    "SHOWN",
    "SMALLEST",
    "Advice",
    "ImpossibleWishError",
    "MissingExtraError",
    "OldName",
    "SolverError",
    "UnstableError",
    "check_not_negative",
    "check_positive",
    "check_size",
    "described",
    "in_scene",
    "is_finite",
    "is_whole",
    "prefixed",
    "renamed",
    "require_matplotlib",
    "shown",
    "usable",
]
