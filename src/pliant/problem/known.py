"""What solvers keep from one step to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Known:
    """What the solver and the searches of one prepared body kept at the end of a step.

    A preconditioner that has served for some steps is seen in the last digits of the next one. So a
    state holds this, and a step that follows it has the same bits whatever was solved in between, and
    in a run that is taken up from a file.
    """

    system: Callable[[], Any]  # a weak reference to the body it is of
    linear: Any  # what the solver's `memory` gave
    searches: tuple[Any, ...]  # what that of each `Searching` energy gave
    held: Any = (
        None  # keeps the blocks of the last matrix, which `linear` may have, from being reused
    )
