"""Rigid motions that contacts leave open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.contact import ContactPoints

from .frame import Frame
from .member import Member

#: Contacts resist a motion if they part faster than this in it. A translation along all normals has 1.
OPEN = 2e-2
#: A body slides if at least this share of its speed is that of open motions.
MOVES = 0.1


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


@dataclass(frozen=True, eq=False)
class OpenMotions:
    """What nothing resists in the rigid motions of a group, as combinations of them, (r, open).

    What is open now may not be open at rest: a box on its edge may turn about it, and lies still on its
    side. So normals count where it will rest. slides: all that they leave open. free: those of them in
    which no contact slips that sticks now. lies: whether the group lies as it will rest. moves: whether
    it slides, and does not only spread. slips: how contacts that stick slip in slides and in the way
    from the rest shape to here, (k, open + 1).
    """

    slides: np.ndarray
    free: np.ndarray
    lies: bool
    moves: bool
    slips: np.ndarray


def open_motions(
    frame: Frame, group: Sequence[Member], rest: np.ndarray, way: np.ndarray
) -> OpenMotions:
    """What a group may do that goes a way (n, d) in a part, and will be at rest there."""
    R, x = rigid_motions(frame, group, rest), frame.here
    slides = _unresisted(frame, _parting(frame, group, rest, R), R)
    here = rigid_motions(frame, group, x)
    now = _unresisted(frame, _parting(frame, group, x, here), here)
    along, mask = here @ slides, inside(frame, group)
    slips = np.zeros((0, slides.shape[1] + 1))
    if frame.friction is not None and slides.shape[1]:
        frame.rubs(frame.x, frame.x)
        ways = np.concatenate([along, np.where(mask, x - rest, 0.0)[:, :, None]], axis=2)
        slips, _ = frame.friction.sticking_rows(np.where(mask, way, 0.0), ways)
    free = slides @ _unresisted(frame, slips[:, :-1], along)
    relative = np.where(mask, way - (x - frame.x), 0.0)  # to what it follows
    momentum = frame.masses * relative
    amounts = np.einsum("rnd,nd->r", orthonormal(frame, here @ free), momentum)
    moves = float(amounts @ amounts) > MOVES**2 * float((momentum * relative).sum())
    return OpenMotions(slides, free, slides.shape == now.shape, moves, slips)


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
    rows: np.ndarray = points.rows(R)[mine & ~leaves(frame, points, frame.h, at)]
    return rows


def leaves(
    frame: Frame, points: ContactPoints, h: float, x: np.ndarray | None = None
) -> np.ndarray:
    """Contacts (k,) whose obstacle goes away in a part of h [s], faster than loads make a body follow.

    These hold nothing: what an obstacle has thrown flies on, and what it has pushed slides on.
    """
    if frame.contact.paths is None:
        return np.zeros(len(points.normals), dtype=bool)
    t = frame.time
    ways = [frame.obstacle_ways(points, *span, x) for span in ((t - h, t), (t, t + h))]
    away = -np.einsum("kd,kd->k", points.normals, ways[1] - ways[0])
    falls = np.zeros((len(frame.system.masses), frame.system.dim, 1))
    for m in frame.members:
        falls[m.own, :, 0] = m.acceleration(t + h)
    pulled = h**2 * points.rows(falls)[:, 0]
    return np.asarray((away > 1e-9 * frame.system.size) & (away + pulled > 0.0))


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
