"""How long an explicit step may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy.sparse.linalg as sla

from pliant.damping import Damping

from .motion import Accelerations, viscous_force
from .system import System

#: Advances positions and velocities by dt.
Formula = Callable[[Accelerations, np.ndarray, np.ndarray, float], tuple[np.ndarray, np.ndarray]]


class Oscillator:
    """One mode: a = -lam x - c v."""

    def __init__(self, lam: float, c: float):
        self.lam, self.c = lam, c

    def elastic(self, x: np.ndarray, s: float) -> np.ndarray:
        """-lam x."""
        return -self.lam * x

    def loss(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """-c v."""
        return -self.c * v

    def whole(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """Their sum."""
        return -self.lam * x - self.c * v


def longest_stable(formula: Formula, lam: float, c: float) -> float:
    """The longest dt [s] at which no motion of an oscillator grows; 0 if it does at every dt.

    The step of an oscillator is a 2 x 2 matrix A, read off the formula itself; no motion grows while
    |det A| <= 1 and |tr A| <= 1 + det A. Source: [hughes2000] 9.1.
    """
    oscillator = Oscillator(lam, c)

    def stable(dt: float) -> bool:
        x, v = formula(oscillator, np.array([1.0, 0.0]), np.array([0.0, 1.0]), dt)
        trace, determinant = x[0] + v[1], x[0] * v[1] - x[1] * v[0]
        return abs(determinant) <= 1.0 + 1e-11 and abs(trace) <= 1.0 + determinant + 1e-11

    fast = max(np.sqrt(max(lam, 0.0)), c)
    if fast == 0.0:
        return np.inf
    low, high = 1e-4 / fast, 16.0 / fast
    if not stable(low):
        return 0.0
    while high - low > 1e-9 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    return low


def limiting_modes(system: System, damping: Damping) -> Iterator[tuple[float, float]]:
    """(lam [1/s^2], c [1/s]) of the stiffest motion of a body, and of the most damped one.

    Of the undeformed body, by Lanczos steps on M^-1 K and on M^-1 D.
    """
    x, free = system.undeformed, system.free
    masses = np.repeat(system.masses[free], system.dim)
    stiffness = system.stiffness(x)

    def drag(u: np.ndarray) -> np.ndarray:
        v = np.zeros_like(x)
        v[free] = u.reshape(-1, system.dim)
        return -viscous_force(system, damping, x, v, 1.0, {})[free].ravel()

    operators = (lambda u: stiffness @ u), drag
    for operator in operators:
        mode = _top(operator, masses)
        yield float(mode @ (stiffness @ mode)), float(mode @ drag(mode))


def _top(operator: Callable[[np.ndarray], np.ndarray], masses: np.ndarray) -> np.ndarray:
    """The mode of largest eigenvalue of A u = lam M u, of u^T M u = 1."""
    root, n = 1.0 / np.sqrt(masses), len(masses)

    def scaled(u: np.ndarray) -> np.ndarray:
        return root * operator(root * u.ravel())

    if n <= 32:
        matrix = np.column_stack([scaled(e) for e in np.eye(n)])
        return root * np.linalg.eigh(0.5 * (matrix + matrix.T))[1][:, -1]
    start = np.random.default_rng(0).standard_normal(n)
    size = np.abs(scaled(start)).max()
    if size == 0.0:
        return root * start / np.linalg.norm(start)
    linear = sla.LinearOperator((n, n), matvec=lambda u: scaled(u) / size)
    # A thousandth of the eigenvalue is half a thousandth of the step.
    return root * sla.eigsh(linear, k=1, which="LA", tol=1e-3, v0=start)[1][:, 0]
