"""Every damping, each with the coefficients that linear theory gives for one and the same wish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant import damping as d
from pliant.damping.base import Damping
from pliant.deformable import Deformable
from pliant.energies.obstacle import ObstacleEnergy
from pliant.errors import SolverError
from pliant.runtime import one_thread
from pliant.stepping.filtering import filter_points

from .wish import Wish

#: What counts as rest, as a share of the start.
WITHIN = 0.01


@dataclass(frozen=True)
class Mode:
    """The slowest vibration of a body about its rest shape: what a careful user would tune by.

    omega [rad/s]; shape (n, d) of unit mass; rate [1/s]: at which its amplitude must fall as
    exp(-rate t) to be within 1 % at the time asked for, that of its wish.
    """

    omega: float
    shape: np.ndarray
    rate: float
    dt: float
    wish: Wish

    @property
    def viscous(self) -> float:
        """The rate to ask of a viscosity: beyond omega, critical damping, it only creeps longer."""
        return min(self.rate, self.omega)


@dataclass(frozen=True)
class Candidate:
    """A damping by name, and how its coefficients follow from the mode."""

    name: str
    make: Callable[[Deformable, Mode], Damping]
    how: str


def slowest(body: Deformable, rest: np.ndarray, wish: Wish, dt: float) -> Mode:
    """The slowest mode about a rest shape."""
    with one_thread():
        values, modes = body.system().modes(rest, 1)
    shape = modes[0] / np.sqrt((body.masses[:, None] * modes[0] ** 2).sum())
    rate = np.log(1.0 / WITHIN) / wish.rest_in
    return Mode(float(np.sqrt(values[0])), shape, rate, dt, wish)


def settled(wish: Wish, bounces: int | None = None) -> d.Settle:
    """`Settle` for a wish, without inertia or with bounces."""
    return d.Settle(wish.rest_in, bounces, swing=wish.swing)


def candidates(wishes: Sequence[Wish]) -> list[Candidate]:
    """All dampings of the library for bodies of which this is asked, `Settle` first."""
    bounces = {wish.bounces for wish in wishes if wish.bounces is not None}
    with_bounces = []
    if bounces:
        name = "bounces" if len(bounces) > 1 else f"{min(bounces)} bounce{'s' * (bounces != {1})}"
        with_bounces.append(
            Candidate(
                f"Settle, {name}",
                lambda body, mode: settled(mode.wish, mode.wish.bounces),
                "the time and the bounces asked for",
            )
        )
    plain = Candidate("Settle", lambda body, mode: settled(mode.wish), "the time asked for")
    return [plain, *with_bounces, *_classical()]


def _classical() -> list[Candidate]:
    """The dampings beside `Settle`, and none."""
    return [
        Candidate(
            "none", lambda body, mode: d.Undamped(), "only what the time step itself dissipates"
        ),
        Candidate("EnergyMinimising", _minimising, "tau from the slowest mode"),
        Candidate(
            "Rayleigh, mass",
            lambda body, mode: d.Rayleigh(mass=2.0 * mode.viscous),
            "drag of 2 sigma on every mode",
        ),
        Candidate(
            "Rayleigh, stiffness",
            lambda body, mode: d.Rayleigh(stiffness=2.0 * mode.viscous / mode.omega**2),
            "2 sigma of the slowest mode",
        ),
        Candidate("StrainRate", _strain_rate, "2 sigma of the slowest mode"),
        Candidate("ConditionDamping", _condition, "2 sigma of the slowest mode"),
        Candidate(
            "PointDamping",
            lambda body, mode: d.PointDamping(2.0 * mode.viscous * float(body.masses.mean())),
            "2 sigma by the mean mass of a point",
        ),
        Candidate("SpringDamping", _spring, "2 sigma of the slowest mode"),
        Candidate(
            "IterativeSpringDamping",
            lambda body, mode: _iterative(body, mode, projected=False),
            "the same in ten iterations, of whole relative velocities: rotation is among them",
        ),
        Candidate(
            "IterativeSpringDamping, projected",
            lambda body, mode: _iterative(body, mode, projected=True),
            "SpringDamping in ten iterations",
        ),
        Candidate(
            "RelativeDamping",
            lambda body, mode: _relative(body, mode),
            "the share that takes 1 - exp(-2 sigma dt) of the mode in a step; 1 if all is too little",
        ),
        Candidate(
            "RelativeDamping, global and local",
            lambda body, mode: _relative(
                body,
                mode,
                clusters=("whole", "cells"),
                torque=("distances", "directions"),
                limited=False,
            ),
            "the same in the paper's combination",
        ),
    ]


def _relative(body: Deformable, mode: Mode, **settings: Any) -> Damping:
    """The gamma that takes from the mode what it should lose in a step; at most 1."""
    points = replace(filter_points(body.system()), x=body.positions)
    whole = d.RelativeDamping(1.0, **settings)
    taken = -mode.dt * float((mode.shape * whole.forces(points, mode.shape, mode.dt)).sum())
    wanted = 1.0 - np.exp(-2.0 * mode.viscous * mode.dt)
    return d.RelativeDamping(float(min(1.0, wanted / max(taken, 1e-12))), **settings)


def _minimising(body: Deformable, mode: Mode) -> Damping:
    """d1 falls by 1/(1 + tau omega^2 dt) a step for mass-weighted inertia M/tau: see (2.19)."""
    per_step = np.exp(mode.rate * mode.dt)
    return d.EnergyMinimising(tau=float((per_step - 1.0) / (mode.omega**2 * mode.dt)))


def _strain_rate(body: Deformable, mode: Mode) -> Damping:
    material = getattr(body, "material", None)
    if material is None:
        raise NotApplicable("a body without strain")
    scale = 2.0 * mode.viscous / mode.omega**2
    return d.StrainRate(
        phi=scale * float(np.mean(material.lam)), psi=scale * float(np.mean(material.mu))
    )


def _condition(body: Deformable, mode: Mode) -> Damping:
    energies = [e for e in body.system().assembly.energies if not isinstance(e, ObstacleEnergy)]
    if not all(hasattr(e, "as_conditions") for e in energies):
        raise NotApplicable("no conditions in its energies")
    return d.ConditionDamping(2.0 * mode.viscous / mode.omega**2)


def _spring_gamma(body: Deformable, mode: Mode, *, projected: bool) -> float:
    points = replace(filter_points(body.system()), x=body.positions)
    one = d.SpringDamping(1.0, projected=projected)
    loss = -float((mode.shape * one.forces(points, mode.shape, mode.dt)).sum())
    if loss <= 0.0:
        raise NotApplicable("the slowest mode stretches no edge")
    return 2.0 * mode.viscous / loss


def _spring(body: Deformable, mode: Mode) -> Damping:
    return d.SpringDamping(_spring_gamma(body, mode, projected=True))


def _iterative(body: Deformable, mode: Mode, *, projected: bool) -> Damping:
    gamma = _spring_gamma(body, mode, projected=projected) / 10
    return d.IterativeSpringDamping(gamma, iterations=10, projected=projected)


class NotApplicable(SolverError):
    """This damping is not for this body; the text says why."""
