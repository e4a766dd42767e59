"""The spring meshes of Amaya and Zordan as they print them, in plain numpy.

Lengths are in their centimetres: nothing else has a length in it, so that the unit does not matter.
Nothing of the library is used here; it has no such damping yet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

STIFFNESS, MASS, REST, DT = 1000.0, 1.0, 0.4, 1e-3
DAMPING_1D, DAMPING = 70.0, 20.0
PUSH = 0.5  # of the last particle, off its place

Force = Callable[[np.ndarray, np.ndarray], np.ndarray]  # on a spring, from x_j - x_i and v_j - v_i


@dataclass(frozen=True)
class Structure:
    """Particles at rest (n, d), where they start, and the springs between them."""

    name: str
    rest: np.ndarray
    start: np.ndarray
    pairs: np.ndarray
    held: bool = (
        False  # the first particle; the paper does not say, and nothing reads as if it were
    )

    def lengths(self, frames: np.ndarray) -> np.ndarray:
        """Of the springs, (..., springs)."""
        i, j = self.pairs.T
        return np.linalg.norm(frames[..., j, :] - frames[..., i, :], axis=-1)


def _structure(name: str, rest: np.ndarray, push: tuple[float, ...], pairs: object) -> Structure:
    start = rest.copy()
    start[-1] += push
    return Structure(name, rest, start, np.array(list(pairs)))  # type: ignore[call-overload]


def chain(push: float = PUSH) -> Structure:
    """Three particles on a line at 0, 0.4, 0.8; the third is displaced."""
    return _structure("chain", np.array([[0.0], [0.4], [0.8]]), (push,), [(0, 1), (1, 2)])


def triangle(push: tuple[float, float] = (0.3, 0.4)) -> Structure:
    """Three particles, all joined. How far its tip is displaced is ours: as far as the chain's."""
    tip = np.sqrt(0.75) * REST
    rest = np.array([(-0.5 * REST, 0.0), (0.5 * REST, 0.0), (0.0, tip)])
    return _structure("triangle", rest, push, combinations(range(3), 2))


def pyramid(push: tuple[float, float, float] = (0.24, 0.18, 0.4)) -> Structure:
    """Four particles, all joined; again 0.5 for the tip."""
    base = triangle().rest - [0.0, REST / np.sqrt(12.0)]
    rest = np.zeros((4, 3))
    rest[:3, :2], rest[3, 2] = base, np.sqrt(2.0 / 3.0) * REST
    return _structure("pyramid", rest, push, combinations(range(4), 2))


def signed(damping: float = 0.0, stiffness: float = STIFFNESS) -> Force:
    """On a line, x_2 - x_1 for the length: a spring that knows left from right."""
    return lambda d, v: stiffness * (d - REST) + damping * v


def unsigned(damping: float = 0.0, stiffness: float = STIFFNESS) -> Force:
    """On a line, |x_2 - x_1| as printed, in the same direction even when particles have passed."""
    return lambda d, v: stiffness * (np.abs(d) - REST) + damping * v


def vectorial(damping: float = 0.0, stiffness: float = STIFFNESS) -> Force:
    """Section 3.1, in any dimension: along the unit vector, damping of the velocity along it."""

    def force(d: np.ndarray, v: np.ndarray) -> np.ndarray:
        length = np.linalg.norm(d, axis=1, keepdims=True)
        u = d / length
        return (stiffness * (length - REST) + damping * np.sum(u * v, axis=1, keepdims=True)) * u

    return force


def accelerations(structure: Structure, force: Force, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Every spring pulls its first particle with `force` and its second with the opposite."""
    i, j = structure.pairs.T
    f = force(x[j] - x[i], v[j] - v[i]) / MASS
    a = np.zeros_like(x)
    np.add.at(a, i, f)
    np.add.at(a, j, -f)
    if structure.held:
        a[0] = 0.0
    return a


def advance(
    step: str, structure: Structure, force: Force, x: np.ndarray, v: np.ndarray, dt: float
) -> tuple[np.ndarray, np.ndarray]:
    """One time step: "explicit", "symplectic" (section 2), "average" (3), "in place" (5)."""
    if step == "in place":  # the loop as listed: a particle has moved when the next is looked at
        x, v = x.copy(), v.copy()
        for p in range(len(x)):
            v[p] += dt * accelerations(structure, force, x, v)[p]
            x[p] += dt * v[p]
        return x, v
    new = v + dt * accelerations(structure, force, x, v)
    moving = {"explicit": v, "symplectic": new, "average": 0.5 * (v + new)}[step]
    return x + dt * moving, new


@dataclass(frozen=True)
class Motion:
    """Positions and velocities (frames, n, d) of a run."""

    structure: Structure
    times: np.ndarray
    x: np.ndarray
    v: np.ndarray

    def blown_up(self, times: float) -> float:
        """When a spring is so many times its rest length [s]; inf if never."""
        far = (self.structure.lengths(self.x) > times * REST).any(axis=1)
        return float(self.times[far.argmax()]) if far.any() else np.inf

    @property
    def distance(self) -> np.ndarray:
        """Root mean square distance to the rest shape, moved rigidly to lie closest."""
        rest = self.structure.rest - self.structure.rest.mean(axis=0)
        x = self.x - self.x.mean(axis=1, keepdims=True)
        u, _, w = np.linalg.svd(np.einsum("fni,nj->fij", x, rest))
        u[..., -1] *= np.linalg.det(u @ w)[:, None]  # turned, never mirrored
        return np.sqrt(np.mean(np.sum((x - rest @ (u @ w).swapaxes(1, 2)) ** 2, -1), -1))

    def rests(self, within: float = 0.01) -> float:
        """When that stays below a share of its start [s]; inf if never."""
        above = np.flatnonzero(self.distance > within * self.distance[0])
        last = above[-1] if len(above) else 0
        return float(self.times[last + 1]) if last + 1 < len(self.times) else np.inf


def simulate(
    structure: Structure,
    force: Force,
    step: str,
    seconds: float,
    *,
    dt: float = DT,
    far: float = 1e9,
) -> Motion:
    """Run from rest, until a spring is `far` times its rest length at most."""
    x, v = structure.start.copy(), np.zeros_like(structure.start)
    frames = [(x, v)]
    for _ in range(round(seconds / dt)):
        x, v = advance(step, structure, force, x, v, dt)
        frames.append((x, v))
        if np.ptp(x) > far * REST:
            break
    xs, vs = (np.array(part) for part in zip(*frames, strict=True))
    return Motion(structure, dt * np.arange(len(xs)), xs, vs)
