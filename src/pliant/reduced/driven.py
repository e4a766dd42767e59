"""Groups of pins that move against each other: columns whose coordinates are prescribed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from pliant.problem import rigid_motions

from .modes import Inverse

Array = np.ndarray
#: Rigid motions of a group that move it by less than this share of the others are none: it is a point.
NONE = 1e-9


def driven_columns(
    stiffness: sp.csr_matrix,
    masses: Array,
    free: Array,
    inverse: Inverse,
    points: Array,
    groups: Sequence[Array],
    motions: Callable[[Array], Array] = rigid_motions,
) -> tuple[Array, Array]:
    """Static answers to motions of groups of pins, while the first of them stands still.

        B_p = motions,     B_f = -K_ff^-1 K_fp B_p

    Six columns for each group in space if motions are rigid. They are K-orthogonal to all columns that
    are zero at pins, and are turned so that K and M are diagonal on them: eigenvalues [1/s^2], (k,), and
    columns (n d, k).
    Source: [craig1968].

    stiffness: of all points, (n d, n d). masses [kg], (n,). free, (n,). inverse: of K_ff. motions:
    those of points at x, (n, d), as columns, (n d, k).
    """
    n, d = points.shape
    moved = []
    for group in groups[1:]:
        u, s, _ = la.svd(motions(points[group]), full_matrices=False)
        rows = (d * group[:, None] + np.arange(d)).ravel()
        kept = u[:, s > NONE * s[0]]
        column = np.zeros((n * d, kept.shape[1]))
        column[rows] = kept
        moved.append(column)
    B, unknown = np.concatenate(moved, axis=1), np.repeat(free, d)
    forces = stiffness @ B
    for column, force in zip(B.T, forces.T, strict=True):
        column[unknown] = -inverse(force[unknown])
    K = B.T @ (stiffness @ B)
    M = B.T @ (np.repeat(masses, d)[:, None] * B)
    values, turn = la.eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    return values, B @ turn


def affine_motions(x: Array) -> Array:
    """All motions x -> A x + b of points at x [m], (n, d), as columns, (n d, d (d + 1)).

    They hold every turn, however far; rigid motions that are linearised hold small ones.
    """
    n, d = x.shape
    data = np.column_stack([np.ones(n), x - x.mean(axis=0)])
    return np.asarray(np.einsum("nk,ij->nikj", data, np.eye(d)).reshape(n * d, -1))
