"""The same step as the thesis's, as a minimisation over velocities, by Newton.

    min over v   1/2 v^T M v + (tau/dt) PE(x + dt v)     subject to   R^T M (v - v_old) = 0

Source: [young2007] (2.22), rewritten. Symmetric stresses on a face-connected mesh produce exactly
the forces without net force and torque, so the stresses can be left out: R holds the rigid motions
at x that leave the fixed vertices in place (none for a clamped body, three for a free one).
Multiplied by dt^2 the objective depends on tau and dt through their product only, so a clamped body
takes the same steps for every tau as long as tau dt is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from .examples import Example
from .triangles import Triangles, green_strain


def stiffness(mesh: Triangles, x: np.ndarray) -> sp.csc_matrix:
    """Exact second derivative of PE at x, shape (2n, 2n).

    H_ab = a_t [ (N_a.S N_b) I + lam A N_a N_b^T A^T + mu (A N_b N_a^T A^T + (N_a.N_b) A A^T) ]
    with N_a the gradient of shape function a.
    """
    A, N = mesh.deformation(x[mesh.cells]), mesh.shape_gradients
    S = mesh.stress(green_strain(A))
    AN = N @ A.transpose(0, 2, 1)
    blocks = np.einsum("tai,tij,tbj,kl->tabkl", N, S, N, np.eye(2))
    blocks += mesh.lam * np.einsum("tak,tbl->tabkl", AN, AN)
    blocks += mesh.mu * np.einsum("tbk,tal->tabkl", AN, AN)
    blocks += mesh.mu * np.einsum("tai,tbi,tkj,tlj->tabkl", N, N, A, A)
    blocks *= mesh.areas[:, None, None, None, None]
    unknown = 2 * mesh.cells[:, :, None] + np.arange(2)
    rows = np.broadcast_to(unknown[:, :, None, :, None], blocks.shape)
    columns = np.broadcast_to(unknown[:, None, :, None, :], blocks.shape)
    n = 2 * len(mesh.points)
    return sp.csc_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(n, n))


def rigid_motions(example: Example, x: np.ndarray) -> np.ndarray:
    """Velocities of rigid motion at x that keep the fixed vertices in place, shape (2n, r)."""
    pivots = x[example.fixed]
    if len(np.unique(pivots, axis=0)) > 1:
        return np.zeros((x.size, 0))
    centre = pivots[0] if len(pivots) else x.mean(axis=0)
    spin = np.stack([-(x[:, 1] - centre[1]), x[:, 0] - centre[0]], axis=1).reshape(-1, 1)
    shifts = np.tile(np.eye(2), (len(x), 1))
    return spin if len(pivots) else np.hstack([shifts, spin])


@dataclass
class VelocityMethod:
    """Marches an example with Newton's method; `residuals` has what each step left over."""

    example: Example
    tau: float
    dt: float
    tolerance: float = 1e-12
    iteration_limit: int = 50
    residuals: list[float] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)

    def objective(self, x: np.ndarray, v: np.ndarray) -> float:
        """KE + (tau/dt) PE after a step from x with the new velocity v."""
        kinetic = 0.5 * np.sum(self.example.masses[:, None] * v**2)
        return kinetic + self.tau / self.dt * self.example.mesh.potential(x + self.dt * v)

    def step(self, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One time step, from the rigid part of the old velocity to the minimum."""
        example, dt = self.example, self.dt
        mass = np.repeat(example.masses, 2)
        moving = np.flatnonzero(np.repeat(example.free, 2))
        R = rigid_motions(example, x)
        MR = mass[:, None] * R
        # Feasible to begin with; the Newton steps below then keep R^T M v, being tangential.
        v = (R @ np.linalg.solve(R.T @ MR, MR.T @ v.ravel())).reshape(x.shape)
        # Impulse of a strain of one across a triangle: what rounding of the gradient scales with.
        mesh = example.mesh
        scale = self.tau * (mesh.lam + 2.0 * mesh.mu) * np.sqrt(mesh.areas.mean())

        for iteration in range(self.iteration_limit + 1):
            gradient = mass * v.ravel() + self.tau * mesh.gradient(x + dt * v).ravel()
            # The multipliers of the constraints take up the component of the gradient along R.
            gradient -= MR @ np.linalg.solve(MR.T @ MR, MR.T @ gradient)
            residual = np.abs(gradient[moving]).max() / scale
            if residual <= self.tolerance:
                self.residuals.append(float(residual))
                self.iterations.append(iteration)
                return x + dt * v, v
            hessian = sp.diags(mass) + self.tau * dt * stiffness(mesh, x + dt * v)
            direction = np.zeros(x.size)
            direction[moving] = newton_direction(
                hessian[moving][:, moving], gradient[moving], MR[moving], mass[moving]
            )
            v = self._search(x, v, direction.reshape(x.shape), float(gradient @ direction))
        raise RuntimeError(f"Newton left a residual of {residual:.1e}; try a smaller dt")

    def _search(self, x, v, direction, slope):
        """Halve the Newton step until the objective falls enough.

        Near the minimum the fall drowns in the rounding of the objective, and there Newton's own
        step is the better judge.
        """
        before, step = self.objective(x, v), 1.0
        if -slope > 1e-9 * before:
            while self.objective(x, v + step * direction) > before + 1e-4 * step * slope:
                step *= 0.5
        return v + step * direction


def newton_direction(hessian, gradient, constraints, mass) -> np.ndarray:
    """Solve the Newton system under `constraints^T d = 0`, as stiff as it takes to descend.

    The Hessian of a compressed body can be indefinite; adding mass until the direction descends
    ends at a scaled gradient step, and adds nothing where the Hessian is definite.
    """
    added, r = 0.0, constraints.shape[1]
    while True:
        system = hessian + added * sp.diags(mass)
        if r:
            system = sp.bmat([[system, constraints], [constraints.T, None]])
        solved = splu(sp.csc_matrix(system)).solve(np.concatenate([-gradient, np.zeros(r)]))
        direction = solved[: len(gradient)]
        if gradient @ direction < 0.0:
            return direction
        added = max(1.0, 4.0 * added)


def march(method, *, steps: int) -> np.ndarray:
    """Positions of every frame from the example's start at rest, shape (steps + 1, n, 2)."""
    x, v = method.example.start.copy(), np.zeros_like(method.example.start)
    frames = [x]
    for _ in range(steps):
        x, v = method.step(x, v)
        frames.append(x)
    return np.array(frames)
