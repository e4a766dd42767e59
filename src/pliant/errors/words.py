"""How a value looks in a message."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Characters of a value that an error message shows.
SHOWN = 80


def shown(value: Any) -> str:
    """What a value looks like, in at most `SHOWN` characters on one line."""
    digits = int(0.30103 * value.bit_length()) + 1 if type(value) is int else 0
    if digits > SHOWN // 2:
        return f"a whole number of {digits} digits"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # some types have a broken repr, and integers refuse to print many digits
        return f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 4]} ..."


def described(value: Any) -> str:
    """A value as `shown`; of arrays, and of lists of more than four numbers, the shape."""
    if not isinstance(value, (np.ndarray, list, tuple)):
        return shown(value)
    try:
        size, shape = np.size(value), np.shape(value)
    except ValueError:
        return "rows of different length"
    many = size > 4 or (isinstance(value, np.ndarray) and value.ndim)
    return f"an array of shape {shape}" if many else shown(value)
