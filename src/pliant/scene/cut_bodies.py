"""Bodies of a scene and the parts that they were cut into, which move each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from pliant.bodies import Deformable
from pliant.contact import FrameContacts
from pliant.problem import State, System
from pliant.solvers import Report

from .ties import Tie

T = TypeVar("T")


def _each(bodies: Sequence[Deformable], values: Sequence[T]) -> list[list[T]]:
    """Values of all parts, by body."""
    rest = iter(values)
    found = [[next(rest) for _ in body.parts] for body in bodies]
    if next(rest, None) is not None:
        raise ValueError(f"got {len(values)} values for the parts of {len(bodies)} bodies")
    return found


def brought_together(
    bodies: Sequence[Deformable], states: Sequence[State]
) -> list[tuple[Any, str, Any]]:
    """What is to be set of bodies whose parts have come to some states."""
    pairs = zip(bodies, _each(bodies, states), strict=True)
    return [change for body, own in pairs for change in body.brought_together(own)]


def check_ties(ties: Sequence[Tie]) -> None:
    """Refuse ties of bodies that came apart."""
    for body in (body for tie in ties for body in tie.bodies):
        if len(body.parts) > 1:
            raise ValueError(
                f"{body.name} was cut into {len(body.parts)} parts and is tied; expected ties of bodies "
                "that stay in one"
            )


def whole_systems(bodies: Sequence[Deformable], systems: Sequence[System]) -> list[System]:
    """The prepared form of each body: of one of several parts all of it, on the host."""
    pairs = zip(bodies, _each(bodies, systems), strict=True)
    return [own[0] if len(own) == 1 else body.system(device="cpu") for body, own in pairs]


def whole_reports(bodies: Sequence[Deformable], reports: Sequence[Report]) -> list[Report]:
    """What the solver did for each body: of several parts all of it."""
    found = []
    for own in _each(bodies, reports):
        whole = own[0]
        if len(own) > 1:
            worst = max(own, key=lambda report: (not report.converged, report.residual))
            whole = replace(
                worst,
                iterations=sum(report.iterations for report in own),
                linear_iterations=sum(report.linear_iterations for report in own),
                retries=sum(report.retries for report in own),
                cuts=sum(report.cuts for report in own),
            )
        found.append(whole)
    return found


def whole_positions(
    bodies: Sequence[Deformable], positions: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Positions of bodies from those of all parts."""
    found = []
    for body, own in zip(bodies, _each(bodies, positions), strict=True):
        if len(own) == 1:
            found.append(own[0])
            continue
        x = np.empty((len(body), body.dim))
        for points, values in zip(body.points_of_parts(), own, strict=True):
            x[points] = values
        found.append(x)
    return found


def divided(bodies: Sequence[Deformable], positions: Sequence[Any]) -> list[Any]:
    """Positions of all parts from those of bodies."""
    found = []
    for body, x in zip(bodies, positions, strict=True):
        one = len(body.parts) == 1
        found += [x] if one else [np.asarray(x)[points] for points in body.points_of_parts()]
    return found


def summed(bodies: Sequence[Deformable], values: np.ndarray) -> np.ndarray:
    """Sums over the parts of each body."""
    return np.array([sum(own) for own in _each(bodies, values.tolist())], dtype=float)


def told(bodies: Sequence[Deformable], found: FrameContacts | None) -> FrameContacts | None:
    """Contacts by the numbers and names of bodies, not of their parts."""
    counts = [len(body.parts) for body in bodies]
    parts = sum(counts)
    if found is None or parts == len(bodies):
        return found
    others = len(found.names) - parts
    owner = np.concatenate(
        [np.repeat(np.arange(len(bodies)), counts), len(bodies) + np.arange(others)]
    )
    names = (*(body.name for body in bodies), *found.names[parts:])
    return replace(found, pairs=owner[found.pairs], names=names)
