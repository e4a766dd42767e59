"""Mass of a mesh: consistent matrices per cell, and lumped masses per point."""

import numpy as np
from numpy.typing import ArrayLike

from pliant.elements.element import Element
from pliant.elements.geometry import integration_weights


def consistent_mass(
    points: np.ndarray,
    cells: np.ndarray,
    element: Element,
    *,
    density: ArrayLike = 1.0,
    thickness: float = 1.0,
) -> np.ndarray:
    """Return the consistent mass matrices of the cells, shape (c, k, k) [kg].

        M_ab = integral density N_a N_b dV

    Each entry stands for a multiple of the d x d identity. density [kg/m^3]: one value or one per
    cell. Source: [hughes2000] chapter 7. Not for explicit stepping, which wants `lumped_mass`.
    """
    weights, N = _weights(points, cells, element, density, thickness)
    return np.tensordot(weights, N[:, :, None] * N[:, None, :], axes=1)


def lumped_mass(
    points: np.ndarray,
    cells: np.ndarray,
    element: Element,
    *,
    density: ArrayLike = 1.0,
    thickness: float = 1.0,
) -> np.ndarray:
    """Return one mass per point, shape (n,) [kg]: the row sums of the consistent mass.

        m_a = sum_b M_ab = integral density N_a dV

    Row sums keep the total mass and the centre of mass. Source: [hughes2000] chapter 7. Not for
    quadratic simplices, whose corner nodes get nothing or less.
    """
    weights, N = _weights(points, cells, element, density, thickness)
    rows = weights @ N  # the N_b of the other index sum to one
    return np.bincount(np.ravel(cells), rows.ravel(), minlength=len(points))


def _weights(
    points: np.ndarray, cells: np.ndarray, element: Element, density: ArrayLike, thickness: float
) -> tuple[np.ndarray, np.ndarray]:
    """The mass at each quadrature point, (c, q), and the shape functions there, (q, k)."""
    rule = element.mass_rule
    weights = integration_weights(points, cells, element, thickness=thickness, rule=rule)
    return weights * _density(density, len(cells)), element.shape(rule.points)


def _density(density: ArrayLike, cells: int) -> np.ndarray:
    values = np.asarray(density, float)
    if values.shape not in ((), (cells,)) or not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(
            f"got density={density!r}; expected a positive number or one for each of {cells} "
            "cells, e.g. density=1000.0"
        )
    return np.broadcast_to(values, (cells,))[:, None]
