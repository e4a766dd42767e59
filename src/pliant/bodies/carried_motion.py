"""Velocities of a body whose mesh was cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import MeshChange, in_space

#: Energies that differ by this share are the same.
ROUNDING = 1e-12
#: The share of its mass that a point may lose for moments of inertia.
MOST = 0.9
#: How much the mass and its centre count beside the moments of inertia where not all can be kept.
MASS_FIRST = 1e6


@dataclass(frozen=True)
class MovingPoints:
    """Positions x [m] and velocities v [m/s] of points, (n, d), of masses m [kg], (n,)."""

    x: np.ndarray
    v: np.ndarray
    m: np.ndarray

    def of(self, which: np.ndarray) -> MovingPoints:
        """That of some points; which: a mask."""
        return MovingPoints(self.x[which], self.v[which], self.m[which])

    @property
    def energy(self) -> float:
        """The kinetic energy [J]."""
        return 0.5 * float(np.einsum("p,pd,pd->", self.m, self.v, self.v))

    @property
    def middle(self) -> np.ndarray:
        """The centre of mass [m], (3,)."""
        return np.asarray(self.m @ in_space(self.x) / self.m.sum())

    def spin_about(self, c: np.ndarray) -> np.ndarray:
        """The angular momentum about a place [kg m^2/s], (3,)."""
        arms = in_space(self.x) - c
        return np.asarray(self.m @ np.cross(arms, in_space(self.v)))

    def rigid(self, push: np.ndarray, spin: np.ndarray) -> np.ndarray:
        """The rigid motion of a momentum (d,) and of an angular momentum (3,) about the middle."""
        dim = self.x.shape[1]
        arms = in_space(self.x) - self.middle
        squares = np.einsum("p,pi,pj->ij", self.m, arms, arms)
        inertia = np.trace(squares) * np.eye(3) - squares
        # What lies on a line does not turn about it.
        turn = np.linalg.pinv(inertia, rcond=1e-10, hermitian=True) @ spin
        return np.asarray(push / self.m.sum() + np.cross(turn, arms)[:, :dim])


def carried_motion(
    change: MeshChange, before: MovingPoints, m: np.ndarray, parts: np.ndarray
) -> tuple[MovingPoints, list[int]]:
    """The motion of the new points of a body that was cut, and the parts that gained energy.

    Positions and velocities are means of the old ones. Parts that no pin holds keep both momenta by a
    rigid motion that is added; what deforms them is then slowed down until they have no more energy
    than before. One that spins faster than that allows keeps its moments of inertia as well: masses
    change a little for that. What is of few cells may have no such masses, and gains. m: the masses of
    the new points. parts: the part that each old point was in, -1 for what is held.
    """
    x, v, m = change.carried(before.x), change.carried(before.v), m.copy()
    first = change.points.indices[change.points.indptr[:-1]]
    gained = []
    for part in range(int(parts.max(initial=-1)) + 1):
        old, new = parts == part, parts[first] == part
        if old.sum() == new.sum():
            continue  # it was not cut
        own, now = before.of(old), MovingPoints(x[new], v[new], m[new])
        found = _kept(own, now)
        if MovingPoints(now.x, found, now.m).energy > own.energy * (1.0 + ROUNDING):
            m[new] = _with_moments(own, now)
            found = _kept(own, MovingPoints(x[new], v[new], m[new]))
            if MovingPoints(now.x, found, m[new]).energy > own.energy * (1.0 + ROUNDING):
                gained.append(part)
        v[new] = found
    return MovingPoints(x, v, m), gained


def _with_moments(before: MovingPoints, after: MovingPoints) -> np.ndarray:
    """Masses whose sums with 1, x and x x^T are those of before, and that change least for it.

        m (1 + max(c . q(x), -MOST)),   q: these monomials

    A part of few cells, all of whose mass was at its corners, may have no such masses. Then its centre
    stays, and the moments of inertia come as near as they can.
    """
    c, size = before.middle, float(np.ptp(before.x, axis=0).max())

    def monomials(x: np.ndarray) -> np.ndarray:
        arms = (x - c[: x.shape[1]]) / size
        i, j = np.triu_indices(x.shape[1])
        return np.column_stack([np.ones(len(x)), arms, arms[:, i] * arms[:, j]])

    old, new, m = monomials(before.x), monomials(after.x), after.m
    missing = before.m @ old - m @ new
    share, least = np.zeros(len(m)), np.zeros(len(m), dtype=bool)
    weights = np.ones(new.shape[1])
    while not least.all():
        own = new[~least]
        moments = own.T @ (m[~least, None] * own)
        wanted = missing + MOST * (m[least] @ new[least])
        found = np.linalg.lstsq(weights[:, None] * moments, weights * wanted, rcond=1e-14)[0]
        share[~least] = own @ found
        if share.min() >= -MOST:
            break
        least |= share < -MOST
        share[least] = -MOST
        weights[: after.x.shape[1] + 1] = MASS_FIRST
    return np.asarray(m * (1.0 + share) * (m.sum() / (m @ (1.0 + share))))


def _kept(before: MovingPoints, after: MovingPoints) -> np.ndarray:
    """Velocities with the momenta of before, and no more energy where that can be."""
    c = after.middle
    push, spin = before.m @ before.v, before.spin_about(c)
    whole = after.rigid(push, spin)
    own = after.rigid(after.m @ after.v, after.spin_about(c))
    rest = after.v - own
    room = max(before.energy - MovingPoints(after.x, whole, after.m).energy, 0.0)
    bends = MovingPoints(after.x, rest, after.m).energy
    if bends > room:
        rest *= np.sqrt(room / bends)
    return np.asarray(whole + rest)
