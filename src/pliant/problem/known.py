"""What solvers keep from one step to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Known:
    """What the solver and the searches of one prepared body kept at the end of a step.

    A kept preconditioner changes the last digits of the next step. A state therefore refers to it. The
    next step then gives the same bits, whatever was solved in between, and also in a resumed run.
    """

    system: Callable[[], Any]  # a weak reference to the body it is of
    linear: Any  # what the solver's `memory` gave
    searches: tuple[Any, ...]  # what that of each `Searching` energy gave
    held: Any = (
        None  # keeps the blocks of the last matrix, which `linear` may have, from being reused
    )
