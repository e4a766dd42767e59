"""Axes, extents and stiffness of elastons."""

from __future__ import annotations

import numpy as np

from pliant.forms import PAIRS, SECOND

from .pieces import Pieces


def directions(pieces: Pieces, up: np.ndarray) -> np.ndarray:
    """Axes of each piece (e, 3, 3; rows): its own along the body, then those across it.

    The third axis of a curve is the direction across it that is nearest to `up`.
    """
    axes: np.ndarray = np.linalg.eigh(pieces.moments)[1].transpose(0, 2, 1)[
        :, ::-1
    ]  # the longest first
    if pieces.sampled == 1:
        third = up - (axes[:, 0] @ up)[:, None] * axes[:, 0]
        third /= np.linalg.norm(third, axis=1, keepdims=True)
        axes = np.stack([axes[:, 0], np.cross(third, axes[:, 0]), third], axis=1)
    return axes


def extents(pieces: Pieces, axes: np.ndarray, thickness: np.ndarray) -> np.ndarray:
    """Lengths h (e, 3) [m] of the box with the second moments of each piece; thickness across."""
    own = np.einsum("eki,eij,ekj->ek", axes, pieces.moments, axes)
    h: np.ndarray = np.sqrt(12.0 * np.maximum(own, 0.0))
    h[:, pieces.sampled :] = thickness
    return h


def hooke(young: float, poisson: float) -> np.ndarray:
    """C of an isotropic material [Pa], (6, 6), for the components of `PAIRS`.

    Those off the diagonal stand for two components of the strain each.
    """
    mu = young / (2.0 * (1.0 + poisson))
    C = 2.0 * mu * np.diag([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    C[:3, :3] += young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    return C


def stiffnesses(C: np.ndarray, h: np.ndarray, sampled: int) -> np.ndarray:
    """Stiffness of alpha and beta [Pa], (e, 24, 24), of elastons with extents h (e, 3).

    The nodes do not know the second derivatives in two directions across. These take the values that
    cost least energy: the section of a bent rod narrows and warps, and the fibres of a bent shell may
    become shorter. So a rod bends with young and a shell with young / (1 - poisson^2), where sections
    that stay as they are would make both stiffer.
    """
    whole = np.zeros((len(h), 24, 24))
    whole[:, :6, :6] = C
    for k in range(3):
        of_k = slice(6 * (k + 1), 6 * (k + 2))
        whole[:, of_k, of_k] = h[:, k, None, None] ** 2 / 12.0 * C
    loose = _unknown(sampled)
    if loose.shape[1] == 0:
        return whole
    # With units in which the largest entry of each elaston is one, thin as it may be.
    pushed = whole @ loose
    own = loose.T @ pushed
    size = np.abs(own).max(axis=(1, 2), keepdims=True)
    answer = np.linalg.pinv(own / size, rcond=1e-12, hermitian=True) / size
    return np.asarray(whole - pushed @ answer @ pushed.transpose(0, 2, 1))


def _unknown(sampled: int) -> np.ndarray:
    """What the measures do at rest when an unknown second derivative changes, (24, 3 unknown)."""
    columns = []
    for i, j in PAIRS:
        if min(i, j) < sampled:
            continue
        for axis in range(3):  # x,ij changes along an axis, and x,a is the axis a
            change = np.zeros(24)
            for k in range(3):
                for m, (a, b) in enumerate(PAIRS, start=6 * (k + 1)):
                    change[m] += 0.5 * (SECOND[a][k] == SECOND[i][j] and b == axis)
                    change[m] += 0.5 * (SECOND[b][k] == SECOND[i][j] and a == axis)
            columns.append(change)
    return np.asarray(np.array(columns).reshape(-1, 24).T)
