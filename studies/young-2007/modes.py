"""One mode at a time: the elastic bar of chapter 2 and the oscillator of section 2.1.2.

    min KE + PE            A_n = (1 + k^2 E dt^2 / rho)^-n A_0                    (2.10), (2.19)
    min KE + (tau/dt) PE   A_n = (1 + tau k^2 E dt / rho)^-n A_0                  (2.22), (2.25)

Source: [young2007] chapter 2
(2.21) and (2.27), exponentials in time, are the limits of these for a small step and nothing more.
"""

from __future__ import annotations

import numpy as np


def energy_weight(tau: float | None, dt: float) -> float:
    """The factor of PE: tau/dt in (2.22), and 1 in (2.10), written tau = None."""
    return 1.0 if tau is None else tau / dt


def minimised_amplitudes(k, young, density, dt, steps, *, tau=None) -> np.ndarray:
    """A_0 = 1, A_1, ... of a mode released from rest, by minimising (2.12) over F every step.

    The objective is a parabola in F, so three of its values give the minimum: nothing of the
    derivation (2.14) to (2.18) is used.
    """
    A, B, amplitudes = 1.0, 0.0, [1.0]
    weight = energy_weight(tau, dt)

    def energy(F):
        v = B + dt / density * F
        u = A + dt * v
        return 0.5 * density * v**2 + weight * 0.5 * young * (k * u) ** 2

    # Probing at the size of the expected force keeps the three values comparable.
    probe = density / dt**2
    for _ in range(steps):
        low, middle, high = energy(-probe), energy(0.0), energy(probe)
        F = probe * 0.5 * (low - high) / (low - 2.0 * middle + high)
        B = B + dt / density * F
        A = A + dt * B
        amplitudes.append(A)
    return np.array(amplitudes)


def printed_amplitudes(k, young, density, dt, steps, *, tau=None) -> np.ndarray:
    """A_0 = 1, A_1, ... from (2.19), or from (2.25) where tau is given."""
    factor = 1.0 / (1.0 + energy_weight(tau, dt) * dt**2 * k**2 * young / density)
    return factor ** np.arange(steps + 1)


def limit_rate(k, young, density, dt, *, tau=None) -> float:
    """Decay rate [1/s] of the small-step limits (2.21), (2.27); only the latter is free of dt."""
    return energy_weight(tau, dt) * dt * k**2 * young / density


def bar_rates(wavenumbers, young, density, length, *, tau, dt, elements, seconds) -> np.ndarray:
    """Measured decay rate [1/s] of modes sin(k x) of a finite-element bar fixed at both ends.

    Linear elements, consistent mass; every step minimises (2.22) over the nodal velocities, which
    is (M + tau dt K) v = -tau K u. To be compared with tau E k^2 / rho of (2.47).
    """
    h = length / elements
    n = elements - 1
    x = h * np.arange(1, elements)
    neighbours = np.eye(n, k=1) + np.eye(n, k=-1)
    M = density * h / 6.0 * (4.0 * np.eye(n) + neighbours)
    K = young / h * (2.0 * np.eye(n) - neighbours)
    shapes = np.sin(np.outer(x, wavenumbers))
    advance = np.eye(n) - dt * np.linalg.solve(M + tau * dt * K, tau * K)
    steps = round(seconds / dt)
    u = np.linalg.matrix_power(advance, steps) @ shapes
    left = np.sum(u * shapes, axis=0) / np.sum(shapes**2, axis=0)
    return -np.log(left) / (steps * dt)


def damping_by_minimisation(D, A, M, v, dt) -> np.ndarray:
    """v_new of (1.7): kinetic energy plus dt/2 S^T A^-1 S, minimised over the stresses S.

    Solved as the least-squares problem it is, |M^1/2 (v + dt M^-1 D S)|^2 + dt |A^-1/2 S|^2,
    so that the optimality condition (1.8) of the thesis is not presupposed.
    """
    root_M, root_A_inverse = np.linalg.cholesky(M).T, np.linalg.cholesky(np.linalg.inv(A)).T
    spread = np.linalg.solve(M, D)
    system = np.vstack([dt * root_M @ spread, np.sqrt(dt) * root_A_inverse])
    right = np.concatenate([-root_M @ v, np.zeros(len(A))])
    S = np.linalg.lstsq(system, right)[0]
    return v + dt * spread @ S


def damping_by_backward_euler(D, A, M, v, dt) -> np.ndarray:
    """v_new of (1.6), (M + dt D A D^T)^-1 M v."""
    return np.linalg.solve(M + dt * D @ A @ D.T, M @ v)


def oscillator(t, c, *, m=1.0, k=1.0) -> np.ndarray:
    """x(t) = (e^(r1 t) + e^(r2 t))/2 of m x'' + c x' + k x = 0, as drawn in Figure 2.1.

    Source: [young2007] (2.28) to (2.30), A = B = 1/2. Not a release from rest: the three curves
    start with different velocities, -c/(2 m).
    """
    r1, r2 = oscillator_roots(c, m=m, k=k)
    return np.real(0.5 * np.exp(r1 * t) + 0.5 * np.exp(r2 * t))


def oscillator_roots(c, *, m=1.0, k=1.0) -> tuple[complex, complex]:
    """Slow and fast root of (2.30)."""
    spread = np.sqrt(complex(c * c - 4.0 * m * k))
    return (-c + spread) / (2.0 * m), (-c - spread) / (2.0 * m)
