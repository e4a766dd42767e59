"""The columns of a body in large deformation. They come in threes, as its coordinates do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.errors import SolverError

from .derivatives import ModalDerivatives
from .driven_far import DrivenFar
from .modes import RestStiffness
from .projected import WIDTH

Array = np.ndarray
#: Each group of pins that is driven against the first has so many columns that follow it far.
FOLLOWING = 12
#: A static answer adds a column if the others leave more than this share of it.
LEFT = 1e-3


def whole_columns(
    of: RestStiffness,
    derived: ModalDerivatives,
    answers: Sequence[Array],
    count: int,
    far: DrivenFar | None,
) -> Array:
    """M-orthonormal columns: `count` or a few more of modes and derivatives, and static answers.

    And those that follow groups of pins that are driven.
    """
    for more in range(WIDTH):
        columns = derived.columns(of, count + more)
        if far is not None:
            followed = far.columns(of, columns, FOLLOWING * len(far.groups))
            columns = np.column_stack([columns, followed])
        columns = _with_answers(of, columns, answers)
        if columns.shape[1] % WIDTH == 0:
            return columns
    return _cut(columns)


def given_in_threes(of: RestStiffness, own: Array, answers: Sequence[Array]) -> Array:
    """Columns that are given but for the stiffest, and static answers."""
    for fewer in range(min(WIDTH, own.shape[1])):
        columns = _with_answers(of, own[:, : own.shape[1] - fewer], answers)
        if columns.shape[1] % WIDTH == 0:
            return columns
    return _cut(columns)


def _with_answers(of: RestStiffness, columns: Array, answers: Sequence[Array]) -> Array:
    """M-orthonormal columns, and what static answers have beyond them."""
    for answer in answers:
        rest = answer
        for _ in range(2):  # once more, for rounding
            rest = rest - columns @ (columns.T @ (of.masses * rest))
        left = np.sqrt(of.masses @ rest**2)
        if left > LEFT * np.sqrt(of.masses @ answer**2):
            columns = np.column_stack([columns, rest / left])
    return columns


def _cut(columns: Array) -> Array:
    """As many of the columns as make whole points."""
    spare = columns.shape[1] % WIDTH
    if columns.shape[1] <= spare:
        raise SolverError("it has too few ways to deform; expected more points. Use the full body")
    return columns[:, : columns.shape[1] - spare]
