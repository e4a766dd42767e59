"""Rigid motions that contacts leave open."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .frame import Frame
from .member import Member

#: Contacts resist a motion if they part faster than this in it. A translation along all normals has 1.
OPEN = 2e-2


def rigid_motions(frame: Frame, group: Sequence[Member], x: np.ndarray) -> np.ndarray:
    """All rigid motions of some bodies at x, (n, d, r)."""
    n, d = x.shape
    found = [np.zeros((n, d, 0))]
    for m in group:
        R = m.motions(x[m.own])
        whole = np.zeros((n, d, R.shape[1]))
        whole[m.own] = R.reshape(len(R) // d, d, R.shape[1])
        found.append(whole)
    return np.concatenate(found, axis=2)


def open_combinations(
    frame: Frame, group: Sequence[Member], rest: np.ndarray, way: np.ndarray
) -> np.ndarray:
    """Combinations of rigid motions that nothing resists where a group will rest, (r, open).

    What is open now may not be open there: a box on its edge may turn about it, and lies still on its
    side. Normals count. Once a body lies as it will rest, contacts count too that stick in a way (n, d)
    of the points; before that it slides on as friction lets it.
    """
    R, x = rigid_motions(frame, group, rest), frame.x
    rows = _parting(frame, group, rest, R)
    found = _unresisted(frame, rows, R)
    here = rigid_motions(frame, group, x)
    now = _unresisted(frame, _parting(frame, group, x, here), here)
    if frame.friction is None or found.shape != now.shape:
        return found
    frame.rubs(x, x)
    stuck = frame.friction.sticking_rows(np.where(inside(frame, group), way, 0.0), here)
    return _unresisted(frame, np.concatenate([rows, stuck]), R)


def open_translations(frame: Frame, m: Member, x: np.ndarray) -> np.ndarray:
    """M-orthonormal translations of a free body that contacts at x leave open, (r, n, d).

    None if nothing touches it: it falls.
    """
    R = np.zeros((*x.shape, x.shape[1]))
    R[m.own] = np.eye(x.shape[1])
    rows = _parting(frame, [m], x, R)
    if not (m.free and len(rows)):
        return np.zeros((0, *x.shape))
    return orthonormal(frame, R @ _unresisted(frame, rows, R))


def inside(frame: Frame, group: Sequence[Member]) -> np.ndarray:
    """The mask of the points of some bodies, (n, 1)."""
    mask = np.zeros((len(frame.system.masses), 1), dtype=bool)
    for m in group:
        mask[m.own] = True
    return mask


def orthonormal(frame: Frame, R: np.ndarray) -> np.ndarray:
    """M-orthonormal motions (r, n, d) that span motions R (n, d, r)."""
    root = np.sqrt(frame.masses)[:, :, None]
    if not R.shape[2]:
        return np.zeros((0, *R.shape[:2]))
    Q = np.linalg.qr((root * R).reshape(-1, R.shape[2]))[0].reshape(R.shape) / root
    return np.asarray(Q.transpose(2, 0, 1))


def _parting(frame: Frame, group: Sequence[Member], at: np.ndarray, R: np.ndarray) -> np.ndarray:
    """How fast the contacts of a group at a place part in motions R (n, d, r): (k, r)."""
    points, numbers = frame.touches(at), [m.number for m in group]
    mine = np.isin(points.first, numbers) | np.isin(points.second, numbers)
    return points.rows(R)[mine]


def _unresisted(frame: Frame, rows: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Combinations of motions R (n, d, r) in which all rows (k, r) are about zero, (r, open)."""
    count = R.shape[2]
    if not count:
        return np.zeros((0, 0))
    norms = np.sqrt(np.einsum("ndr,n,ndr->r", R, frame.system.masses, R))
    if not len(rows):
        return np.diag(1.0 / norms)
    # A translation along all normals has the singular value 1.
    bodies = max(1, count // (3 * frame.system.dim - 3))
    mass = float(frame.system.masses[np.abs(R).sum(axis=(1, 2)) > 0.0].sum()) / bodies
    values = np.zeros(count)
    _, s, vt = np.linalg.svd(rows / norms * math.sqrt(mass / len(rows)), full_matrices=True)
    values[: len(s)] = s
    return np.asarray(vt[values < OPEN].T / norms[:, None])
