"""The control law for one mode: exact at any time step, as pure functions.

For a mode with eigenvalue lambda the controlled step is

    (1 + W) z^2 - (1 + kappa) z + kappa = 0,      W = w dt^2 lambda,

so kappa and W can be solved for from the wish: amplitude `within` after n steps with so many full
oscillations. Source: [young2007] (5.4), with the roots placed as in `docs/theory.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq

from pliant.errors import Advice, ImpossibleWishError
from pliant.given import check_dt

#: Steps to rest up to which the roots of the law differ from 1 by more than rounding.
MOST_TO_REST = 1e12


@dataclass(frozen=True)
class Law:
    """Gains of the step and the root r exp(+-i theta) they place."""

    kappa: float
    W: float
    r: float
    theta: float

    def amplitude(self, k: np.ndarray) -> np.ndarray:
        """Amplitude after k steps of a mode released from rest with amplitude 1."""
        k = np.asarray(k, dtype=float)
        if self.theta:
            b = (np.cos(self.theta) - self.r) / np.sin(self.theta)
            out: np.ndarray = self.r**k * (np.cos(self.theta * k) + b * np.sin(self.theta * k))
            return out
        if self.kappa:
            return (1.0 + (1.0 - self.r) * k) * self.r**k
        return self.r**k

    def envelope(self, k: np.ndarray) -> np.ndarray:
        """The bound that the amplitude touches once in every half oscillation."""
        if not self.theta:
            return self.amplitude(k)
        b = (np.cos(self.theta) - self.r) / np.sin(self.theta)
        out: np.ndarray = np.hypot(1.0, b) * self.r ** np.asarray(k, dtype=float)
        return out


def solve_law(rest_in: float, dt: float, bounces: int | None, within: float) -> Law:
    """The gains that bring one mode to `within` of its start after `rest_in` seconds.

    bounces None: no inertia at all, [young2007] (2.22). 0: critical. m > 0: m full oscillations.
    Raises ImpossibleWishError, naming the longest admissible dt, where the step is too long.
    """
    dt = check_dt("Settle", dt)
    n = rest_in / dt
    if n < 1.0 - 1e-9:
        raise ImpossibleWishError(
            Advice(
                f"rest_in={rest_in:g} s is shorter than one step of dt={dt:g} s; the longest "
                f"admissible step is dt={rest_in:g} s: ",
                f"scene.run(dt={rest_in:g})",
                f"set dt = {rest_in:g} in [run]",
            )
        )
    if n > MOST_TO_REST:
        raise ImpossibleWishError(
            Advice(
                f"rest_in={rest_in:g} s are {n:.1e} steps of dt={dt:g} s; expected at most "
                f"{MOST_TO_REST:.0e}",
                "; to be undamped over so short a time, body.damping = None",
                "; to be undamped over so short a time, leave settle out",
            )
        )
    if bounces is None:
        r = within ** (1.0 / n)
        return Law(0.0, 1.0 / r - 1.0, r, 0.0)
    if bounces == 0:
        r = _critical_root(n, within)
        kappa = r / (2.0 - r)
        return Law(kappa, kappa / r**2 - 1.0, r, 0.0)
    law = _oscillating(n, bounces, within)
    if law is None:
        limit = _round_down(longest_dt(rest_in, bounces, within))
        raise ImpossibleWishError(
            Advice(
                f"{bounces} bounces in rest_in={rest_in:g} s cannot be drawn with dt={dt:g} s; "
                f"the longest admissible step is dt={limit:g} s: ",
                f"scene.run(dt={limit:g}), or ask for fewer bounces",
                f"set dt = {limit:g} in [run], or ask for fewer bounces",
            )
        )
    return law


def longest_dt(rest_in: float, bounces: int | None, within: float) -> float:
    """The longest step at which the wish can be met [s]."""
    if not bounces:
        return rest_in
    low, high = 2.0 * bounces, 1e4 * bounces  # steps: fewer than 4 per bounce never suffice
    if _oscillating(high, bounces, within) is None:
        raise ImpossibleWishError(f"{bounces} bounces within {within} cannot be met at any step")
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        if _oscillating(middle, bounces, within) is None:
            low = middle
        else:
            high = middle
    return rest_in / high


def _round_down(value: float) -> float:
    """Four significant digits, never more than the value: what an error may promise."""
    unit = 10.0 ** (np.floor(np.log10(value)) - 3)
    return float(f"{np.floor(value / unit) * unit:.4g}")


@lru_cache(maxsize=256)  # asked for in every step
def _critical_root(n: float, within: float) -> float:
    def miss(r: float) -> float:
        return float(np.log1p((1.0 - r) * n) + n * np.log(r) - np.log(within))

    return float(brentq(miss, 1e-12, 1.0 - 1e-15, xtol=1e-15))


@lru_cache(maxsize=256)
def _oscillating(n: float, bounces: int, within: float) -> Law | None:
    theta = 2.0 * np.pi * bounces / n
    if theta >= np.pi / 2:
        return None

    def miss(r: float) -> float:
        b = (np.cos(theta) - r) / np.sin(theta)
        return float(np.log(np.hypot(1.0, b)) + n * np.log(r) - np.log(within))

    r = float(brentq(miss, 1e-12, 1.0 - 1e-15, xtol=1e-15))
    if 2.0 * np.cos(theta) <= r:
        return None
    kappa = r / (2.0 * np.cos(theta) - r)
    W = kappa / r**2 - 1.0
    return Law(kappa, W, r, theta) if W > 0.0 else None
