"""Every simulation the study looks at, run once and kept."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from .critical import TABLE_4_2
from .examples import Example, annulus, rest_time, trapezoid
from .minimisers import Progress, one_step_of_example_2
from .ours import ours
from .stress_method import StressMethod, StressObjective
from .traditional import Traditional, stable_step
from .velocity_method import march

TAUS = {"Example 1": (1.0, 4.0), "Example 2": (0.33, 1.0, 2.0)}
CUT_SHORT = 30  # iterations a step of the descent that Figure A shows
# What the thesis's descent is run for: (example, tau) and the iterations a step, None for all.
DESCENTS = {
    "Example 1": ((1.0, None), (4.0, None)),
    "Example 2": ((0.33, CUT_SHORT), (1.0, CUT_SHORT), (2.0, CUT_SHORT), (1.0, 100), (2.0, 100)),
}


@dataclass(frozen=True)
class Run:
    """Positions over time, shape (frames, n, 2), and the seconds of computing they took."""

    example: Example
    times: np.ndarray
    positions: np.ndarray
    cost: float

    @property
    def d1(self) -> np.ndarray:
        """Distance of the whole from rest (4.1)."""
        return self.example.d1(self.positions)

    @property
    def d2(self) -> np.ndarray:
        """Distance of the farthest vertex from rest (4.2)."""
        return self.example.d2(self.positions)

    def rests(self, *, within: float = 0.01, metric: str = "d1") -> float:
        """Rest time by either metric [s]."""
        return rest_time(self.times, getattr(self, metric), within=within)


@dataclass
class Runs:
    """All runs, by example name and tau, iterations a step, or wavelength."""

    minimum: dict[tuple[str, float], Run] = field(default_factory=dict)
    thesis: dict[tuple[str, float, int | None], Run] = field(default_factory=dict)
    traditional: dict[tuple[str, float], Run] = field(default_factory=dict)
    progress: dict[str, Progress] = field(default_factory=dict)
    iterations_per_step: float = 0.0  # of the thesis's descent in Example 1, tau = 1


def run_all() -> Runs:
    """About one and a half minutes of simulation on one core."""
    runs = Runs()
    for example in (trapezoid(), annulus()):
        for tau in TAUS[example.name]:
            runs.minimum[example.name, tau] = timed(example, lambda e=example, t=tau: ours(e, t))
        for tau, limit in DESCENTS[example.name]:
            method = thesis_method(example, tau, limit)
            runs.thesis[example.name, tau, limit] = timed(example, lambda m=method: marched(m))
            if (example.name, tau) == ("Example 1", 1.0):
                runs.iterations_per_step = float(np.mean([r.iterations for r in method.results]))
        for wavelength, phi, psi in TABLE_4_2[example.name]:
            # An eighth of the limit: d1 is then within 2 % of what a quarter of that step gives.
            substeps = int(np.ceil(8.0 * example.dt / stable_step(example, phi, psi)))
            method = Traditional(example, phi, psi, example.dt, substeps)
            runs.traditional[example.name, wavelength] = timed(example, lambda m=method: marched(m))
    runs.progress = one_step_of_example_2()
    return runs


def thesis_method(example: Example, tau: float, limit: int | None) -> StressMethod:
    """Program 3.1: to convergence in Example 1, cut short in Example 2.

    One step of Example 2 is not converged after 2000 iterations and 13 s. There the gradient is
    the exact one, which agrees with the differences (3.18) to seven digits and is ten times faster.
    """
    if limit is None:
        return StressMethod(example, tau, example.dt)
    gradient = StressObjective.exact_gradient
    return StressMethod(example, tau, example.dt, iteration_limit=limit, gradient=gradient)


def marched(method) -> np.ndarray:
    """All frames of the method's example."""
    return march(method, steps=round(method.example.seconds / method.dt))


def timed(example: Example, positions) -> Run:
    """Call `positions` and keep what it returns with the time it took."""
    begin = time.perf_counter()
    frames = positions()
    times = example.dt * np.arange(len(frames))
    return Run(example, times, frames, time.perf_counter() - begin)
