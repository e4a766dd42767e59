"""What solvers keep from one step to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Known:
    """References to what the solvers and searches of one prepared body had at the end of a step.

    A preconditioner that has served for some steps is seen in the last digits of the next one. So a
    state holds this, and a step that follows it has the same bits whatever was solved in between.
    """

    system: Callable[[], Any]  # a weak reference to the body it is of
    blocks: Any  # of the last matrix; not written to while this lives
    linear: Any
    searches: tuple[Any, ...]
