"""Several attributes replaced at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any


def set_together(changes: Sequence[tuple[Any, str, Any]]) -> None:
    """Set (object, attribute, value) for all of them, or for none if an interrupt comes.

    The loop runs in C, and Python handles interrupts only between bytecodes. So the attributes must not
    be properties.
    """
    if changes:
        deque(map(setattr, *zip(*changes, strict=True)), maxlen=0)
