"""The steppers on the oscillator: orders, limits and energies, measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import pliant as pl

from .body import Case, Swing, swing

#: Solved to rounding, so that what is measured is the formula and not the solver.
STEPPERS = {
    "ExplicitEuler": pl.ExplicitEuler(),
    "SymplecticEuler": pl.SymplecticEuler(),
    "AverageVelocity": pl.AverageVelocity(),
    "RungeKutta4": pl.RungeKutta4(),
    "LinearisedImplicit": pl.LinearisedImplicit(1e-12),
    "Implicit": pl.Implicit(tolerance=0.0),
    "Newmark": pl.Newmark(tolerance=0.0),
    "BDF2": pl.BDF2(tolerance=0.0),
}
ORDERS = dict(zip(STEPPERS, (1, 1, 1, 4, 1, 1, 2, 2), strict=True))
EXPLICIT = ("ExplicitEuler", "SymplecticEuler", "AverageVelocity", "RungeKutta4")
DAMPED, FREE = Case(zeta=0.1), Case(zeta=0.0)


@dataclass(frozen=True)
class Errors:
    """The largest error of one period for several numbers of steps."""

    steps: np.ndarray
    errors: np.ndarray

    @property
    def order(self) -> float:
        """The slope of error over dt, fitted to the three shortest steps."""
        return float(-np.polyfit(np.log(self.steps[-3:]), np.log(self.errors[-3:]), 1)[0])


def errors(name: str, case: Case = DAMPED, steps: Sequence[int] = (200, 400, 800)) -> Errors:
    """One period in several numbers of steps."""
    period = 2.0 * np.pi / case.omega
    found = [swing(case, STEPPERS[name], period / n, n).error for n in steps]
    return Errors(np.array(steps), np.array(found))


def grows(name: str, case: Case, s: float, steps: int) -> bool:
    """Whether the motion is larger in the last quarter of a run than in its first."""
    try:
        run = swing(case, STEPPERS[name], s / case.omega, steps)
    except pl.SolverError:  # it has left the screen
        return True
    quarter = steps // 4
    # Of bounded motion both quarters see the same extremes, to a hundredth in fifty steps or more.
    return bool(run.energy[-quarter:].max() > 1.02 * run.energy[:quarter].max())


def limit(name: str, case: Case, *, rtol: float = 1e-3, steps: int = 400) -> float:
    """The longest stable step times omega, by bisection of runs; 0 and inf where there is none."""
    low, high = 0.03, 30.0
    if not any(grows(name, case, s, 100) for s in (0.3, 3.0, high, 1e4)):
        return np.inf
    while high > low * (1.0 + rtol):
        s = float(np.sqrt(low * high))
        low, high = (low, s) if grows(name, case, s, steps) else (s, high)
    # Where even the shortest grows the bracket has closed on it.
    return 0.0 if low == 0.03 else float(np.sqrt(low * high))


def energies(name: str, per_period: int, periods: int, case: Case = FREE) -> Swing:
    """A long run at some steps per period."""
    dt = 2.0 * np.pi / case.omega / per_period
    return swing(case, STEPPERS[name], dt, per_period * periods)
