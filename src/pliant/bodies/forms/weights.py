"""Weights of fundamental forms: the stiffness of their components, or one per point of a curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.declared import AnyOf, Numbers, Quantity
from pliant.errors import described, usable
from pliant.forms import COMPONENTS
from pliant.given import floats_or_nan

#: A matrix by component, as a list of rows.
ROWS = Numbers(counts=(2, 3, 6), like="[[2000, 700], [700, 100]]", rows=True)


def weight(about: str, unit: str) -> AnyOf:
    """The declaration of a weight: a number, or a symmetric matrix as a list of rows."""
    return AnyOf(about, unit, notes=(Quantity(at_least=0.0), ROWS), example=1000.0)


def weights(value: Any, directions: int, what: str, unit: str) -> np.ndarray:
    """The stiffness D of e = (e_11, e_22, .., 2 e_12, ..), W = 1/2 e . D e, as a matrix (m, m).

    value w: a number, sum_ij w e_ij^2 / 2; a matrix (k, k) of weights per component, sum_ij
    w_ij e_ij^2 / 2; or D itself, (m, m), symmetric and positive semi-definite.
    """
    pairs = COMPONENTS[directions]
    m = len(pairs)
    given = floats_or_nan(value)
    shapes = [(), (directions, directions)] + ([(m, m)] if m > 1 else [])
    symmetric = given.ndim != 2 or np.array_equal(given, given.T)
    if given.shape not in shapes or not usable(given) or not symmetric:
        expected = " or ".join(["a number", *(f"a symmetric matrix {s}" for s in shapes[1:])])
        raise ValueError(f"{what}: got {described(value)}; expected {expected} [{unit}]")
    if given.shape == (m, m) and m > 1:
        least, most = np.linalg.eigvalsh(given)[[0, -1]]
        if least < -1e-12 * abs(most):
            raise ValueError(
                f"{what}: got a matrix with the eigenvalue {least:g}; expected none below 0 [{unit}]"
            )
        return given
    if (given < 0.0).any():
        raise ValueError(f"{what}: got {described(value)}; expected 0 or more [{unit}]")
    per = np.broadcast_to(given, (directions, directions))
    # e_12 and e_21 are both in the sum, and 2 e_12 is one component.
    return np.diag([per[i, j] * (1.0 if i == j else 0.5) for i, j in pairs])


def of_metric(D: np.ndarray) -> np.ndarray:
    """The stiffness of G - G0, which is twice Green's strain e."""
    return _scaled(D, 0.5, 1.0)


def of_curvature(D: np.ndarray) -> np.ndarray:
    """The stiffness of B - B0, which is e itself."""
    return _scaled(D, 1.0, 2.0)


def _scaled(D: np.ndarray, diagonal: float, mixed: float) -> np.ndarray:
    directions = {len(pairs): k for k, pairs in COMPONENTS.items()}[D.shape[-1]]
    scale = np.array([diagonal if i == j else mixed for i, j in COMPONENTS[directions]])
    return np.asarray(scale[:, None] * D * scale)
