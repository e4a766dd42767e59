"""Errors, and the words that they are told in.

Here are the exceptions of pliant, the checks of numbers that most refusals share, how a value is
shown in a message, and `Advice`: messages whose remedy is a call in Python and a field in a scene
file. This room imports no other.
"""

from .advice import Advice as Advice, in_scene as in_scene, prefixed as prefixed
from .errors import (
    LARGEST as LARGEST,
    SMALLEST as SMALLEST,
    ImpossibleWishError as ImpossibleWishError,
    MissingExtraError as MissingExtraError,
    OldName as OldName,
    SolverError as SolverError,
    UnstableError as UnstableError,
    check_positive as check_positive,
    check_size as check_size,
    is_finite as is_finite,
    is_whole as is_whole,
    optional as optional,
    renamed as renamed,
    require_matplotlib as require_matplotlib,
    usable as usable,
    warn_user as warn_user,
)
from .words import described as described, shown as shown
