"""What every stepper does to the oscillator, on paper: one step is a matrix.

    y_new = A(s) y,    y = (x, v/omega),   s = omega dt,    y' = omega J y,   J = [[0, 1], [-1, -2 zeta]]

Sources: [hughes2000] 9.1, [hairer1996] V.1. Nothing of the library is used here.
"""

from __future__ import annotations

import numpy as np

ONE = np.eye(2)


def matrix(name: str, s: float, zeta: float) -> np.ndarray:
    """A(s); of (y, y_before) for BDF2."""
    J = np.array([[0.0, 1.0], [-1.0, -2.0 * zeta]])
    match name:
        case "ExplicitEuler":
            return ONE + s * J
        case "SymplecticEuler":
            kept = 1.0 - 2.0 * zeta * s  # damping acts on what the spring has done
            return np.array([[1.0 - kept * s**2, kept * s], [-kept * s, kept]])
        case "AverageVelocity":
            row = (ONE + s * J)[1]
            return np.array([[1.0, 0.5 * s] + 0.5 * s * row, row])
        case "RungeKutta4":
            Z = s * J
            return ONE + Z + Z @ Z / 2.0 + Z @ Z @ Z / 6.0 + Z @ Z @ Z @ Z / 24.0
        case "LinearisedImplicit" | "Implicit":
            return np.linalg.inv(ONE - s * J)
        case "Newmark":
            return np.linalg.solve(ONE - 0.5 * s * J, ONE + 0.5 * s * J)
        case "BDF2":
            solved = np.linalg.inv(1.5 * ONE - s * J)
            return np.block([[2.0 * solved, -0.5 * solved], [ONE, np.zeros((2, 2))]])
    raise ValueError(f"theory: got {name!r}; expected the name of a stepper")


def states(name: str, s: float, zeta: float, steps: int) -> np.ndarray:
    """y of every step, released from rest at x = 1, shape (steps + 1, 2)."""
    y = [np.array([1.0, 0.0])]
    if name == "BDF2":  # its first step is backward Euler
        y.append(matrix("Implicit", s, zeta) @ y[0])
        A = matrix(name, s, zeta)
        while len(y) <= steps:
            y.append((A @ np.concatenate([y[-1], y[-2]]))[:2])
        return np.array(y[: steps + 1])
    A = matrix(name, s, zeta)
    for _ in range(steps):
        y.append(A @ y[-1])
    return np.array(y)


def growth(name: str, s: float, zeta: float) -> float:
    """By how much a step multiplies the amplitude in the long run: the spectral radius of A."""
    return float(np.abs(np.linalg.eigvals(matrix(name, s, zeta))).max())


def limit(name: str, zeta: float) -> float:
    """The s up to which nothing grows: in closed form where there is one; inf if it always holds."""
    match name:
        case "ExplicitEuler":
            # det A = 1 - 2 zeta s + s^2, and beyond critical damping 1 + tr A + det A >= 0.
            return 2.0 * (zeta - np.sqrt(max(zeta**2 - 1.0, 0.0)))
        case "AverageVelocity":
            return min(4.0 * zeta, 1.0 / zeta) if zeta else 0.0  # det A = 1 - 2 zeta s + s^2/2
        case "SymplecticEuler" if zeta == 0.0:
            return 2.0
        case "RungeKutta4" if zeta == 0.0:
            return np.sqrt(8.0)  # |R(i s)|^2 = 1 - s^6/72 + s^8/576
        case "SymplecticEuler" | "RungeKutta4":
            low, high = 1.0, 4.0
            while high - low > 1e-9:
                s = 0.5 * (low + high)
                low, high = (s, high) if growth(name, s, zeta) <= 1.0 else (low, s)
            return low
    return np.inf
