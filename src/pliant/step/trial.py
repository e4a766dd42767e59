"""How long an explicit step may be where there is no formula: found by trying."""

from __future__ import annotations

import numpy as np

from pliant.control import VelocityFilter
from pliant.problem import System

from .filtering import filter_points
from .stability import Formula, limiting_modes

#: Steps of a trial, the growth of its energy near the end that counts as none, how often a trial is
#: doubled while it grows, and the span of dt that is searched, in steps of the undamped body.
STEPS, NONE, DOUBLED, SPAN = 240, 1.05, 3, (1e-2, 1e2)


class Linearised:
    """The accelerations of a body about its rest shape, without any damping."""

    def __init__(self, system: System):
        self._free, self._shape = system.free, system.undeformed.shape
        self._stiffness = system.stiffness(system.undeformed)
        self._masses = system.masses[system.free, None]

    def elastic(self, u: np.ndarray, s: float) -> np.ndarray:
        """-M^-1 K u."""
        a = np.zeros(self._shape)
        free = self._free
        a[free] = -(self._stiffness @ u[free].ravel()).reshape(-1, u.shape[1]) / self._masses
        return a

    def energy(self, u: np.ndarray, v: np.ndarray) -> float:
        """Kinetic and elastic [J]."""
        x, w = u[self._free].ravel(), v[self._free]
        return 0.5 * float(x @ (self._stiffness @ x) + (self._masses * w * w).sum())

    def loss(self, u: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """Nothing: the filter acts after the step."""
        return np.zeros(self._shape)

    def whole(self, u: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """-M^-1 K u."""
        return self.elastic(u, s)


def longest_by_trial(formula: Formula, system: System, damping: VelocityFilter) -> float:
    """The longest dt [s] at which small random vibrations do not grow; inf if none was found.

    The search goes from short dt upwards, to a fiftieth of dt. Forces that conserve momentum without
    minimising energy, such as those along distances, may raise a small energy at first. Only energy that
    goes on growing counts as unstable.
    """
    from pliant.control import Undamped

    body = Linearised(system)
    unit = 2.0 / np.sqrt(next(iter(limiting_modes(system, Undamped())))[0])

    @np.errstate(over="ignore", invalid="ignore")  # what blows up is not stable
    def stable(dt: float) -> bool:
        rng, x = np.random.default_rng(0), system.undeformed
        points = filter_points(system)
        free = system.free[:, None]
        u, v = np.zeros(x.shape), free * rng.standard_normal(x.shape)
        energies: list[float] = []
        for doubled in range(DOUBLED + 1):
            steps = STEPS * 2**doubled
            while len(energies) < steps:
                before = v
                u, v = formula(body, u, v, dt)
                dv, du = damping.slowed(points, before, v, dt)
                u, v = u + free * du, v + free * dv
                energies.append(body.energy(u, v))
                if not energies[-1] < 1e12 * energies[0]:
                    return False
            last, earlier = energies[-steps // 4 :], energies[steps // 2 : -steps // 4]
            if max(last) <= NONE * max(earlier) + 1e-12 * energies[0]:
                return True
        return False

    low = SPAN[0]
    if not stable(low * unit):
        return 0.0
    high = low
    while stable(high * unit):
        low, high = high, 1.5 * high
        if high > SPAN[1]:
            return float("inf")
    while high > 1.02 * low:
        middle = np.sqrt(low * high)
        low, high = (middle, high) if stable(middle * unit) else (low, middle)
    return float(low * unit)
