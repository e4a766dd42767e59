"""Measurements on a finished motion: when it came to rest, and how it bounced."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares


def rest_time(times: np.ndarray, distance: np.ndarray, within: float) -> float:
    """The time after which the distance stays below `within` of its start; inf if it never does.

    Between frames the decay is taken as exponential.
    """
    d = np.asarray(distance) / distance[0]
    above = np.flatnonzero(d > within)
    last = above[-1] if len(above) else 0
    if last == len(d) - 1:
        return float("inf")
    if d[last + 1] <= 0.0:
        return float(times[last + 1])
    share = np.log(d[last] / within) / np.log(d[last] / d[last + 1])
    return float(times[last] + share * (times[last + 1] - times[last]))


def amplitude(u: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The share of the start shape in each frame, u . M u_0 / u_0 . M u_0; u: (frames, n, d)."""
    weighted = masses[:, None] * u[0]
    out: np.ndarray = np.tensordot(u, weighted, axes=([1, 2], [0, 1])) / np.vdot(u[0], weighted)
    return out


def crossings(times: np.ndarray, signal: np.ndarray) -> np.ndarray:
    """The times at which a signal changes sign, between frames by linear interpolation."""
    i = np.flatnonzero(signal[:-1] * signal[1:] < 0.0)
    share = signal[i] / (signal[i] - signal[i + 1])
    out: np.ndarray = times[i] + share * (times[i + 1] - times[i])
    return out


@dataclass(frozen=True)
class Ring:
    """A damped cosine fitted to a motion: size * decay^t cos(2 pi t/period - phase)."""

    size: float
    rate: float  # the envelope falls as exp(-rate t) [1/s]
    period: float  # [s]

    def rest_time(self, within: float) -> float:
        """When the envelope reaches `within` [s]."""
        return float(np.log(self.size / within) / self.rate)


def fit_ring(times: np.ndarray, signal: np.ndarray, *, period: float, rate: float) -> Ring:
    """Fit a damped cosine, starting the search from an expected period and rate."""

    def miss(p: np.ndarray) -> np.ndarray:
        size, rate_, turn, phase = p
        out: np.ndarray = size * np.exp(-rate_ * times) * np.cos(turn * times - phase) - signal
        return out

    start = np.array([1.0, rate, 2.0 * np.pi / period, 0.3])
    scale = np.array([1.0, rate, 2.0 * np.pi / period, 0.3])
    size, rate, turn, _ = least_squares(miss, start, x_scale=scale, xtol=1e-14, ftol=1e-14).x
    return Ring(float(abs(size)), float(rate), float(2.0 * np.pi / abs(turn)))
