"""Rigid motion of one connected part of a body: what damping must leave alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Carry:
    """A rigid motion from the old shape to the new time: x -> centre_new + rotation (x - centre)."""

    centre: np.ndarray  # (3,)
    centre_new: np.ndarray  # (3,)
    rotation: np.ndarray  # (3, 3)
    spin: np.ndarray  # angular velocity of the part that physics chose [rad/s], (3,)
    pins_only: np.ndarray  # (3, 3): the rotation of the pins alone

    def positions(self, x: np.ndarray) -> np.ndarray:
        """Carry points."""
        y = self.centre_new + (lift(x) - self.centre) @ self.rotation.T
        return y[:, : x.shape[1]]

    def pin_velocity(self, x: np.ndarray, dt: float) -> np.ndarray:
        """The velocity of points that would move with the pins alone."""
        r = lift(x) - self.centre
        moved = self.centre_new - self.centre + r @ self.pins_only.T - r
        return moved[:, : x.shape[1]] / dt

    def vectors(self, v: np.ndarray) -> np.ndarray:
        """Carry velocities: they turn with the body."""
        return (lift(v) @ self.rotation.T)[:, : v.shape[1]]


class Part:
    """One connected component, its pins, and the rigid motions that the pins leave it.

    A clamped part has none, one that hangs on a hinge can turn about it, a free one has all six
    (2D: three). Planar bodies are treated as lying in the plane z = 0.
    """

    def __init__(self, points: np.ndarray, pinned: np.ndarray, masses: np.ndarray, x: np.ndarray):
        self.points = points  # indices of its points in the body
        self.pins = points[pinned[points]]
        self.masses = masses[points]
        self.dim = x.shape[1]
        self.translates = len(self.pins) == 0
        self._turns = self.axes(x).shape[1]

    @property
    def rank(self) -> int:
        """How many rigid motions remain."""
        return self._turns + (self.dim if self.translates else 0)

    def centre(self, x: np.ndarray) -> np.ndarray:
        """The point about which the part turns: its centre of mass, or a pin."""
        if self.translates:
            return self.masses @ lift(x[self.points]) / self.masses.sum()
        return lift(x[self.pins]).mean(axis=0)

    def motions(self, x: np.ndarray) -> np.ndarray:
        """The remaining rigid motions at x as columns over the whole body, shape (n d, rank)."""
        columns = []
        r = lift(x[self.points]) - self.centre(x)
        if self.translates:
            for i in range(self.dim):
                t = np.zeros_like(x)
                t[self.points, i] = 1.0
                columns.append(t.ravel())
        for axis in self.axes(x).T:
            t = np.zeros_like(x)
            t[self.points] = np.cross(axis, r)[:, : self.dim]
            columns.append(t.ravel())
        return np.stack(columns, axis=1) if columns else np.zeros((x.size, 0))

    def carry(
        self, x: np.ndarray, v: np.ndarray, pinned: np.ndarray, force: np.ndarray, dt: float
    ) -> Carry:
        """The rigid motion over one step.

        Pins carry the part with the rigid motion fitted to them; what they leave open follows
        momentum, exactly:  R^T M (x_new - x)/dt = R^T (M v + dt force), R at x, `pinned` the new
        positions of all points (only those of the pins are read).
        """
        c = self.centre(x)
        r = lift(x[self.points]) - c
        m = self.masses
        velocity, push = lift(v[self.points]), lift(force[self.points])
        if self.translates:
            c_new = c + dt * (m @ velocity + dt * push.sum(axis=0)) / m.sum()
            turned = np.eye(3)
        else:
            old, new = lift(x[self.pins]), lift(pinned[self.pins])
            c_new = new.mean(axis=0)
            turned = np.eye(3) if np.array_equal(old, new) else fit_rotation(old, new)
        if not self._turns:
            return Carry(c, c_new, turned, np.zeros(3), turned)
        inertia = _inertia(m, r)
        moved = np.cross(r, m[:, None] * ((c_new - c) / dt)).sum(axis=0)
        wanted = np.cross(r, m[:, None] * velocity + dt * push).sum(axis=0) - moved
        a = self.axes(x)
        reduced = a.T @ inertia @ a
        omega = np.linalg.solve(reduced, a.T @ wanted)
        for _ in range(60):
            rotation = rotation_matrix(a @ omega * dt) @ turned
            got = np.cross(r, m[:, None] * (r @ rotation.T - r)).sum(axis=0) / dt
            miss = a.T @ (wanted - got)
            change = np.linalg.solve(reduced, miss)
            omega = omega + change
            if np.abs(change).max() <= 1e-14 * (1.0 / dt + np.abs(omega).max()):
                break
        else:
            raise ValueError(
                f"a free body spins {np.linalg.norm(omega) * dt:.2g} rad in one step of dt={dt:g} s; "
                f"expected less than one. Use scene.run(dt={0.2 / np.linalg.norm(omega):.2g})"
            )
        return Carry(c, c_new, rotation_matrix(a @ omega * dt) @ turned, a @ omega, turned)

    def align(self, shape: np.ndarray, x: np.ndarray) -> np.ndarray:
        """`shape` moved rigidly, as far as the pins allow, to lie closest to x."""
        out = shape.copy()
        p = self.points
        if self.rank == 0:
            return out
        c_shape, c_x = self.centre(shape), self.centre(x)
        a, b = lift(shape[p]) - c_shape, lift(x[p]) - c_x
        if self._turns == 1:
            axis = self.axes(x)[:, 0]
            flat_a, flat_b = a - np.outer(a @ axis, axis), b - np.outer(b @ axis, axis)
            sine = self.masses @ (np.cross(flat_a, flat_b) @ axis)
            cosine = self.masses @ (flat_a * flat_b).sum(axis=1)
            rotation = rotation_matrix(axis * np.arctan2(sine, cosine))
        else:
            rotation = _kabsch(a, b, self.masses)
        out[p] = (c_x + a @ rotation.T)[:, : self.dim]
        return out

    def centrifugal(self, x: np.ndarray, spin: np.ndarray) -> np.ndarray:
        """The load m |omega|^2 r_perp [N] that spinning puts on the deformation, shape (p, d)."""
        r = lift(x[self.points]) - self.centre(x)
        load = -np.cross(spin, np.cross(spin, r)) * self.masses[:, None]
        return load[:, : self.dim]

    def axes(self, x: np.ndarray) -> np.ndarray:
        """The axes of the rotations that the pins, where they are in x, leave open, (3, k)."""
        candidates = np.eye(3)[:, 2:] if self.dim == 2 else np.eye(3)
        if len(self.pins) <= 1:
            return candidates
        arms = lift(x[self.pins])
        arms = arms - arms.mean(axis=0)
        _, singular, vt = np.linalg.svd(arms, full_matrices=False)
        length = np.ptp(x[self.points], axis=0).max()
        spread = int((singular > 1e-9 * length).sum())
        if spread == 0:
            return candidates
        if spread == 1 and self.dim == 3:
            return vt[:1].T  # pins on a line: a hinge
        return candidates[:, :0]


def rigid_motions(x: np.ndarray) -> np.ndarray:
    """All rigid motions of points at x, about their middle, as columns: (n d, 6), in 2D (n d, 3)."""
    dim, r = x.shape[1], lift(x - x.mean(axis=0))
    columns = [np.tile(np.eye(dim)[i], (len(r), 1)) for i in range(dim)]
    axes = np.eye(3)[2:] if dim == 2 else np.eye(3)
    columns += [np.cross(axis, r)[:, :dim] for axis in axes]
    return np.stack([c.ravel() for c in columns], axis=1)


def lift(x: np.ndarray) -> np.ndarray:
    """Planar coordinates as points of the plane z = 0."""
    return np.pad(x, ((0, 0), (0, 1))) if x.shape[1] == 2 else x


def rotation_matrix(vector: np.ndarray) -> np.ndarray:
    """The rotation by |vector| radians about vector (Rodrigues)."""
    x, y, z = vector
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = np.linalg.norm(vector)
    if angle < 1e-8:
        return np.eye(3) + skew + 0.5 * skew @ skew
    return np.eye(3) + np.sin(angle) / angle * skew + (1.0 - np.cos(angle)) / angle**2 * skew @ skew


def fit_rotation(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The rotation that best takes the old pins to the new ones; the smallest one if they leave
    some rotation open (a single pin, pins on a line).
    """
    return _kabsch(old - old.mean(axis=0), new - new.mean(axis=0), np.ones(len(old)))


def _kabsch(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rotation Q that minimises sum w |Q a - b|^2, as close to the identity as data allow."""
    covariance = b.T @ (weights[:, None] * a)
    scale = np.linalg.norm(covariance)
    if scale < 1e-300:
        return np.eye(3)
    u, s, vt = np.linalg.svd(covariance)
    rank = int((s > 1e-12 * s[0]).sum())
    if rank == 1:
        return _shortest(vt[0], u[:, 0])
    sign = np.sign(np.linalg.det(u @ vt))
    return u @ np.diag([1.0, 1.0, sign]) @ vt


def _shortest(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    axis, cosine = np.cross(a, b), float(a @ b)
    sine = np.linalg.norm(axis)
    if sine < 1e-15:
        return np.eye(3)
    return rotation_matrix(axis / sine * np.arctan2(sine, cosine))


def _inertia(m: np.ndarray, r: np.ndarray) -> np.ndarray:
    """The inertia tensor about the origin of r."""
    second = r.T @ (m[:, None] * r)
    return np.trace(second) * np.eye(3) - second
