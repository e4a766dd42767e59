"""Steepest descent with a step that halves and doubles: the slow minimiser one can trust.

    x_{i+1} = x_i - alpha_i grad f(x_i),      f(x_{i+1}) <= f(x_i)

The step is halved until the value does not increase. An iteration that needed no halving doubles
the step the next one starts from; an iteration that needed some hands its last step on.

Source: [young2007] (3.7), (3.8), (3.18), section 3.2.1
Not for production: on a problem of condition number c it needs about c iterations. It is here
because it asks for nothing but values, so a faster minimiser can be judged by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

Reason = Literal["gradient", "decrease", "iterations", "step"]

# Halving a step of one this often leaves 1e-18: no direction that still descends needs more.
SMALLEST_STEP_RATIO = 2.0**-60


@dataclass(frozen=True)
class DescentResult:
    """Where a descent ended, and why it stopped.

    `reason` is the test that ended it: "gradient" and "decrease" are success, "iterations" means
    the limit came first, "step" that no step along the gradient kept the value from rising.
    `evaluations` counts calls of `value`; the gradient is asked for once per iteration besides.
    `step` is what a following descent on a similar function should start from.
    """

    x: np.ndarray
    value: float
    iterations: int
    evaluations: int
    reason: Reason
    step: float


def centred_differences(
    value: Callable[[np.ndarray], float], x: np.ndarray, *, delta: float = 1e-5
) -> np.ndarray:
    """Gradient from two values per unknown, `(f(x + delta e) - f(x - delta e)) / (2 delta)`.

    Source: [young2007] (3.18)
    The error is of order delta^2 + eps/delta. It costs 2 n values: a caller who knows which
    unknowns a term depends on should difference that term alone.
    """
    x = np.asarray(x, dtype=float)
    gradient = np.empty_like(x)
    probe = x.copy()
    for i in np.ndindex(x.shape):
        probe[i] = x[i] + delta
        above = value(probe)
        probe[i] = x[i] - delta
        gradient[i] = (above - value(probe)) / (2.0 * delta)
        probe[i] = x[i]
    return gradient


def steepest_descent(
    value: Callable[[np.ndarray], float],
    x: np.ndarray,
    *,
    gradient: Callable[[np.ndarray], np.ndarray] | None = None,
    step: float = 1.0,
    gradient_tolerance: float = 1e-8,
    decrease_tolerance: float = 0.0,
    iteration_limit: int = 10_000,
) -> DescentResult:
    """Minimise `value` from `x` by steepest descent with step halving and doubling.

    gradient: callable; centred differences of `value` where None.
    step: the step the first iteration tries.
    gradient_tolerance: stop when no entry of the gradient is larger.
    decrease_tolerance: stop when an iteration lowers the value by less than this part of it.
        Equal values are accepted by (3.8), so a stalled descent would otherwise run to the limit;
        0 means stop only when nothing at all was gained.

    Source: [young2007] section 3.2.1
    """
    if not step > 0.0:
        raise ValueError(f"step must be positive, got {step}; try step=1.0")
    if gradient is None:

        def gradient(y: np.ndarray) -> np.ndarray:
            return centred_differences(value, y)

    x = np.array(x, dtype=float)
    now, evaluations = float(value(x)), 1
    if not np.isfinite(now):
        raise ValueError(f"the value at the start is {now}; start where it is finite")

    for iteration in range(iteration_limit):
        slope = gradient(x)
        if np.max(np.abs(slope), initial=0.0) <= gradient_tolerance:
            return DescentResult(x, now, iteration, evaluations, "gradient", step)

        alpha, smallest = step, step * SMALLEST_STEP_RATIO
        while True:
            trial = x - alpha * slope
            then = float(value(trial))
            evaluations += 1
            if then <= now:
                break
            alpha *= 0.5
            if alpha < smallest:
                return DescentResult(x, now, iteration, evaluations, "step", step)

        gained, x, now = now - then, trial, then
        step = 2.0 * alpha if alpha == step else alpha
        if gained <= decrease_tolerance * abs(now):
            return DescentResult(x, now, iteration + 1, evaluations, "decrease", step)

    return DescentResult(x, now, iteration_limit, evaluations, "iterations", step)
