"""Distances of the connected parts of a body, each by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pliant.problem import StepContext

from .per_body import PerBody


def _make_parts(body: Any) -> list[np.ndarray]:
    """The points of every part that has cells; none if the body moves as one, or not by cells."""
    if len(body.parts) < 2 or len(body.solids) != len(body.assembly.energies):
        return []
    return [part.points for part in body.parts if len(part.points) > 1]


#: The points of the parts of a body, if it has several.
points_of_parts = PerBody(_make_parts)


def _make_numbers(body: Any) -> np.ndarray:
    number = np.zeros(len(body.masses), dtype=int)
    for k, points in enumerate(points_of_parts(body)):
        number[points] = k
    return number


#: The number of the part of every point, (n,).
parts_of_points = PerBody(_make_numbers)


def _make_rows(body: Any) -> list[np.ndarray]:
    return [parts_of_points(body)[solid.stencils[:, 0]] for solid in body.solids]


#: The number of the part of every cell, one array per solid.
parts_of_cells = PerBody(_make_rows)


def squares(context: StepContext, x: Any, y: Any) -> list[float]:
    """|x - y|^2 of every part in the norm of masses."""
    body = context.mechanics
    parts = points_of_parts(body)
    if not parts:
        return [context.vectors.weighted(x, y)]
    each = body.masses * ((body.to_host(x) - body.to_host(y)) ** 2).sum(axis=1)
    return [float(each[points].sum()) for points in parts]


def distances(context: StepContext, x: Any) -> list[float]:
    """The distance of every part to the rest shape, rigid motion removed."""
    if not points_of_parts(context.mechanics):
        return [context.distance(x)]
    aligned = context.mechanics.align(context.rest, x)
    return [math.sqrt(square) for square in squares(context, x, aligned)]
