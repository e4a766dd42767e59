"""Mass of a mesh: consistent matrices per cell, and lumped masses per point."""

import numpy as np
from numpy.typing import ArrayLike

from pliant.errors import shown

from .element import Element
from .geometry import integration_weights


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
    weights, N = _weights(points, np.asarray(cells), element, density, thickness)
    return np.tensordot(weights, N[:, :, None] * N[:, None, :], axes=1)


def lumped_mass(
    points: np.ndarray,
    cells: np.ndarray,
    element: Element,
    *,
    density: ArrayLike = 1.0,
    thickness: float = 1.0,
) -> np.ndarray:
    """Return one mass per point, shape (n,) [kg], each above zero.

        linear:     m_a = sum_b M_ab = integral density N_a dV
        quadratic:  m_a = M_aa sum_bc M_bc / sum_b M_bb

    Row sums for linear elements, which keep the total mass and the centre of mass. The corners of
    quadratic simplices would get nothing or less from them, so quadratic elements scale the
    diagonal of the consistent mass to the total mass of the cell; the centre of mass is kept where
    the cell is a sheared and stretched reference cell. Source: [hughes2000] chapter 7; [hinton1976].

    Not for the load of a volume force on quadratic elements: that is `nodal_volumes`.
    """
    total = np.zeros(len(points))
    for some in _chunks(cells):
        weights, N = _weights(points, cells[some], element, _part(density, some), thickness)
        if element.degree == 1:
            share = weights @ N  # the N_b of the other index sum to one
        else:
            share = weights @ N**2
            share *= (weights.sum(axis=1) / share.sum(axis=1))[:, None]
        total += np.bincount(np.ravel(cells[some]), share.ravel(), minlength=len(points))
    return total


def nodal_volumes(
    points: np.ndarray, cells: np.ndarray, element: Element, *, thickness: float = 1.0
) -> np.ndarray:
    """Return   integral N_a dV   [m^3], shape (n,): what a uniform force density is multiplied by.

    They sum to the volume. Corners of quadratic simplices get zero or less: these are loads, not
    masses.
    """
    total = np.zeros(len(points))
    for some in _chunks(cells):
        weights, N = _weights(points, cells[some], element, 1.0, thickness)
        total += np.bincount(np.ravel(cells[some]), (weights @ N).ravel(), minlength=len(points))
    return total


#: Cells whose Jacobians are held at once: a hex20 has 125 of them, 9 kB.
CELLS_AT_ONCE = 20_000


def _chunks(cells: np.ndarray) -> list[slice]:
    return [slice(i, i + CELLS_AT_ONCE) for i in range(0, len(cells), CELLS_AT_ONCE)]


def _part(density: ArrayLike, some: slice) -> ArrayLike:
    return np.asarray(density)[some] if np.ndim(density) else density


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
            f"got density={shown(density)}; expected a positive number or one for each of {cells} "
            "cells, e.g. density=1000.0"
        )
    return np.broadcast_to(values, (cells,))[:, None]
