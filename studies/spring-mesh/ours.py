"""The same structures as `pl.Springs`: their steps, their order, and rest on cue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pliant as pl

from .paper import DT, MASS, REST, STIFFNESS, Structure, chain

STEPPERS = {
    "explicit": pl.ExplicitEuler(),
    "symplectic": pl.SymplecticEuler(),
    "average": pl.AverageVelocity(),
}


def body(structure: Structure, damping: pl.Damping | None = None) -> pl.Springs:
    """The structure, displaced; a chain lies on the x axis of the plane."""
    flat = [np.pad(x, ((0, 0), (0, max(0, 2 - x.shape[1])))) for x in _shapes(structure)]
    mesh = pl.Mesh(flat[0], cells={"line": structure.pairs})
    springs = pl.Springs(mesh, stiffness=STIFFNESS, rest=REST, mass=MASS, damping=damping)
    springs.place(flat[1])
    return springs


def run(springs: pl.Springs, step: str, seconds: float, dt: float = DT) -> pl.Take:
    """With a stepper of the library."""
    scene = pl.Scene([springs], contact=False)  # those of the paper pass through each other
    return scene.run(seconds=seconds, dt=dt, stepper=STEPPERS[step], progress=_silent)


@dataclass(frozen=True)
class Settled:
    """What `pl.Settle` did: what was asked, what was found [s], and the curve."""

    asked: float
    found: float
    times: np.ndarray
    distance: np.ndarray


def settled(structure: Structure, rest_in: float, dt: float = 1 / 120) -> Settled:
    """Rest on cue without a bounce."""
    springs = body(structure, pl.Settle(rest_in, 0))
    take = pl.Scene([springs]).run(seconds=1.5, dt=dt, progress=_silent)
    return Settled(rest_in, take.rest_time(), take.times, take.distance())


@dataclass(frozen=True)
class Errors:
    """The largest error of the chain's positions within a time, for several time steps."""

    dt: np.ndarray
    error: np.ndarray

    @property
    def order(self) -> float:
        """The slope of error over dt in the logarithm, fitted to all of them."""
        return float(np.polyfit(np.log(self.dt), np.log(self.error), 1)[0])


def errors(step: str, damping: float = 0.0, push: float = 0.1, seconds: float = 0.2) -> Errors:
    """The chain, pushed too little for particles to pass, against its two modes."""
    structure, steps = chain(push), np.array([1e-3, 5e-4, 2.5e-4, 1.25e-4])
    viscous = pl.Rayleigh(stiffness=damping / STIFFNESS) if damping else None
    found = []
    for dt in steps:
        take = run(body(structure, viscous), step, seconds, dt)
        off = take.positions[..., 0] - exact(take.times, push, damping)
        found.append(np.abs(off).max() / push)
    return Errors(steps, np.array(found))


def exact(times: np.ndarray, push: float, damping: float = 0.0) -> np.ndarray:
    """The chain under the signed law (times, 3): rigid, the slow mode and the fast one."""
    x = chain().rest[:, 0] + push / 3.0 + np.zeros((len(times), 3))
    for shape, part, square in (
        (np.array([-1, 0, 1]), 0.5, 1.0),
        (np.array([1, -2, 1]), 1 / 6, 3.0),
    ):
        omega = np.sqrt(square * STIFFNESS / MASS)
        decay = 0.5 * square * damping / MASS
        turn = np.sqrt(complex(omega**2 - decay**2))
        swing = np.exp(-decay * times) * (
            np.cos(turn * times) + decay * np.sin(turn * times) / turn
        )
        x = x + push * part * np.outer(swing.real, shape)
    return x


def _shapes(structure: Structure) -> tuple[np.ndarray, np.ndarray]:
    return structure.rest, structure.start


def _silent(done: int, steps: int) -> None:
    """No bar: a study makes many runs."""
