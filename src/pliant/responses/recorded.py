"""Responses as they were recorded, before columns are chosen for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .compression import widened

Array = np.ndarray
#: Directions of which less than this share of the strongest one is in the columns of several runs are
#: rounding.
ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class RecordedResponses:
    """What followed pushes, as coordinates z and z' of columns.

    kinds (N,): which push each was. z, fast (N, frames + 2, k): before it, and in every frame from it
    on. columns (size, k): orthonormal.
    """

    kinds: Array
    z: Array
    fast: Array
    columns: Array

    def __len__(self) -> int:
        return len(self.kinds)

    @classmethod
    def of(
        cls, kinds: Sequence[int], kept: Sequence[tuple[Array, Array]], columns: Array
    ) -> RecordedResponses:
        """Of coordinates of the first of the columns: all that there were when each was recorded."""
        size = columns.shape[1]
        z, fast = (np.stack([widened(rows[part], size) for rows in kept]) for part in (0, 1))
        return cls(np.array(kinds), z, fast, columns)


def joined(parts: Sequence[RecordedResponses]) -> RecordedResponses:
    """Several runs as one, in columns that hold those of all of them."""
    if len(parts) == 1:
        return parts[0]
    across, values, _ = np.linalg.svd(
        np.concatenate([part.columns for part in parts], axis=1), full_matrices=False
    )
    columns = across[:, values > ROUNDING * values[0]]
    turned = []
    for part in parts:
        turn = part.columns.T @ columns
        turned.append(replace(part, z=part.z @ turn, fast=part.fast @ turn))
    kinds, z, fast = (
        np.concatenate([getattr(part, name) for part in turned]) for name in ("kinds", "z", "fast")
    )
    return RecordedResponses(kinds, z, fast, columns)
