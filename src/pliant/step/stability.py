"""How long an explicit step may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy.sparse.linalg as sla

from pliant.control import Damping
from pliant.problem import System

from .motion import Accelerations, viscous_force

#: The share of the body's size by which it is moved to measure its viscosity.
SMALL = 1e-4
#: Advances positions and velocities by dt.
Formula = Callable[[Accelerations, np.ndarray, np.ndarray, float], tuple[np.ndarray, np.ndarray]]


class Oscillators:
    """Independent oscillators: a = -lam x - c v, with one lam and one c for each."""

    def __init__(self, lam: np.ndarray, c: np.ndarray):
        self.lam, self.c = lam, c

    def elastic(self, x: np.ndarray, s: float) -> np.ndarray:
        """-lam x."""
        out: np.ndarray = -self.lam * x
        return out

    def loss(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """-c v."""
        out: np.ndarray = -self.c * v
        return out

    def whole(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """Their sum."""
        out: np.ndarray = -self.lam * x - self.c * v
        return out


def longest_stable(formula: Formula, lam: np.ndarray, c: np.ndarray) -> float:
    """The longest dt [s] up to which no motion of any oscillator grows; 0 if one does at every dt.

    The step of an oscillator is a 2 x 2 matrix A, read off the formula itself; no motion grows while
    |det A| <= 1 and |tr A| <= 1 + det A. Source: [hughes2000] 9.1.
    """
    modes, zero, one = Oscillators(lam, c), np.zeros_like(lam), np.ones_like(lam)

    def stable(dt: float) -> bool:
        x, v = formula(modes, np.array([one, zero]), np.array([zero, one]), dt)
        trace, determinant = x[0] + v[1], x[0] * v[1] - x[1] * v[0]
        bound = 1.0 + determinant + 1e-11
        return bool((np.abs(determinant) <= 1.0 + 1e-11).all() and (np.abs(trace) <= bound).all())

    fast = max(float(np.sqrt(lam.max())), float(c.max()))
    if fast == 0.0:
        return float("inf")
    # Upwards in small steps: with damping, stability may be lost and regained between two dt.
    low = high = 1e-4 / fast
    if not stable(low):
        return 0.0
    while stable(high):
        low, high = high, 1.02 * high
    while high - low > 1e-9 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    return low


def longest_of_body(formula: Formula, system: System, damping: Damping) -> float:
    """The longest dt [s] of a body about its rest shape.

    The stiffest mode need not limit the step: damping may stabilise it and not a slower one. So three
    modes are examined, the stiffest, the most damped and the least damped, and all slower ones, as if
    their damping were drag and a part in proportion to stiffness. For pl.Rayleigh this is exact.
    """
    share = np.linspace(0.0, 1.0, 257)[1:]
    return min(
        longest_stable(formula, share * lam, drag + share * (c - drag))
        for lam, c, drag in limiting_modes(system, damping)
    )


def limiting_modes(system: System, damping: Damping) -> Iterator[tuple[float, float, float]]:
    """lam [1/s^2], c [1/s] and the part of c that is drag, of the motions that limit steps.

    The stiffest, the most damped, and the one that is least damped for its stiffness; of the
    undeformed body, by Lanczos steps on M^-1 K and on M^-1 D.
    """
    x, free = system.undeformed, system.free
    masses = np.repeat(system.masses[free], system.dim)
    stiffness = system.stiffness(x)

    def loss(u: np.ndarray) -> np.ndarray:
        v = np.zeros_like(x)
        v[free] = u.reshape(-1, system.dim)
        brief = SMALL * system.size / max(float(np.abs(v).max()), 1e-300)
        out: np.ndarray = -viscous_force(system, damping, x, v, brief)[free].ravel()
        return out

    stiff, damped = _top(lambda u: stiffness @ u, masses), _top(loss, masses)
    least = _least_damped(lambda u: stiffness @ u, loss, masses, stiff, damped)
    # A motion without strain feels drag alone.
    rigid = np.zeros_like(x)
    rigid[:, 0] = 1.0
    against = -viscous_force(system, damping, x, rigid, SMALL * system.size)
    drag = float(np.vdot(rigid, against) / system.masses.sum())
    for mode in (stiff, damped, least):
        yield float(mode @ (stiffness @ mode)), float(mode @ loss(mode)), drag


def _least_damped(
    stiffness: Callable[[np.ndarray], np.ndarray],
    loss: Callable[[np.ndarray], np.ndarray],
    masses: np.ndarray,
    mode: np.ndarray,
    damped: np.ndarray,
) -> np.ndarray:
    """The mode of smallest c/lam, which limits steps that gain energy; from the stiffest one.

    Dinkelbach's steps: where c/lam K - D has a motion above zero, that has a smaller c/lam.
    """
    lam, c, most = (float(u @ f(u)) for u, f in ((mode, stiffness), (mode, loss), (damped, loss)))
    fastest = lam
    for _ in range(8):
        if lam <= 0.0 or c <= 1e-6 * most:  # none at all, or next to none
            break
        rate = c / lam
        # Lanczos steps would not end at an eigenvalue of zero.
        shift = 0.05 * (rate * fastest + most) * masses
        found = _top(lambda u, r=rate, s=shift: r * stiffness(u) - loss(u) + s * u, masses)  # type: ignore[misc]
        slower, calmer = float(found @ stiffness(found)), float(found @ loss(found))
        if slower <= 1e-6 * fastest or calmer * lam > 0.99 * c * slower:
            break
        mode, lam, c = found, slower, max(calmer, 0.0)
    return mode


def _top(operator: Callable[[np.ndarray], np.ndarray], masses: np.ndarray) -> np.ndarray:
    """The mode of largest eigenvalue of A u = lam M u, of u^T M u = 1."""
    root, n = 1.0 / np.sqrt(masses), len(masses)

    def scaled(u: np.ndarray) -> np.ndarray:
        out: np.ndarray = root * operator(root * u.ravel())
        return out

    if n <= 32:
        matrix = np.column_stack([scaled(e) for e in np.eye(n)])
        out: np.ndarray = root * np.linalg.eigh(0.5 * (matrix + matrix.T))[1][:, -1]
        return out
    start = np.random.default_rng(0).standard_normal(n)
    size = np.abs(scaled(start)).max()
    if size == 0.0:
        out = root * start / np.linalg.norm(start)
        return out
    linear = sla.LinearOperator((n, n), matvec=lambda u: scaled(u) / size)
    # A thousandth of the eigenvalue is half a thousandth of the step.
    out = root * sla.eigsh(linear, k=1, which="LA", tol=1e-3, v0=start)[1][:, 0]
    return out
