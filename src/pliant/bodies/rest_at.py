"""A body that hangs as it is drawn: what `body.rest_at` checks, and what it leaves as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.backend import one_thread
from pliant.errors import Advice, SolverError, prefixed
from pliant.given import gravity_of, one_each

if TYPE_CHECKING:
    from .deformable import Deformable


def rest_at(body: Deformable, pose: Any, gravity: Any) -> None:
    """Change the rest shape of a body so that it rests in a pose [m]; if that fails, nothing changes."""
    g = gravity_of(gravity, body.dim)
    given = body.positions if pose is None else one_each(pose, body.positions.shape, what="rest_at")
    _require_plain(body)
    before = body.kept()
    try:
        body.place(given)
        body.velocity = np.zeros(body.dim)
        body.prepare(0.0)
        x = body.pin_positions(0.0)
        with one_thread():
            body.bear(x, body.loads_at(x, 0.0, g))
        body._drawn = x
        body._system = None
        body.reset()
    except BaseException as error:
        for owner, name, value in before:
            setattr(owner, name, value)
        body._system = None
        if isinstance(error, SolverError):
            raise type(error)(prefixed(f"{body.name}: rest_at: ", error)) from None
        raise
    body._changed()


def _require_plain(body: Deformable) -> None:
    """Refuse bodies whose rest shape changes by itself, or was changed."""
    said = f"{body.name}: rest_at: got a body that "
    if body.flowing_terms:
        raise ValueError(
            Advice(f"{said}flows; expected an elastic one", ", without pl.Plastic and yield_strain",
                   ", without plastic and yield_strain")
        )  # fmt: skip
    if body.time_dependent:
        raise ValueError(
            f"{said}is a muscle; expected one whose rest lengths do not change by time"
        )
    if body.tears:
        raise ValueError(f"{said}tears; expected one without tear=")
    if body.mesh_changes:
        raise ValueError(f"{said}was cut; expected it before it is cut")
