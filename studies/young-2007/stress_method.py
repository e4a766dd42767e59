"""The thesis's own method: each step searches the element stresses of least modified energy.

    min over sigma   TE = KE(v_new) + (tau/dt) PE(x_new)                                      (3.9)
    v_new = v + dt M^-1 F(sigma),   x_new = x + dt v_new                              (3.11), (3.20)
    F_i = sum over triangles at i of sigma_t (x_k - x_j)^perp / 2                             (3.12)

Source: [young2007] chapter 3, Program 3.1
The gradient is the centred difference (3.18), taken locally as section 3.2.2 says: a change of one
triangle's stress moves its own three vertices only, so KE is differenced on those and PE on the
triangles that touch them. That is the same number as differencing the whole TE, with less rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from .descent import DescentResult, steepest_descent
from .examples import Example
from .triangles import Triangles, half_normals, stvk_energy

# (3.19): the symmetric unit changes of sigma_11, sigma_12 = sigma_21 and sigma_22.
UNITS = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]])


class StressObjective:
    """TE of one step (3.9) as a function of the stresses, shape (t, 3) for (11, 12, 22)."""

    def __init__(self, example: Example, x: np.ndarray, v: np.ndarray, *, tau: float, dt: float):
        self.example, self.x, self.v, self.dt = example, x, v, dt
        self.weight = tau / dt
        self.normals = half_normals(x[example.mesh.cells])

    def velocities(self, sigma: np.ndarray) -> np.ndarray:
        """v_new of (3.11); fixed vertices have no inverse mass and stay."""
        corner_forces = np.einsum("tc,cij,taj->tai", sigma, UNITS, self.normals)
        forces = self.example.mesh.gather(corner_forces)
        return self.v + self.dt * self.example.inverse_masses[:, None] * forces

    def value(self, sigma: np.ndarray) -> float:
        """TE(sigma) (3.9)."""
        v = self.velocities(sigma)
        kinetic = 0.5 * np.sum(self.example.masses[:, None] * v**2)
        return float(kinetic + self.weight * self.example.mesh.potential(self.x + self.dt * v))

    def gradient(self, sigma: np.ndarray, *, delta: float = 1e-3) -> np.ndarray:
        """Centred differences (3.18) of TE, shape (t, 3).

        KE is quadratic in sigma and PE quartic with small coefficients dt^2/m, so a delta as large
        as 1e-3 keeps the rounding low at a relative error of 1e-8 (Example 1) to 1e-7 (Example 2).
        """
        mesh, example = self.example.mesh, self.example
        v = self.velocities(sigma)
        x = self.x + self.dt * v
        # Change of velocity of the corners a of triangle s by each unit stress, (3, t, a, 2).
        kick = delta * self.dt * np.einsum("cij,taj->ctai", UNITS, self.normals)
        kick *= example.inverse_masses[mesh.cells][None, :, :, None]
        # Which triangles move with which: t has a vertex of s.
        (seen, by), shared, first = touching(mesh)
        moved = self.dt * np.einsum("pba,cpaj->cpbj", shared, kick[:, seen])

        here = v[mesh.cells]
        difference = np.zeros((len(UNITS), len(mesh.cells)))
        for sign in (1.0, -1.0):
            kinetic = 0.5 * example.masses[mesh.cells][..., None] * (here + sign * kick) ** 2
            corners = x[mesh.cells[by]] + sign * moved
            potential = stvk_energy(corners, mesh.inverse[by], mesh.areas[by], mesh.lam, mesh.mu)
            touched = np.add.reduceat(potential, first, axis=1)
            difference += sign * (kinetic.sum(axis=(2, 3)) + self.weight * touched)
        return difference.T / (2.0 * delta)

    def exact_gradient(self, sigma: np.ndarray) -> np.ndarray:
        """The derivative that (3.18) approximates, shape (t, 3), at a tenth of the cost.

        The thesis does not have it; it serves to find the same minimum with better minimisers.
        """
        v = self.velocities(sigma)
        momentum = self.example.masses[:, None] * v
        push = self.weight * self.dt * self.example.mesh.gradient(self.x + self.dt * v)
        pull = self.dt * self.example.inverse_masses[:, None] * (momentum + push)
        return np.einsum("cij,taj,tai->tc", UNITS, self.normals, pull[self.example.mesh.cells])


@dataclass
class StressMethod:
    """Marches an example with Program 3.1; `results` keeps what every descent did.

    Every step starts from zero stress, that is from the old velocities. The thesis does not say,
    and for a descent that ends at the minimum it makes no difference. Cut short it does: tried on
    Example 2, starting from the stresses of the step before diverged with up to 30 iterations a
    step, starting from zero with a single one.
    """

    example: Example
    tau: float
    dt: float
    iteration_limit: int = 20_000
    gradient_tolerance: float = 1e-9
    gradient: Callable[[StressObjective, np.ndarray], np.ndarray] = StressObjective.gradient
    results: list[DescentResult] = field(default_factory=list)
    step_length: float = 1.0

    def step(self, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One time step: minimise TE over stresses, then move by (3.11) and (3.20)."""
        objective = StressObjective(self.example, x, v, tau=self.tau, dt=self.dt)
        result = steepest_descent(
            objective.value,
            np.zeros((len(self.example.mesh.cells), 3)),
            gradient=lambda sigma: self.gradient(objective, sigma),
            step=self.step_length,
            gradient_tolerance=self.gradient_tolerance,
            iteration_limit=self.iteration_limit,
        )
        self.results.append(result)
        self.step_length = result.step
        v = objective.velocities(result.x)
        return x + self.dt * v, v


@cache
def touching(mesh: Triangles) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs (s, t) of triangles with a common vertex, and for each which corners coincide.

    Returns pairs of shape (2, p), sorted by s; shared of shape (p, 3, 3) with a 1 where corner b
    of t is corner a of s; and where in the pairs each s begins.
    """
    cells = mesh.cells
    around = [np.flatnonzero(np.isin(cells, corners).any(axis=1)) for corners in cells]
    counts = [len(a) for a in around]
    seen, by = np.repeat(np.arange(len(cells)), counts), np.concatenate(around)
    shared = (cells[by][:, :, None] == cells[seen][:, None, :]).astype(float)
    return np.stack([seen, by]), shared, np.cumsum([0, *counts[:-1]])
