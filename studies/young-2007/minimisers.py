"""One step of Example 2 by three minimisers of the same energy."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from .descent import steepest_descent
from .examples import annulus
from .stress_method import StressObjective
from .velocity_method import VelocityMethod


@dataclass(frozen=True)
class Progress:
    """How far a minimiser of one step is above the minimum, as a part of it, by iteration."""

    iterations: np.ndarray
    excess: np.ndarray
    cost: float
    position_error: float  # of the last iterate, largest coordinate [m]


def one_step_of_example_2() -> dict[str, Progress]:
    """The first step of Example 2, tau = 1, by three minimisers of the same energy."""
    example = annulus()
    x, dt, zero = example.start, example.dt, np.zeros((len(example.mesh.cells), 3))
    newton = VelocityMethod(example, 1.0, dt)
    begin = time.perf_counter()
    x_new, v_new = newton.step(x, 0.0 * x)
    cost, least = time.perf_counter() - begin, newton.objective(x, v_new)
    progress = {"Newton": Progress(np.array(newton.iterations), np.zeros(1), cost, 0.0)}
    objective = StressObjective(example, x, 0.0 * x, tau=1.0, dt=dt)

    def kept(counts, values, sigma, began):
        error = np.abs(x + dt * objective.velocities(sigma) - x_new).max()
        excess = np.array(values) / least - 1.0
        return Progress(np.array(counts), excess, time.perf_counter() - began, float(error))

    begin, sigma, step, counts, values = time.perf_counter(), zero, 1.0, [0], []
    values.append(objective.value(zero))
    for count in np.unique(np.geomspace(1, 2000, 30).astype(int)):
        result = steepest_descent(
            objective.value,
            sigma,
            gradient=objective.gradient,
            step=step,
            gradient_tolerance=0.0,
            iteration_limit=int(count) - counts[-1],
        )
        sigma, step = result.x, result.step
        counts.append(int(count))
        values.append(result.value)
    progress["steepest descent"] = kept(counts, values, sigma, begin)

    begin, values = time.perf_counter(), [objective.value(zero)]

    def value_and_gradient(flat):
        sigma = flat.reshape(zero.shape)
        return objective.value(sigma), objective.exact_gradient(sigma).ravel()

    found = minimize(
        value_and_gradient,
        zero.ravel(),
        jac=True,
        method="L-BFGS-B",
        callback=lambda intermediate_result: values.append(intermediate_result.fun),
        options={"maxiter": 1500, "maxfun": 10_000, "maxcor": 30, "ftol": 0.0, "gtol": 1e-11},
    )
    progress["L-BFGS"] = kept(range(len(values)), values, found.x.reshape(-1, 3), begin)
    return progress
