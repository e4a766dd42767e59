"""A hand that holds a patch of a body and pulls it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Damping, EnergyMinimising
from pliant.mesh import connected
from pliant.problem import System

#: The patch reaches this share of the body's size around the point, and at least to its neighbours:
#: one point alone would be drawn out to a needle.
PATCH = 0.06
#: The pointer is reported some twenty times a second; the hand follows it in this time [s].
FOLLOW = 0.05
#: How far a held body is pulled at most, in sizes of the body: with pins, and without.
GRIP_REACH, FARTHEST_HAND = 1.5, 1e3
#: A body is thrown no faster than so many of its sizes per second.
FASTEST_THROW = 100.0
#: A hand that has become slower than this, as a share of its speed, gives up.
CAREFUL_SHARE = 1e-4
#: The inertia of a held body, as a share of what would keep it from following.
INERTIA = 1e-6


class Grip:
    """Points of a body, driven as one by a hand; everything in the coordinates of the mesh.

    The body follows without inertia, so that it can be held still in any shape, at any stiffness.
    """

    def __init__(self, body: Deformable, x: np.ndarray, point: np.ndarray, *, dt: float):
        if body.in_modes:
            what = "elements" if body.static else "modes"
            raise ValueError(f"this body moves in its {what}, and cannot be held; grab another")
        skin = body.skin
        near = int(np.argmin(((skin.positions(x)[:, : body.dim] - point) ** 2).sum(axis=1)))
        centre = int(skin.nodes[near][np.argmax(skin.weights[near])])
        self.body, self.points = body, patch(body, centre)
        self._changes = len(body.mesh_changes)
        self.freely = not body.pinned.any()
        self._home = x[self.points]
        self._centre = point
        self._limit = (FARTHEST_HAND if self.freely else GRIP_REACH) * body.mesh.size
        self.shift = np.zeros(body.dim)
        self._goal = self.shift
        self._last, self._courage = self.shift, 1.0
        body.move(self.points, lambda time: self._home + self.shift)
        body.damping = follower(body, dt)

    @property
    def where(self) -> np.ndarray:
        """The point that is held, where it is now [m], (d,)."""
        return self._centre + self.shift

    def pull(self, to: Sequence[float] | np.ndarray) -> None:
        """Ask for the held point to go there [m]."""
        way = np.asarray(to, dtype=float)[: self.body.dim] - self._centre
        way = np.clip(way, -self._limit, self._limit)  # its square must be finite
        length = float(np.linalg.norm(way))
        self._goal = way if length <= self._limit else way * (self._limit / length)

    def advance(self, system: System, x: np.ndarray, seconds: float) -> None:
        """Move the hand on by so much wall time, no faster than the cells around it bear."""
        self._last = self.shift
        step = self._courage * (1.0 - np.exp(-seconds / FOLLOW)) * (self._goal - self.shift)
        self._courage = min(1.0, 2.0 * self._courage)
        if not self.freely:
            before = len(system.inverted(x))
            for _ in range(6):
                moved = x.copy()
                moved[self.points] = self._home + self.shift + step
                if len(system.inverted(moved)) <= before:
                    break
                step = 0.5 * step
        self.shift = self.shift + step

    def undo(self) -> None:
        """Put the hand back where it was before the step that failed."""
        self.shift = self._last

    def slow_down(self) -> bool:
        """Pull more carefully from now on; False if that is vain."""
        self._courage *= 0.125
        return self._courage > CAREFUL_SHARE

    def let_go(self, damping: Damping | None) -> None:
        """Release the points, and what cuts and tears have made of them; the body gets this damping."""
        held = self.points
        for _, change in self.body.mesh_changes[self._changes :]:
            mask = np.zeros(change.points.shape[1], dtype=bool)
            mask[held] = True
            held = np.flatnonzero(change.members(mask))
        self.body.release(held)
        self.body.damping = damping

    def throw(self, velocity: np.ndarray) -> None:
        """Give a body that nothing else holds this velocity on the whole [m/s], (3,)."""
        body = self.body
        if body.pinned.any() or not body.masses.any():
            return
        v, thrown = body.velocity, velocity[: body.dim]
        mean = body.masses @ v / body.masses.sum()
        most = FASTEST_THROW * body.mesh.size / max(float(np.linalg.norm(thrown)), 1e-300)
        body.velocity = v + min(1.0, most) * thrown - mean


def patch(body: Deformable, centre: int) -> np.ndarray:
    """The points around one that a hand would hold: connected, not fixed, (k,)."""
    mesh, pinned = body.mesh, body.pinned
    away = np.linalg.norm(mesh.points - mesh.points[centre], axis=1)
    edges = mesh.edges
    touching = edges[(edges == centre).any(axis=1)].ravel()
    reach = max(PATCH * body.mesh.size, 1.01 * float(np.median(away[touching[touching != centre]])))
    inside = (away <= reach) & ~pinned
    if pinned[centre]:
        raise ValueError("this point is fixed; grab one that can move")
    joined = edges[inside[edges].all(axis=1)]
    labels = connected(joined[:, 0], joined[:, 1], len(mesh))
    chosen = np.flatnonzero(inside & (labels == labels[centre]))
    # A coarse body must keep most of its points to move with.
    most = max(1, int((~pinned).sum()) // 4)
    return chosen[np.argsort(away[chosen], kind="stable")[:most]]


def follower(body: Deformable, dt: float) -> Damping:
    """The damping of a body in a hand: (almost) no inertia, so that it follows at once."""
    # How fast a wave crosses an edge, and so the body [1/s^2].
    mesh, x = body.mesh, body.mesh.points
    edge = np.linalg.norm(x[mesh.edges[:, 1]] - x[mesh.edges[:, 0]], axis=1).mean()
    local = body.system().stiffness_trace(x) / (body.dim * body.masses.sum())
    wave = local * (edge / body.mesh.size) ** 2
    return EnergyMinimising(tau=1.0 / (INERTIA * wave * dt))
