"""Velocities of a body whose mesh was cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import MeshChange, in_space


@dataclass(frozen=True)
class Motion:
    """Positions x [m] and velocities v [m/s] of points, (n, d), of masses m [kg], (n,)."""

    x: np.ndarray
    v: np.ndarray
    m: np.ndarray

    def of(self, which: np.ndarray) -> Motion:
        """That of some points; which: a mask."""
        return Motion(self.x[which], self.v[which], self.m[which])

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


def carried_velocities(
    change: MeshChange, before: Motion, x: np.ndarray, m: np.ndarray, parts: np.ndarray
) -> np.ndarray:
    """The velocities of the new points (n, d) of a body that was cut.

    They are means of the old ones, as positions are. Parts that no pin holds keep both momenta by a
    rigid motion that is added; what deforms them is then slowed down until they have no more energy
    than before. x, m: positions and masses of the new points. parts: the part that each old point was
    in, -1 for what is held.
    """
    v = change.carried(before.v)
    first = change.points.indices[change.points.indptr[:-1]]
    for part in range(int(parts.max(initial=-1)) + 1):
        old, new = parts == part, parts[first] == part
        if old.sum() == new.sum():
            continue  # it was not cut
        v[new] = _kept(before.of(old), Motion(x[new], v[new], m[new]))
    return v


def _kept(before: Motion, after: Motion) -> np.ndarray:
    """Velocities with the momenta of before, and no more energy where that can be."""
    c = after.middle
    push, spin = before.m @ before.v, before.spin_about(c)
    whole = after.rigid(push, spin)
    own = after.rigid(after.m @ after.v, after.spin_about(c))
    rest = after.v - own
    room = before.energy - Motion(after.x, whole, after.m).energy
    bends = Motion(after.x, rest, after.m).energy
    if bends > room:
        rest *= np.sqrt(max(room, 0.0) / bends)
    return np.asarray(whole + rest)
