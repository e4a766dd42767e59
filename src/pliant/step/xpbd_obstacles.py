"""How `XPBD` keeps points out of obstacles, which push them near their surface."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.energies import Solid, push_of
from pliant.problem import System
from pliant.solvers import shortest

#: Rounds of projection: each takes obstacles as planes, which round ones are only nearby.
ROUNDS = 8
#: A depth [m] that counts as zero.
ROUNDING = 1e-14


def pushed(
    obstacles: Sequence[Solid], size: float, x: np.ndarray, y: np.ndarray, dt: float
) -> np.ndarray:
    """Where points that would go from x to y in a step dt end it, each on its own, (n, d) [m].

    Within its margin an obstacle pushes with m omega^2 (margin - d) at the end of the step, and friction
    takes at most mu times that from the way along it. margin and omega: `push_of` a body of a size [m].
    """
    for o in obstacles:
        margin, omega2 = push_of(o, size)
        share = omega2 * dt**2 / (1.0 + omega2 * dt**2)
        d, n = o.nearest(y)
        push = share * np.maximum(margin - d, 0.0)
        way = y - x
        along = way - np.einsum("nd,nd->n", way, n)[:, None] * n
        far = np.linalg.norm(along, axis=1)
        held = np.minimum(o.friction * push, far) / np.maximum(far, 1e-300)
        y = y + push[:, None] * n - held[:, None] * along
    return y


def put_outside(
    system: System, obstacles: Sequence[Solid], x: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities with free points that are inside of obstacles moved to the surface.

    Their velocities lose the inward part, so kinetic energy can only fall. Pins are not moved. A point
    between obstacles that leave no room stays where it is.
    """
    free = np.flatnonzero(system.free)
    deep = np.any([o.nearest(x[free])[0] < 0.0 for o in obstacles], axis=0)
    moved, x, v = free[deep], x.copy(), v.copy()
    for o in obstacles:
        d, n = o.nearest(x[moved])  # where the ones before it have put them
        points, d, n = moved[d < 0.0], d[d < 0.0], n[d < 0.0]
        x[points] -= d[:, None] * n
        v[points] -= np.minimum(np.einsum("ni,ni->n", v[points], n), 0.0)[:, None] * n
    for point in moved[np.any([o.nearest(x[moved])[0] < -ROUNDING for o in obstacles], axis=0)]:
        _out_of_all(point, x, v, obstacles)
    return x, v


def _out_of_all(point: int, x: np.ndarray, v: np.ndarray, obstacles: Sequence[Solid]) -> None:
    """Move a point by the shortest way that is outside of all obstacles."""
    for _ in range(ROUNDS):
        near = [o.nearest(x[point : point + 1]) for o in obstacles]
        d, n = np.concatenate([d for d, _ in near]), np.concatenate([n for _, n in near])
        if d.min() >= -ROUNDING:
            return
        move = shortest(n, -d)
        x[point] += move
        touched = n[d + n @ move <= 1e-9 * np.linalg.norm(move)]
        v[point] += shortest(touched, -touched @ v[point])
