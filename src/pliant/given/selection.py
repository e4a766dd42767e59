"""Which points are meant: a mask or indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import shown

from .values import array_of


def select(where: Any, points: int, what: str) -> np.ndarray:
    """The indices that a mask or a list of indices selects. Refuses an empty selection.

    The order of indices is kept, since paths and forces may be given point by point.
    """
    try:
        given = np.atleast_1d(array_of(where))
    except ValueError:
        given = np.full(1, np.nan)  # refused below
    if not (given.any() if given.dtype == bool else given.size):
        raise ValueError(f"{what}: got no points; expected a mask or indices of at least one")
    if given.dtype == bool:
        if given.shape != (points,):
            raise ValueError(
                f"{what}: got a mask of shape {given.shape}; expected ({points},), one per point"
            )
        return np.flatnonzero(given)
    if given.dtype.kind not in "iu" or given.ndim > 1:
        raise ValueError(f"{what}: got {shown(where)}; expected a mask or indices of points")
    bad = given[(given < 0) | (given >= points)]
    if len(bad):
        raise ValueError(f"{what}: got indices {bad[:10]}; the body has points 0 to {points - 1}")
    if len(np.unique(given)) < len(given):
        raise ValueError(f"{what}: got indices that name a point twice; expected each once")
    return given.astype(np.int64)
