"""What a damping does to falling and spinning."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import nan

import numpy as np

from pliant.control import Damping
from pliant.errors import SolverError
from pliant.scene import Scene

from .case import Case

#: How long a body flies [s], how fast it spins [rad/s] and is pulled down [m/s^2].
FLIGHT_SECONDS, SPIN, GRAVITY = 0.5, 2.0, 9.81


@dataclass(frozen=True)
class Flight:
    """Shares that are left after half a second in free fall: 1 if nothing is lost.

    fall: how far the centre of mass fell, over how far it falls undamped; spin: angular momentum.
    """

    fall: float = nan
    spin: float = nan


@dataclass(frozen=True)
class Flown:
    """The distance that a body fell [m], and the share of angular momentum that is left."""

    fallen: float
    spin: float


def fly(
    case: Case, dampings: dict[str, Damping], undamped: dict[str, Flown] | None
) -> dict[str, Flight]:
    """Let the bodies of a case go, in their start shapes, spinning, without loads."""
    found = flown(case, dampings)
    if found is None or undamped is None:
        return {name: Flight() for name in dampings}
    return {
        name: Flight(found[name].fallen / undamped[name].fallen, found[name].spin)
        for name in dampings
    }


def flown(case: Case, dampings: dict[str, Damping]) -> dict[str, Flown] | None:
    """One flight of all bodies; None if it could not be computed."""
    scene = case.make(0)
    free = Scene(scene.bodies, gravity=-GRAVITY * np.eye(scene.dim)[-1])
    starts = {}
    for body in free.bodies:
        body.release()
        body.unpush()
        x, m = body.positions, body.masses
        middle = m @ x / m.sum()
        body.velocity = _spinning(x - middle, m)
        body.drop_keys()  # or they would take the place of this one
        body.damping = dampings.get(body.name)
        starts[body.name] = middle, _angular(x, body.velocity, m)
    steps = max(1, round(FLIGHT_SECONDS / case.dt))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # what is lost is in the finding
            free.run(seconds=steps * case.dt, dt=case.dt, stepper=case.stepper, progress=False)
    except (SolverError, ValueError):
        return None
    found = {}
    for body in free.bodies:
        middle, spin = starts[body.name]
        x, m = body.positions, body.masses
        left = _angular(x, body.velocity, m)
        fallen = float((middle - m @ x / m.sum())[-1])
        found[body.name] = Flown(fallen, float(np.dot(left, spin) / np.dot(spin, spin)))
    return found


def _spinning(r: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """In the plane in 2D; in 3D about the last axis, or another if the body lies along that one."""
    v, (i, j) = np.zeros_like(r), (0, 1)
    if r.shape[1] == 3:
        about = [masses @ (r[:, a] ** 2 + r[:, b] ** 2) for a, b in ((1, 2), (2, 0), (0, 1))]
        if about[2] < 0.1 * max(about):
            i, j = ((1, 2), (2, 0))[int(np.argmax(about[:2]))]
    v[:, i], v[:, j] = -SPIN * r[:, j], SPIN * r[:, i]
    return v


def _angular(x: np.ndarray, v: np.ndarray, masses: np.ndarray) -> np.ndarray:
    m = masses[:, None]
    r, u = x - (m * x).sum(axis=0) / m.sum(), v - (m * v).sum(axis=0) / m.sum()
    if x.shape[1] == 2:
        return np.array([float((masses * (r[:, 0] * u[:, 1] - r[:, 1] * u[:, 0])).sum())])
    return np.asarray((m * np.cross(r, u)).sum(axis=0))
