"""What rods are made of: their checks, stiffness and inertia."""

from __future__ import annotations

import numpy as np

from pliant.contact import touching_at_rest
from pliant.mesh import Mesh, in_space


def accept_rods(mesh: Mesh) -> np.ndarray:
    """The elements of a mesh of lines, (elements, 2)."""
    if set(mesh.cells) != {"line2"}:
        raise ValueError(
            f"ImpactRods: got {mesh!r}; expected lines only, as in pl.Mesh(points, "
            '{"line": [[0, 1], [1, 2]]}), or of any mesh pl.Mesh(mesh.points, {"line": mesh.edges})'
        )
    return np.asarray(mesh.cells["line2"])


def stiffnesses(young: float, radius: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """young area / length [N/m] of each element."""
    return np.asarray(young * np.pi * radius**2 / lengths)


def lumped_inertia(
    points: np.ndarray, rods: np.ndarray, weights: np.ndarray, radius: np.ndarray
) -> np.ndarray:
    """Half of the inertia of each element at either node [kg m^2], (n, 3, 3).

    M R^2/2 a a^T + M L^2/12 (1 - a a^T)       of an element along the unit vector a
    """
    x = in_space(points)
    along = x[rods[:, 1]] - x[rods[:, 0]]
    squares = np.einsum("ei,ei->e", along, along)
    aa = np.einsum("ei,ej->eij", along, along) / squares[:, None, None]
    thin, wide = weights * radius**2 / 2.0, weights * squares / 12.0
    tensors = thin[:, None, None] * aa + wide[:, None, None] * (np.eye(3) - aa)
    out = np.zeros((len(points), 3, 3))
    for node in rods.T:
        np.add.at(out, node, 0.5 * tensors)
    return out


def may_collide(mesh: Mesh, rods: np.ndarray, radius: np.ndarray) -> bool:
    """Whether any two elements may; refused if different rods overlap at rest already."""
    part = mesh.components[rods[:, 0]]
    i, j, overlap = touching_at_rest(mesh.points, rods, radius)
    deep = (part[i] != part[j]) & (overlap > 1e-9 * (radius[i] + radius[j]))
    if deep.any():
        a, b = int(i[deep][0]), int(j[deep][0])
        raise ValueError(
            f"ImpactRods: elements {a} and {b} of different rods overlap by "
            f"{float(overlap[deep][0]):.3g} m at rest; expected rods further apart than their "
            "radii, or collision=0"
        )
    return len(rods) > 2 or part[0] != part[-1]
