"""The method the thesis compares with: elasticity and strain-rate damping, one force after another.

    v~ = v + dt M^-1 F_e(x),  x~ = x + dt v~                                          (4.3), (4.4)
    G' = (A'^T A + A^T A')/2,  sigma_d = phi tr(G') I + 2 psi G'                      (4.5), (4.7)
    v_new = v + dt M^-1 (F_e + F_d),  x_new = x + dt v_new                            (4.8), (4.9)

Source: [young2007] section 4.2
Semi-implicit only in that positions use the new velocity: the damping force is explicit, and stable
only up to `stable_step`. For the longer wavelengths of Example 2 that is a tenth of the thesis's
dt = 0.05 s, so a frame takes several substeps here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import eigsh

from .examples import Example
from .triangles import Triangles, green_strain, half_normals
from .velocity_method import stiffness


def true_stress(stress: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Cauchy stress A S A^T / det A: the one for which (3.12) is minus the gradient of (3.17)."""
    return A @ stress @ A.transpose(0, 2, 1) / np.linalg.det(A)[:, None, None]


def stress_as_printed(stress: np.ndarray, A: np.ndarray) -> np.ndarray:
    """The stress of (3.15) put into (3.12) unchanged, as section 4.2 reads when taken literally.

    The axes of (3.15) do not turn with the body, those of (3.12) do: right for small motion only.
    """
    return stress


@dataclass
class Traditional:
    """Marches an example with damping parameters phi, psi [Pa m s], `substeps` to a frame of dt."""

    example: Example
    phi: float
    psi: float
    dt: float
    substeps: int = 1
    placed: Callable[[np.ndarray, np.ndarray], np.ndarray] = true_stress

    def step(self, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One frame: `substeps` of (4.3) to (4.9)."""
        h = self.dt / self.substeps
        share = h * self.example.inverse_masses[:, None]
        for _ in range(self.substeps):
            elastic = self.elastic_force(x)
            guess = v + share * elastic
            v = v + share * (elastic + self.damping_force(x + h * guess, guess))
            x = x + h * v
        return x, v

    def elastic_force(self, x: np.ndarray) -> np.ndarray:
        """F_e: (3.12) of the elastic stress (3.15)."""
        mesh = self.example.mesh
        corners = x[mesh.cells]
        A = mesh.deformation(corners)
        return self._force(mesh.stress(green_strain(A)), A, corners)

    def damping_force(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """F_d: (3.12) of the damping stress (4.7)."""
        mesh = self.example.mesh
        corners = x[mesh.cells]
        A, rate = mesh.deformation(corners), mesh.deformation(v[mesh.cells])
        product = rate.transpose(0, 2, 1) @ A
        strain_rate = 0.5 * (product + product.transpose(0, 2, 1))
        trace = np.trace(strain_rate, axis1=1, axis2=2)[:, None, None]
        return self._force(self.phi * trace * np.eye(2) + 2.0 * self.psi * strain_rate, A, corners)

    def _force(self, stress: np.ndarray, A: np.ndarray, corners: np.ndarray) -> np.ndarray:
        sigma = self.placed(stress, A)
        return self.example.mesh.gather(half_normals(corners) @ sigma.transpose(0, 2, 1))


def stable_step(example: Example, phi: float, psi: float) -> float:
    """Longest stable dt [s] of the scheme about the rest shape.

    One step takes a mode u'' + c u' + L u = 0 to v_new = (1 - dt c)(v - dt L u) and
    u_new = u + dt v_new, with the roots of z^2 - (2 - dt c - dt^2 (1 - dt c) L) z + 1 - dt c = 0.
    They stay in the unit circle where dt c <= 1 and dt^2 L <= 4; past dt c = 1 one root exceeds 1,
    slowly at first, and past dt c = 2 every step multiplies.
    """
    c = _largest_eigenvalue(example, phi, psi)
    L = _largest_eigenvalue(example, example.mesh.lam, example.mesh.mu)
    return min(1.0 / c, 2.0 / np.sqrt(L))


def _largest_eigenvalue(example: Example, lam: float, mu: float) -> float:
    """Of M^-1 K about the rest shape; with phi, psi for lam, mu it is that of the damping."""
    mesh = Triangles(example.mesh.points, example.mesh.cells, lam=lam, mu=mu)
    scale = np.repeat(np.sqrt(example.inverse_masses), 2)
    symmetric = stiffness(mesh, mesh.points).multiply(scale[:, None]).multiply(scale[None, :])
    return float(eigsh(symmetric.tocsc(), k=1, return_eigenvectors=False)[0])
