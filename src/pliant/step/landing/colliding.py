"""Bodies that touch only each other keep their angular momentum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.contact import ContactPoints, barrier_energy
from pliant.control import LandingStage
from pliant.mesh import in_space
from pliant.problem import State

from .frame import Frame
from .member import Member


@dataclass(frozen=True)
class Before:
    """A body at the beginning of a part of a step: positions, velocities and elastic energy [J]."""

    x: np.ndarray
    v: np.ndarray
    elastic: float


@dataclass(frozen=True)
class Colliding:
    """Bodies that move physically in a part of a step, by their numbers; x: of all bodies before it."""

    before: Mapping[int, Before]
    x: np.ndarray

    @classmethod
    def of(cls, frame: Frame, flown: Mapping[int, State]) -> Colliding:
        """The bodies that a part will move physically; none if none is in an impact."""
        if not any(_collides(m) for m in frame.members if m.number not in flown):
            return cls({}, frame.x)
        free = [m for m in frame.members if m.free and m.number not in flown]
        found = {
            m.number: Before(m.x, m.v, m.system.stored(m.x))
            for m in free
            if m.wish is None or _collides(m)
        }
        return cls(found, frame.x)

    def keep_spin(self, frame: Frame, points: ContactPoints, h: float) -> None:
        """Give every group that touches nothing else the angular momentum back that the part has lost.

        points: where bodies touch now. Forces of backward Euler act at the end of a part, which leaves
        sum x x m v less by h sum m v_before x v_now, whatever the forces are.
        """
        if not self.before:
            return
        label = frame.together(points)
        fixed = (points.first >= len(label)) | (points.second >= len(label))
        held = np.concatenate([points.first[fixed], points.second[fixed]])
        for one in set(label.tolist()):
            group = [m for m in frame.members if label[m.number] == one]
            numbers = [m.number for m in group]
            alone = not np.isin(numbers, held).any() and all(k in self.before for k in numbers)
            if alone and any(m.wish is not None for m in group):
                self._turn(frame, group, h)

    def _turn(self, frame: Frame, group: Sequence[Member], h: float) -> None:
        """Add the rotation that is missing; what it needs is taken from the other motions if it must."""
        before = [self.before[m.number] for m in group]
        masses = np.concatenate([m.system.masses for m in group])[:, None]
        x = in_space(np.concatenate([m.x for m in group]))
        v = in_space(np.concatenate([m.v for m in group]))
        v_before = in_space(np.concatenate([b.v for b in before]))
        r, mean = x - _mean(masses, x), _mean(masses, v)
        u = v - mean
        lost = h * (masses * np.cross(v_before - _mean(masses, v_before), u)).sum(axis=0)
        squares = (r * r).sum(axis=1)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None, :]
        turning = np.linalg.pinv((masses[:, :, None] * squares).sum(axis=0), rcond=1e-9)
        spin = turning @ (masses * np.cross(r, u)).sum(axis=0)
        rigid, left = np.cross(spin + turning @ lost, r), u - np.cross(spin, r)
        # Rigid and other motions are M-orthogonal: their energies add up.
        most = self._most(frame, group, before, h) - _kinetic(masses, mean + rigid)
        share = most / max(_kinetic(masses, left), 1e-300)
        if share < 0.0:
            return  # so much energy is not there
        v = mean + rigid + math.sqrt(min(share, 1.0)) * left
        for m in group:
            own, v = v[: len(m.x)], v[len(m.x) :]
            m.state = replace(m.state, v=own[:, : m.system.dim])

    def _most(
        self, frame: Frame, group: Sequence[Member], before: Sequence[Before], h: float
    ) -> float:
        """The most kinetic energy [J] that a group may have after a part of h [s]."""
        mask = np.isin(frame.owner, [m.number for m in group])
        array, out = frame.system.assembly.array, 0.0
        for x, sign in ((self.x, 1.0), (frame.x, -1.0)):
            out += sign * barrier_energy(frame.contact, array(x), mask)
        for m, b in zip(group, before, strict=True):
            load = m.loads.at(frame.time).where(b.x).within(m.system.spaces.host)
            work = float((load * (m.x - b.x)).sum())
            kinetic = _kinetic(m.system.masses[:, None], b.v)
            out += kinetic + b.elastic - m.system.stored(m.x) + work
        return out


def _collides(m: Member) -> bool:
    return m.wish is not None and m.land.stage is LandingStage.IMPACT


def _mean(masses: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.asarray((masses * values).sum(axis=0) / masses.sum())


def _kinetic(masses: np.ndarray, v: np.ndarray) -> float:
    return 0.5 * float((masses * v * v).sum())
