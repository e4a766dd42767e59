"""Numbers that several claims of the thesis are judged by."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import eigsh

from .examples import Example
from .triangles import Triangles
from .velocity_method import stiffness


def climbs(distance: np.ndarray) -> float:
    """Sum of all rises of a distance, as a part of its start: 0 if it only falls."""
    return float(np.clip(np.diff(distance), 0.0, None).sum() / distance[0])


def eigenvalues(example: Example) -> np.ndarray:
    """Of M^-1 K about the rest shape, free vertices only, ascending [1/s^2]."""
    return np.linalg.eigvalsh(_matrix(example, example.mesh.lam, example.mesh.mu))


def slowest_eigenvalue(example: Example) -> float:
    """The smallest of them, without the others."""
    matrix = csc_matrix(_matrix(example, example.mesh.lam, example.mesh.mu))
    return float(eigsh(matrix, k=1, sigma=0.0, return_eigenvectors=False)[0])


def damping_ratios(example: Example, phi: float, psi: float) -> np.ndarray:
    """Part of critical damping that every mode gets from strain-rate damping, slowest mode first.

    About the rest shape the damping matrix is the stiffness with phi, psi for moduli.
    """
    values, shapes = np.linalg.eigh(_matrix(example, example.mesh.lam, example.mesh.mu))
    damping = np.sum(shapes * (_matrix(example, phi, psi) @ shapes), axis=0)
    return damping / (2.0 * np.sqrt(values))


def _matrix(example: Example, lam: float, mu: float) -> np.ndarray:
    """M^-1 K of the free vertices; the masses of both examples are all equal."""
    mesh = Triangles(example.mesh.points, example.mesh.cells, lam=lam, mu=mu)
    moving = np.repeat(example.free, 2)
    return stiffness(mesh, mesh.points).toarray()[moving][:, moving] / example.masses[0]
