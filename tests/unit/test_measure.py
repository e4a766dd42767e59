"""Measurements on signals whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from pliant.take import crossings
from pliant.take.measure import amplitude, fit_ring, rest_time

TIMES = np.linspace(0.0, 2.0, 121)


def test_rest_time_of_an_exponential_is_exact_between_frames() -> None:
    d = np.exp(-4.0 * TIMES)
    assert rest_time(TIMES, d, 0.01) == pytest.approx(np.log(100) / 4.0, rel=1e-12)


def test_rest_time_is_the_last_crossing_and_inf_without_one() -> None:
    d = np.where(TIMES < 1.0, 0.001, np.exp(-4.0 * TIMES))
    d[0] = 1.0
    d[TIMES >= 1.0] = np.exp(-4.0 * (TIMES[TIMES >= 1.0] - 0.5))
    assert rest_time(TIMES, d, 0.01) == pytest.approx(0.5 + np.log(100) / 4.0, rel=1e-12)
    assert rest_time(TIMES, np.ones_like(TIMES), 0.01) == np.inf


def test_ring_of_a_damped_cosine_is_found_from_a_poor_guess() -> None:
    signal = 1.1 * np.exp(-3.0 * TIMES) * np.cos(9.0 * TIMES - 0.4)
    ring = fit_ring(TIMES, signal, period=0.8, rate=2.0)
    assert (ring.size, ring.rate, ring.period) == pytest.approx(
        (1.1, 3.0, 2 * np.pi / 9.0), rel=1e-6
    )
    assert ring.rest_time(0.01) == pytest.approx(np.log(110.0) / 3.0, rel=1e-6)


def test_crossings_of_a_cosine() -> None:
    # Linear interpolation over 1/60 s of a 1 Hz wave: the curvature vanishes at the crossing.
    found = crossings(TIMES, np.cos(2 * np.pi * TIMES))
    assert found == pytest.approx([0.25, 0.75, 1.25, 1.75], abs=1e-4)


def test_amplitude_is_the_share_of_the_start_shape() -> None:
    rng = np.random.default_rng(0)
    u0, masses = rng.standard_normal((5, 3)), rng.uniform(1, 2, 5)
    other = rng.standard_normal((5, 3))
    other -= u0 * (masses @ (u0 * other).sum(axis=1)) / (masses @ (u0**2).sum(axis=1))
    frames = np.stack([u0, 0.3 * u0 + other, -0.2 * u0])
    assert amplitude(frames, masses) == pytest.approx([1.0, 0.3, -0.2])
