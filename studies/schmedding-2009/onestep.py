"""What each damping does to velocities in one step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.control.clusters import Clusters
from pliant.control.torque import rotation
from pliant.problem.filter import Points

from .dampings import Kind
from .search import case_of

#: A spin [rad/s] and what vibrates beside it.
SPIN = np.array([2.0, -1.0, 3.0])


@dataclass(frozen=True)
class Step:
    """After one step of a damping at full strength, over before it.

    vibration: kinetic energy of all motion that is not rigid; worst: the same, the largest of all
    trials; momentum, spin: how much of them is lost.
    """

    vibration: float
    worst: float
    momentum: float
    spin: float


def one_step(kind: Kind, trials: int = 8, strength: float = 1.0) -> Step:
    """A spinning, flying, trembling sneaker; every point trembles at random."""
    case = case_of("sneaker")
    points, rng, dt = case.points, np.random.default_rng(0), case.limit
    damping = kind.of_strength(case, strength, dt)
    assert damping is not None
    r = points.x - points.masses @ points.x / points.masses.sum()
    shares, lost = [], []
    for _ in range(trials):
        v = rng.normal(size=r.shape) + np.cross(SPIN, r) + [1.0, -2.0, 0.5]
        w = v + dt * damping.forces(points, v, dt) / points.masses[:, None]
        (p, l, e), (q, k, f) = parts(points, v), parts(points, w)
        shares.append(f / e)
        lost.append(
            (np.linalg.norm(q - p) / np.linalg.norm(p), np.linalg.norm(k - l) / np.linalg.norm(l))
        )
    momentum, spin = np.max(lost, axis=0)
    return Step(float(np.mean(shares)), float(np.max(shares)), float(momentum), float(spin))


def parts(points: Points, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Momentum, angular momentum about the centre, and the energy of all that is not rigid."""
    m = points.masses[:, None]
    whole = Clusters.of([np.arange(len(m))], points.masses)
    r, u = points.x - whole.mean(points.x), v - whole.mean(v)
    rest = u - rotation(whole, points.x, u)
    return (m * v).sum(axis=0), (m * np.cross(r, u)).sum(axis=0), 0.5 * float((m * rest**2).sum())
