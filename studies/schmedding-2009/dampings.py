"""Every damping of the paper and ours, each with one coefficient and one rule to choose it.

A coefficient is told in two ways that mean the same for all. Its *strength* is the largest share of a
velocity that it takes in one step, 0 to 1: dt gamma/m for point damping, dt gamma times the largest
eigenvalue of M^-1 E^T P E for spring damping, gamma itself for relative damping. Its *visible damping*
is the share of critical damping that the slowest vibration gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

import pliant as pl
from pliant.problem.filter import VelocityFilter

from .scenes import Case

#: (case, strength, dt) -> damping
Make = Callable[[Case, float, float], VelocityFilter]
ITERATIONS = 10


@dataclass(frozen=True)
class Kind:
    """A damping: its name on the page, its family, and how it is made."""

    name: str
    family: str  # "none", "point", "spring", "global", "local", "both"
    make: Make | None
    ours: bool = False

    def of_strength(self, case: Case, strength: float, dt: float) -> VelocityFilter | None:
        """With a share per step."""
        return None if self.make is None else self.make(case, strength, dt)

    def visible(self, case: Case, strength: float, dt: float) -> float:
        """The share of critical damping that the slowest vibration of the case gets."""
        damping = self.of_strength(case, strength, dt)
        if damping is None:
            return 0.0
        omega, v = case.slowest
        power = -float(np.vdot(v, damping.forces(case.points, v, dt) * free(case)))
        kinetic = float(np.vdot(v, case.points.masses[:, None] * v))
        return power / (2.0 * omega * kinetic)

    def strength_for(self, case: Case, visible: float, dt: float) -> float:
        """The strength that damps visibly so much; 1 if it cannot."""
        if self.make is None:
            return 0.0
        if self.visible(case, 1.0, dt) <= visible:
            return 1.0
        return float(brentq(lambda s: self.visible(case, s, dt) - visible, 0.0, 1.0, rtol=1e-4))


def free(case: Case) -> np.ndarray:
    """1 for points that move, 0 for pins, (n, 1)."""
    return case.body.system().free[:, None].astype(float)


def _point(case: Case, strength: float, dt: float) -> VelocityFilter:
    return pl.PointDamping(strength * float(case.points.masses.min()) / dt)


def _spring(iterations: int | None = None, **options: bool) -> Make:
    def make(case: Case, strength: float, dt: float) -> VelocityFilter:
        gamma = 0.5 * strength * case.bound(options.get("projected", True)) / dt
        if iterations is None:
            return pl.SpringDamping(gamma, **options)
        return pl.IterativeSpringDamping(gamma, iterations=iterations, **options)

    return make


def _relative(clusters: str, torque: Any, limited: bool = False) -> Make:
    def make(case: Case, strength: float, dt: float) -> VelocityFilter:
        # The paper's clusters are tetrahedra, also where lengths are what an energy couples.
        local = case.parts.tetrahedra
        chosen: Any = {"global": "whole", "local": local, "both": ("whole", local)}[clusters]
        return pl.RelativeDamping(strength, clusters=chosen, torque=torque, limited=limited)

    return make


KINDS = {
    kind.name: kind
    for kind in (
        Kind("none", "none", None),
        Kind("point", "point", _point),
        Kind("spring", "spring", _spring()),
        Kind("spring, old velocities", "spring", _spring(predicted=False)),
        Kind("spring, iterated", "spring", _spring(ITERATIONS, projected=True)),
        Kind("spring, iterated, not projected", "spring", _spring(ITERATIONS, projected=False)),
        Kind("global, distances", "global", _relative("global", "distances")),
        Kind("global, directions", "global", _relative("global", "directions")),
        Kind("global, programme", "global", _relative("global", "programme")),
        Kind("global, torque left", "global", _relative("global", None)),
        Kind("global, rotation", "global", _relative("global", "rotation"), ours=True),
        Kind("local, distances", "local", _relative("local", "distances")),
        Kind("local, directions", "local", _relative("local", "directions")),
        Kind("local, torque left", "local", _relative("local", None)),
        Kind("local, rotation", "local", _relative("local", "rotation"), ours=True),
        Kind(
            "both, distances + directions", "both", _relative("both", ("distances", "directions"))
        ),
        Kind("both, torque left", "both", _relative("both", (None, None))),
        Kind("both, rotation", "both", _relative("both", ("rotation", "rotation")), ours=True),
    )
}
#: Too slow for runs: a linear programme for each tetrahedron. Looked at in single steps.
PROGRAMME_LOCAL = Kind("local, programme", "local", _relative("local", "programme"))
#: That of the paper's figures 2 and 3.
PAPER = "both, distances + directions"
