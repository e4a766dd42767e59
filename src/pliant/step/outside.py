"""Points that a step has left inside an obstacle are put outside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from pliant.energies import ObstacleEnergy, Solid
from pliant.problem import State, System

#: Rounds of projection: each takes obstacles as planes, which round ones are only nearby.
ROUNDS = 8

#: A depth [m] that counts as zero.
ROUNDING = 1e-14


def keep_out(system: System, state: State, obstacles: Sequence[Solid]) -> State:
    """The state with free points inside obstacles moved to the surface.

    Their velocities lose the inward part, so kinetic energy can only fall. Pins are not moved. A point
    between obstacles that leave no room stays where it is.
    """
    pushing = [e for e in system.assembly.energies if isinstance(e, ObstacleEnergy)]
    if any(energy.keeps_out_of(obstacles, state.x) for energy in pushing):
        return state
    state = state.to_host(system)
    free = np.flatnonzero(system.free)
    near = [o.nearest(state.x[free]) for o in obstacles]
    deep = np.any([d < 0.0 for d, _ in near], axis=0)
    if not deep.any():
        return state
    x, v = state.x.copy(), state.v.copy()
    drift = None if state.drift is None else state.drift.copy()
    velocities = [v] if drift is None else [v, drift]
    for (d, n), obstacle in zip(near, obstacles, strict=True):
        points = free[d < 0.0]
        d, n = obstacle.nearest(x[points])  # where the ones before it have put them
        points, d, n = points[d < 0.0], d[d < 0.0], n[d < 0.0]
        x[points] -= d[:, None] * n
        for velocity in velocities:
            into = np.minimum(np.einsum("ni,ni->n", velocity[points], n), 0.0)
            velocity[points] -= into[:, None] * n
    moved = free[deep]
    for point in moved[np.any([o.nearest(x[moved])[0] < -ROUNDING for o in obstacles], axis=0)]:
        _out_of_all(point, x, velocities, obstacles)
    return state.displaced(x, v, drift)


def _out_of_all(
    point: int, x: np.ndarray, velocities: list[np.ndarray], obstacles: Sequence[Solid]
) -> None:
    """Move a point by the shortest way that is outside of all obstacles."""
    for _ in range(ROUNDS):
        near = [o.nearest(x[point : point + 1]) for o in obstacles]
        d, n = np.concatenate([d for d, _ in near]), np.concatenate([n for _, n in near])
        if d.min() >= -ROUNDING:
            return
        move = _least(n, -d)
        x[point] += move
        touched = n[d + n @ move <= 1e-9 * np.linalg.norm(move)]
        for velocity in velocities:
            velocity[point] += _least(touched, -touched @ velocity[point])


def _least(normals: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """The shortest s with normals . s >= needed, or zero if there is none; (k, d), (k,) to (d,).

    Source: [lawson1974] chapter 23, least distance programming.
    """
    lhs = np.vstack([normals.T, needed])
    rhs = np.r_[np.zeros(normals.shape[1]), 1.0]
    found, left = nnls(lhs, rhs)
    residual = lhs @ found - rhs
    return -residual[:-1] / residual[-1] if left > 1e-9 else np.zeros(normals.shape[1])
