"""Obstacles that move while bodies lie on them, or are pushed by them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.contact import ContactPoints
from pliant.control import LandingStage

from .frame import Frame
from .member import Member
from .open_motions import OPEN, inside, leaves, rigid_motions

#: What an obstacle meets at less than this speed, over that of a fall by the size of the body, is
#: lifted or pushed; what is faster is a blow.
SLOW = 0.02
#: An obstacle that goes less far, over the size of bodies, stands still: times are rounded.
STILL = 1e-12


def follow(frame: Frame, h: float) -> np.ndarray:
    """Where bodies that settle would be after a part of h [s] if they followed what they touch, (n, d).

    Each group of bodies that touch moves rigidly, so that contacts stay as they are. `frame.rates` gets
    the motion of each, `frame.following` the numbers of bodies at obstacles that move, and `frame.left`
    those of bodies that an obstacle leaves.
    """
    x, paths = frame.x, frame.contact.paths
    frame.rates, frame.following, frame.left = {}, set(), set()
    if paths is None:
        return x
    points = frame.touches()
    ways, label = frame.obstacle_ways(points, frame.time, frame.time + h), frame.together(points)
    frame.rubs(x, x)
    frame.contact.aim_at(frame.time)
    away = leaves(frame, points, h)
    settling = [m for m in frame.members if m.wish and m.land.stage is LandingStage.SETTLE]
    for one in sorted({int(label[m.number]) for m in settling}):
        group = [m for m in settling if label[m.number] == one]
        numbers = [m.number for m in group]
        mine = np.isin(points.first, numbers) | np.isin(points.second, numbers)
        if away[mine].any():
            frame.left |= set(numbers)
        along = np.abs(np.einsum("kd,kd->k", points.normals, ways))
        felt = np.linalg.norm(ways, axis=1) if frame.friction is not None else along
        if mine.any() and felt[mine].max() > STILL * frame.system.size:
            frame.following |= set(numbers)
            _move(frame, group, points, ways, mine & ~away, h)
    y: np.ndarray = x.copy()
    for m in settling:
        if m.number in frame.rates:
            y[m.own] = m.carried(m.x, frame.rates[m.number], 1.0)
    return y


def _move(
    frame: Frame,
    group: Sequence[Member],
    points: ContactPoints,
    ways: np.ndarray,
    counts: np.ndarray,
    h: float,
) -> None:
    """Find the smallest rigid motion of a group in which contacts that count stay as they are."""
    x = frame.x
    R = rigid_motions(frame, group, x)
    if not R.shape[2]:
        return
    norms = np.sqrt(np.einsum("ndr,n,ndr->r", R, frame.system.masses, R))
    rows = points.rows(R)[counts] / norms
    goals = np.einsum("kd,kd->k", points.normals, ways)[counts]
    q = np.linalg.lstsq(rows, goals, rcond=OPEN)[0] if len(rows) else np.zeros(len(norms))
    if frame.friction is not None:  # what sticks counts where normals leave a motion open
        way = np.where(inside(frame, group), h * frame.v, 0.0)
        stuck, slides = frame.friction.sticking_rows(way, R)
        _, s, vt = np.linalg.svd(np.concatenate([rows, np.zeros((1, len(norms)))]))
        rank = int((s > OPEN * s[0]).sum()) if s[0] > 0.0 else 0
        left, stuck = vt[rank:].T, stuck / norms
        if len(stuck) and left.shape[1]:
            q = q + left @ np.linalg.lstsq(stuck @ left, slides - stuck @ q, rcond=OPEN)[0]
    shares, at = q / norms, 0
    for m in group:
        rank = m.motions(m.x).shape[1]
        frame.rates[m.number] = shares[at : at + rank]
        at += rank


def moving_obstacles(frame: Frame, h: float) -> list[int]:
    """The numbers of obstacles that move in a part of h [s]."""
    paths, surface = frame.contact.paths, frame.contact.surface
    if paths is None:
        return []
    before, now = paths.at(frame.time), paths.at(frame.time + h)
    found = surface.body[surface.count :][(before.points != now.points).any(axis=1)]
    planes = (before.turns != now.turns).any(axis=(1, 2)) | (before.shifts != now.shifts).any(
        axis=1
    )
    numbers = {*found.tolist(), *(len(surface.bodies) + np.flatnonzero(planes)).tolist()}
    return sorted(frame.owner[list(numbers)].tolist())


def newly_met(frame: Frame, moving: Sequence[int]) -> np.ndarray:
    """Which bodies with a wish and which obstacles that move do not touch yet: a symmetric mask."""
    points, count = frame.touches(), int(frame.owner.max()) + 1
    met = np.zeros((count, count), dtype=bool)
    settling = [m.number for m in frame.members if m.wish is not None]
    met[np.ix_(settling, moving)] = True
    met |= met.T
    met[points.first, points.second] = met[points.second, points.first] = False
    return met


def blows(frame: Frame, points: ContactPoints, h: float) -> set[int]:
    """The numbers of bodies that an obstacle has hit at the end of a part of h [s]."""
    if frame.contact.paths is None:
        return set()
    ways = frame.obstacle_ways(points, frame.time - h, frame.time)
    speeds = np.einsum("kd,kd->k", points.normals, ways) / h
    speeds -= points.rows(frame.v[:, :, None])[:, 0]
    hit = set()
    for m in frame.members:
        new = frame.met[m.number][points.first] & (points.second == m.number)
        new |= frame.met[m.number][points.second] & (points.first == m.number)
        pull = float(np.linalg.norm(m.acceleration(frame.time)))
        if (new & (speeds > SLOW * np.sqrt(pull * m.system.size))).any():
            hit.add(m.number)
    return hit
