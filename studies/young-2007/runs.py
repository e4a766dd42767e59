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
CUT_SHORT = 30  # iterations a step; between 10 and 100 the picture is the same


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
    """All runs; keys are (example name, tau) or (example name, wavelength)."""

    minimum: dict[tuple[str, float], Run] = field(default_factory=dict)
    thesis: dict[tuple[str, float], Run] = field(default_factory=dict)
    traditional: dict[tuple[str, float], Run] = field(default_factory=dict)
    progress: dict[str, Progress] = field(default_factory=dict)
    iterations_per_step: float = 0.0  # of the thesis's descent in Example 1, tau = 1


def run_all() -> Runs:
    """About one minute of simulation on one core."""
    runs = Runs()
    for example in (trapezoid(), annulus()):
        for tau in TAUS[example.name]:
            runs.minimum[example.name, tau] = timed(example, lambda e=example, t=tau: ours(e, t))
            method = thesis_method(example, tau)
            runs.thesis[example.name, tau] = timed(example, lambda m=method: marched(m))
            if (example.name, tau) == ("Example 1", 1.0):
                runs.iterations_per_step = float(np.mean([r.iterations for r in method.results]))
        for wavelength, phi, psi in TABLE_4_2[example.name]:
            # Half the limit, because stretched elements are stiffer than at rest.
            substeps = int(np.ceil(2.0 * example.dt / stable_step(example, phi, psi)))
            method = Traditional(example, phi, psi, example.dt, substeps)
            runs.traditional[example.name, wavelength] = timed(example, lambda m=method: marched(m))
    runs.progress = one_step_of_example_2()
    return runs


def thesis_method(example: Example, tau: float) -> StressMethod:
    """Program 3.1: to convergence in Example 1, cut short in Example 2.

    A converged descent of Example 2 would take days. There the gradient is the exact one, which
    agrees with the differences (3.18) to nine digits and is ten times faster.
    """
    if example.name == "Example 1":
        return StressMethod(example, tau, example.dt)
    return StressMethod(
        example,
        tau,
        example.dt,
        iteration_limit=CUT_SHORT,
        gradient=StressObjective.exact_gradient,
    )


def marched(method) -> np.ndarray:
    """All frames of the method's example."""
    return march(method, steps=round(method.example.seconds / method.dt))


def timed(example: Example, positions) -> Run:
    """Call `positions` and keep what it returns with the time it took."""
    begin = time.perf_counter()
    frames = positions()
    times = example.dt * np.arange(len(frames))
    return Run(example, times, frames, time.perf_counter() - begin)
