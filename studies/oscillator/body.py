"""The damped oscillator of the lecture as a body: one triangle, one point that moves, one way to go.

    x'' + 2 zeta omega x' + omega^2 x = 0,    omega = sqrt(k/m),   zeta = c/(2 sqrt(m k))

Source: [liulecture], mass-spring model
The base of the triangle is fixed and its tip pulled up. With Linear material of poisson = 0 the tip has
the stiffness k = area young thickness / height^2 upwards, half of it sideways, and nothing couples the
two; its mass is set; Rayleigh damping 2 zeta omega of the mass is the lecture's diagonal C.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

import pliant as pl

HEIGHT = 1.0  # of the tip over its base of 2 m [m]


@dataclass(frozen=True)
class Case:
    """An oscillator released from rest at `start` [m]; mass [kg], k [N/m]."""

    zeta: float
    mass: float = 1.0
    k: float = (2.0 * np.pi) ** 2  # one oscillation a second
    start: float = 0.1

    @property
    def omega(self) -> float:
        """[1/s]."""
        return float(np.sqrt(self.k / self.mass))

    def body(self) -> pl.Body:
        """The triangle, pulled."""
        mesh = pl.Mesh(
            [(-1.0, 0.0), (1.0, 0.0), (0.0, HEIGHT)], cells={"tri": np.array([[0, 1, 2]])}
        )
        body = pl.Body(mesh, pl.Linear(young=self.k, poisson=0.0))
        body.masses = self.mass
        body.fix([0, 1])
        if self.zeta:
            body.damping = pl.Rayleigh(mass=2.0 * self.zeta * self.omega)
        body.place(mesh.points + np.array([(0.0, 0.0), (0.0, 0.0), (0.0, self.start)]))
        return body

    def exact(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement [m] and velocity [m/s]."""
        decay = self.zeta * self.omega
        turn = np.sqrt(complex(self.omega**2 - decay**2))
        envelope = self.start * np.exp(-decay * t)
        x = envelope * (np.cos(turn * t) + decay * np.sin(turn * t) / turn)
        v = -envelope * (self.omega**2 / turn) * np.sin(turn * t)
        return x.real, v.real


@dataclass(frozen=True)
class Swing:
    """What a run of an oscillator gave: times [s], displacements [m] and velocities [m/s]."""

    case: Case
    times: np.ndarray
    x: np.ndarray
    v: np.ndarray

    @property
    def energy(self) -> np.ndarray:
        """Over that of the start."""
        whole = self.case.k * self.x**2 + self.case.mass * self.v**2
        return whole / (self.case.k * self.case.start**2)

    @property
    def error(self) -> float:
        """The largest distance from the truth in the plane of x and v/omega, over the start."""
        x, v = self.case.exact(self.times)
        return float(np.hypot(self.x - x, (self.v - v) / self.case.omega).max() / self.case.start)


def swing(case: Case, stepper: object, dt: float, steps: int) -> Swing:
    """Run a stepper of the library on the oscillator."""
    with warnings.catch_warnings():  # Linear material does not mind being turned inside out
        warnings.simplefilter("ignore", RuntimeWarning)
        scene = pl.Scene(case.body(), contact=False)
        take = scene.run(seconds=steps * dt, dt=dt, stepper=stepper, progress=False)
    x = take.positions[:, 2, 1] - HEIGHT
    return Swing(case, take.times, x, take.velocities[:, 2, 1])
