"""Distances of the connected parts of a body, each by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pliant.backend import Labels
from pliant.energies import Strained
from pliant.problem import StepContext

from .per_body import PerBody


def _make_parts(body: Any) -> list[int]:
    """The numbers of the parts that have cells; none if the body moves as one, or not by cells."""
    if len(body.parts) < 2 or len(body.solids) != len(body.assembly.energies):
        return []
    return [k for k, part in enumerate(body.parts) if len(part.points) > 1]


#: The numbers of the parts of a body that have laws of their own.
parts_of = PerBody(_make_parts)


def _make_labels(body: Any) -> Labels:
    number = np.zeros(len(body.masses), dtype=int)
    for place, k in enumerate(parts_of(body)):
        number[body.parts[k].points] = place
    return Labels(number)


#: Which law every point has.
parts_of_points = PerBody(_make_labels)


def strained_stencils(body: Any) -> list[np.ndarray]:
    """The points of the cells of every energy that has a strain: of solids first, then of others."""
    others = [e for e in body.assembly.energies if isinstance(e, Strained)]
    return [np.asarray(energy.stencils) for energy in (*body.solids, *others)]


def _make_rows(body: Any) -> list[Labels]:
    number = parts_of_points(body)
    return [Labels(number.numbers[stencils[:, 0]]) for stencils in strained_stencils(body)]


#: Which law every cell has, for each energy with a strain.
parts_of_cells = PerBody(_make_rows)


def squares(context: StepContext, x: Any, y: Any) -> list[float]:
    """|x - y|^2 of every part in the norm of masses."""
    parts = parts_of(context.mechanics)
    if not parts:
        return [context.squared(x, y)]
    each = context.mechanics.rigid.squares(x, y)
    return [each[k] for k in parts]


def distances(context: StepContext, x: Any) -> list[float]:
    """The distance of every part to the rest shape, rigid motion removed."""
    if not parts_of(context.mechanics):
        return [context.distance(x)]
    aligned = context.mechanics.align(context.rest, x)
    return [math.sqrt(square) for square in squares(context, x, aligned)]
