"""Plasticity as section 5.1.2 of the thesis has it, (5.5), beside flow by elastic stress."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pliant as pl

#: One point of mass on a spring: m [kg], k [N/m], length [m], and the force at which it yields [N].
MASS, STIFFNESS, LENGTH, YIELD = 1.0, 100.0, 1.0, 10.0


@dataclass(frozen=True)
class Pulled:
    """A spring that is let go: in every step the unknown stress, and the elastic one [N]."""

    unknown: np.ndarray
    elastic: np.ndarray


def limited(start: float, tau: float, dt: float, steps: int, limit: float = np.inf) -> Pulled:
    """The step (5.5): the stress s with |s| <= limit that minimises

        m v^2/2 + (tau/dt) k x^2/2,     v = v0 + dt s/m,   x = x0 + dt v

    of a spring that is let go at an elongation [m]. The minimum of a parabola over an interval is the
    free one, clipped. Source: [young2007] (5.5).
    """
    x, v, found = start, 0.0, []
    for _ in range(steps):
        # d/ds: dt v + (tau/dt) k x dt^2/m = 0
        free = -(v + tau * STIFFNESS / MASS * (x + dt * v)) / (
            dt / MASS * (1.0 + tau * STIFFNESS / MASS * dt)
        )
        s = float(np.clip(free, -limit, limit))
        found.append((s, -STIFFNESS * x))
        v += dt * s / MASS
        x += dt * v
    unknown, elastic = np.array(found).T
    return Pulled(unknown, elastic)


def kept(start: float, tau: float, dt: float, seconds: float = 2.0) -> float:
    """The elongation [m] that a spring keeps that flows by its elastic stress."""
    mesh = pl.Mesh(np.array([[0.0, 0, 0], [LENGTH, 0, 0]]), {"line": np.array([[0, 1]])})
    spring = pl.Springs(
        mesh, stiffness=STIFFNESS, mass=MASS, yield_strain=YIELD / STIFFNESS / LENGTH
    )
    spring.fix([0])
    spring.place([[0, 0, 0], [LENGTH + start, 0, 0]])
    spring.damping = pl.EnergyMinimising(tau=tau)
    scene = pl.Scene([spring], contact=False)
    scene.run(seconds=seconds, dt=dt, progress=False)
    return float(spring.plastic[0] * LENGTH)


def norm_of_pressure() -> float:
    """|sigma| of a pressure of 1, as (5.5) limits it; von Mises' norm of it is 0."""
    return float(np.linalg.norm(np.eye(3)))
