"""A path for a simulated hand."""

from __future__ import annotations

import numpy as np

from pliant.bodies import Deformable

from .modelling import normals_of, require_in_space

Array = np.ndarray
#: Keys of a path in a second.
KEYS = 100.0


def poking(body: Deformable, *, depth: float, seconds: float) -> tuple[Array, Array]:
    """A path that pokes a body once a second where it is farthest from its pins, so deep [m].

    It begins above the surface, and goes as far out as in: (times, positions), for `Simulated`.
    """
    require_in_space(body)
    if not body.pinned.any():
        raise ValueError(f"{body.name}: no pins hold it; expected a body that is held")
    x = body.positions
    normals = normals_of(body, x)
    outside = np.linalg.norm(normals, axis=1) > 0.0
    away = np.linalg.norm(x - x[body.pinned].mean(axis=0), axis=1)
    at = int(np.where(outside, away, -1.0).argmax())
    t = np.arange(0.0, seconds + 1.0 / KEYS, 1.0 / KEYS)
    return t, x[at] + depth * np.cos(2.0 * np.pi * t)[:, None] * normals[at]
