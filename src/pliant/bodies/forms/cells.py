"""First derivatives in the cells of a mesh, in directions that lie in the cell at rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.elements import ELEMENTS
from pliant.energies import JetEnergy
from pliant.forms import Form
from pliant.mesh import Mesh


@dataclass(frozen=True)
class CellTerms:
    """Places in cells where derivatives x,i are taken: one per point of quadrature."""

    stencils: np.ndarray  # (terms, nodes)
    operators: np.ndarray  # (terms, directions, nodes) [1/m]
    sizes: np.ndarray  # (terms,): length, area or volume [m^k]

    def energy(
        self, form: type[Form], points: np.ndarray, stiffness: np.ndarray, *, device: str
    ) -> JetEnergy:
        """What the form measures there, with a stiffness (terms, m, m) [J], or (terms,) if m is 1."""
        if stiffness.ndim == 1:
            stiffness = stiffness[:, None, None]
        return JetEnergy(
            form,
            points,
            self.stencils,
            operators=self.operators,
            stiffness=stiffness,
            device=device,
        )


def cell_terms(mesh: Mesh, kind: str) -> CellTerms:
    """The terms of all cells of a kind, with unit directions that are at right angles at rest.

    In the plane and in space those of the axes; on a surface as `tangents` says.
    """
    element, cells = ELEMENTS[kind], np.asarray(mesh.cells[kind])
    local = element.gradients(element.rule.points)
    if element.is_simplex:
        local = local[:1]
    J = np.einsum("cni,qnj->cqij", mesh.points[cells], local)
    if mesh.dim > element.dim:
        J = np.swapaxes(frames(J), -1, -2) @ J
    slopes = np.einsum("cqji,qnj->cqin", np.linalg.inv(J), local)
    weights = element.rule.weights if len(local) > 1 else element.rule.weights.sum(keepdims=True)
    sizes = np.linalg.det(J) * weights
    count, q = sizes.shape
    return CellTerms(
        np.repeat(cells, q, axis=0), slopes.reshape(count * q, *slopes.shape[2:]), sizes.ravel()
    )


def frames(J: np.ndarray) -> np.ndarray:
    """Orthonormal tangents of a cell as columns, (..., 3, k), from dX/dxi (..., 3, k)."""
    if J.shape[-1] == 1:
        return np.asarray(J / np.linalg.norm(J, axis=-2, keepdims=True))
    return tangents(np.cross(J[..., 0], J[..., 1]))


def tangents(normal: np.ndarray) -> np.ndarray:
    """Two unit tangents of a surface as columns, (..., 3, 2), from its normal (..., 3).

    The first is the x axis laid on the surface, or where the surface faces that way the y axis.
    """
    n = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    across = np.abs(n[..., :1]) > 0.99
    axis = np.where(across, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    first = axis - (axis * n).sum(axis=-1, keepdims=True) * n
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    return np.stack([first, np.cross(n, first)], axis=-1)
