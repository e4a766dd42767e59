"""What users give, as arrays, paths and flags."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.errors import shown


def array_of(value: Any) -> NDArray[Any]:
    """What numpy makes of a value; rows of different length are refused."""
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"got {shown(value)}; expected rows of equal length") from None


def dimensions(value: Any) -> int:
    """The number of axes of the value as an array; -1 if its rows have different lengths."""
    try:
        return np.ndim(value)
    except ValueError:
        return -1


def floats(value: Any) -> NDArray[np.float64]:
    """A new array of floats; refuses what is no number, or larger than a float can be."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            return np.array(array, dtype=np.float64)
        # Objects: None becomes NaN, and a fraction becomes a number. Text and complex numbers are
        # refused: numpy would take "1" for a number and drop the imaginary part.
        if array.dtype.kind == "O" and not any(isinstance(v, (str, bytes)) for v in array.flat):
            return np.array(array, dtype=np.float64)
    except (TypeError, ValueError, ArithmeticError):
        pass
    raise ValueError(f"got {shown(value)}; expected numbers")


def floats_or_nan(value: Any) -> NDArray[np.float64]:
    """The same, but a single NaN for what is refused, so that one check of shape and range is enough.

    True and False are refused as well.
    """
    if isinstance(value, bool | np.bool_):
        return np.array(np.nan)
    try:
        return floats(value)
    except (TypeError, ValueError):
        return np.array(np.nan)


def is_listed(value: Any) -> bool:
    """Whether it is an array or a list of values, not one value."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def unit_vectors(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors (..., d) scaled to length one; zero vectors stay zero."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    scaled = vectors / np.where(largest > 0.0, largest, 1.0)  # squares of 1e200 are no floats
    return np.asarray(scaled / np.maximum(np.linalg.norm(scaled, axis=-1, keepdims=True), 1.0))


def asked(function: Callable[..., Any], *arguments: Any, refusal: str) -> Any:
    """The result of a function of the user. Refuses a function that does not take these arguments.

    An error inside the function is the user's own and is raised as it is.
    """
    try:
        return function(*arguments)
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        raise TypeError(refusal) from None


def flag(who: str, what: str, value: Any) -> bool:
    """A choice between True and False."""
    if isinstance(value, (bool, np.bool_)) or (type(value) is int and value in (0, 1)):
        return bool(value)
    raise TypeError(f"{who}: got {what}={shown(value)}; expected True or False")


def path_of(who: str, value: Any) -> Path:
    """The name of a file."""
    if not isinstance(value, (str, os.PathLike)) or isinstance(os.fspath(value), bytes):
        raise TypeError(f'{who}: got {shown(value)}; expected the name of a file, e.g. "beam.obj"')
    if "\0" in os.fspath(value):
        raise ValueError(f"{who}: got {shown(value)}; expected a name without a null character")
    if not Path(value).name:
        raise ValueError(f'{who}: got {shown(value)}; expected the name of a file, e.g. "beam.obj"')
    return Path(value)
