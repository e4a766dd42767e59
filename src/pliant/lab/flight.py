"""What a damping does to falling and spinning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.damping.base import Damping
from pliant.errors import SolverError
from pliant.scene import Scene

from .case import Case

#: How long a body flies [s], how fast it spins [rad/s] and is pulled down [m/s^2].
SECONDS, SPIN, GRAVITY = 0.5, 2.0, 9.81


@dataclass(frozen=True)
class Flight:
    """Shares that are left after half a second in free fall: 1 if nothing is lost.

    fall: how far the centre of mass fell, over g t^2/2 of the same steps; spin: angular momentum.
    """

    fall: float = float("nan")
    spin: float = float("nan")


def fly(case: Case, dampings: dict[str, Damping]) -> dict[str, Flight]:
    """Let the bodies of a case go, in their start shapes, spinning, without loads."""
    scene = case.make(0)
    free = Scene(scene.bodies, gravity=_down(scene.dim))
    starts = {}
    for body in free.bodies:
        body.release()
        body.unpush()
        x, m = body.positions, body.masses[:, None]
        middle = (m * x).sum(axis=0) / m.sum()
        body.velocity = _spinning(x - middle)
        body.damping = dampings[body.name]
        starts[body.name] = middle, _angular(x, body.velocity, body.masses)
    steps = max(1, round(SECONDS / case.dt))
    try:
        free.run(seconds=steps * case.dt, dt=case.dt, stepper=case.stepper, progress=False)
    except (SolverError, ValueError):
        return {name: Flight() for name in starts}
    # Steps of first order fall by g dt^2 n (n + 1)/2.
    full = GRAVITY * case.dt**2 * steps * (steps + 1) / 2
    found = {}
    for body in free.bodies:
        middle, spin = starts[body.name]
        x, m = body.positions, body.masses[:, None]
        fallen = middle - (m * x).sum(axis=0) / m.sum()
        left = _angular(x, body.velocity, body.masses)
        found[body.name] = Flight(
            fall=float(fallen[-1] / full),
            spin=float(np.dot(left, spin) / np.dot(spin, spin)),
        )
    return found


def _down(dim: int) -> np.ndarray:
    return -GRAVITY * np.eye(dim)[-1]


def _spinning(r: np.ndarray) -> np.ndarray:
    """About the last axis in 3D, and in the plane in 2D."""
    v = np.zeros_like(r)
    v[:, 0], v[:, 1] = -SPIN * r[:, 1], SPIN * r[:, 0]
    return v


def _angular(x: np.ndarray, v: np.ndarray, masses: np.ndarray) -> np.ndarray:
    m = masses[:, None]
    r, u = x - (m * x).sum(axis=0) / m.sum(), v - (m * v).sum(axis=0) / m.sum()
    if x.shape[1] == 2:
        return np.array([float((masses * (r[:, 0] * u[:, 1] - r[:, 1] * u[:, 0])).sum())])
    return (m * np.cross(r, u)).sum(axis=0)
