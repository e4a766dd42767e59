"""Rigid motion of one connected part of a body: what damping must leave alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.backend import axial, cross_matrix
from pliant.errors import Advice, SolverError
from pliant.mesh import in_space


#: Over the largest radius of gyration of a part, that about a line beside which it is thin.
THIN = 0.03


@dataclass(frozen=True)
class Moments:
    """Sums over the points of a part, r from its centre: all that its rigid motion depends on."""

    centre: np.ndarray  # (3,)
    first: np.ndarray  # sum of m r, (3,)
    second: np.ndarray  # sum of m r r^T, (3, 3)
    momentum: np.ndarray  # sum of m v, (3,)
    push: np.ndarray  # sum of f, (3,)
    turning: np.ndarray  # sum of r x (m v + dt f), (3,)

    @classmethod
    def at_rest(cls, centre: np.ndarray) -> Moments:
        """Moments of a part whose pins leave no rigid motion: only the centre is used."""
        zero = np.zeros(3)
        return cls(centre, zero, np.zeros((3, 3)), zero, zero, zero)

    @property
    def inertia(self) -> np.ndarray:
        """The inertia tensor about the centre."""
        return np.asarray(np.trace(self.second) * np.eye(3) - self.second)


@dataclass(frozen=True)
class Carry:
    """A rigid motion from the old shape to the new time: x -> centre_new + rotation (x - centre)."""

    centre: np.ndarray  # (3,)
    centre_new: np.ndarray  # (3,)
    rotation: np.ndarray  # (3, 3)
    spin: np.ndarray  # angular velocity of what momentum decides, without the pins [rad/s], (3,)
    pins_only: np.ndarray  # (3, 3): the rotation of the pins alone

    def pin_velocity(self, x: np.ndarray, dt: float) -> np.ndarray:
        """The velocity of points that would move with the pins alone."""
        r = in_space(x) - self.centre
        moved = self.centre_new - self.centre + r @ self.pins_only.T - r
        return np.asarray(moved[:, : x.shape[1]] / dt)


class Part:
    """One connected component, its pins, and the rigid motions that the pins leave it.

    A clamped part has none, one that hangs on a hinge can turn about it, a free one has all six
    (2D: three). A part that is straight at rest does not turn about itself: nothing resists, and
    nothing moves; nor does a single point, such as one whose springs were all cut. Without `swing` a
    part on a hinge has `damps_swing`: a turn about the hinge counts as deformation. If it hangs by one
    point, a turn about the vertical brings it from rest to rest; that is left out, and not carried on
    either.
    Planar bodies are treated as lying in the plane z = 0.
    """

    def __init__(
        self,
        points: np.ndarray,
        pinned: np.ndarray,
        masses: np.ndarray,
        x: np.ndarray,
        *,
        swing: bool = True,
    ):
        self.points = points  # indices of its points in the body
        self.pins = points[pinned[points]]
        self.masses = masses[points]
        self.mass = float(self.masses.sum())
        self.dim = x.shape[1]
        self.translates = len(self.pins) == 0
        spread = np.linalg.svd(x[points] - x[points].mean(axis=0), compute_uv=False)
        self._lone = spread[0] == 0.0
        self.straight = self.dim == 3 and spread[0] > 0.0 and spread[1:].max() <= 1e-9 * spread[0]
        self._turns = self.open_axes(x).shape[1]
        self.damps_swing = self._turns > 0 and not (swing or self.translates)
        self.vertical = np.zeros((3, 0))  # (3, 1) where it hangs by a point
        if self.damps_swing:
            self._by_a_point, self._turns = self._turns == 3, 0

    @property
    def rank(self) -> int:
        """How many rigid motions remain."""
        return int(self._turns + (self.dim if self.translates else 0))

    def set_hinge_direction(self, down: np.ndarray, before: np.ndarray | None = None) -> None:
        """Set the vertical of a part that hangs by one point to the direction `down`, (3,), of its load.

        If `down` is zero, the part keeps the direction `before`, (3, 1); None: it has none yet.
        """
        if not (self.damps_swing and self._by_a_point):
            return
        length = np.linalg.norm(down)
        way = down[:, None] / length if length > 0.0 else before
        self.vertical = np.zeros((3, 0)) if way is None else way
        self._turns = self.vertical.shape[1]

    def centre(self, x: np.ndarray) -> np.ndarray:
        """The point about which the part turns: its centre of mass, or a pin."""
        if self.translates:
            return np.asarray(self.masses @ in_space(x[self.points]) / self.mass)
        return np.asarray(in_space(x[self.pins]).mean(axis=0))

    def motions(self, x: np.ndarray) -> np.ndarray:
        """The remaining rigid motions at x as columns over the whole body, shape (n d, rank)."""
        columns = []
        r = in_space(x[self.points]) - self.centre(x)
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

    def basis(self, moments: Moments, axes: np.ndarray) -> np.ndarray:
        """M-orthonormal motions t + w x r of what the pins leave, as rows (t, w): (rank, 6)."""
        shifts = np.eye(3)[: self.dim if self.translates else 0] / np.sqrt(self.mass)
        turns = np.zeros((0, 3))
        if self._turns and axes.shape[1]:
            try:
                lower = np.linalg.cholesky(axes.T @ moments.inertia @ axes)
            except np.linalg.LinAlgError:
                raise SolverError(
                    "a part of the body has collapsed to a line or a point, about which nothing turns; "
                    "expected a shape with some extent"
                ) from None
            turns = np.linalg.solve(lower, axes.T)
        rows = np.zeros((len(shifts) + len(turns), 6))
        rows[: len(shifts), :3], rows[len(shifts) :, 3:] = shifts, turns
        return rows

    def carry(
        self,
        moments: Moments,
        axes: np.ndarray,
        dt: float,
        pins: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Carry:
        """The rigid motion over one step.

        pins: where they are and where they will be; None if they do not move. The part follows the
        rigid motion that fits them best. The motions that pins leave open conserve momentum exactly:
        R^T M (x_new - x)/dt = R^T (M v + dt force), R at x; but see `_without_roll`.
        """
        c, turned = moments.centre, np.eye(3)
        c_new = c
        if self.translates:
            c_new = c + dt * (moments.momentum + dt * moments.push) / self.mass
        elif pins is not None and not np.array_equal(*pins):
            c_new, turned = pins[1].mean(axis=0), fit_rotation(*pins)
        if self.damps_swing or not (self._turns and axes.shape[1]):
            return Carry(c, c_new, turned, np.zeros(3), turned)
        wanted = moments.turning - np.cross(moments.first, (c_new - c) / dt)
        omega = _spin(moments, axes, wanted, turned, dt)
        if omega is None and not self.translates:
            omega = _spin(moments, axes, _without_roll(moments, axes, wanted), turned, dt)
        if omega is None:
            reduced = axes.T @ moments.inertia @ axes
            speed = float(np.linalg.norm(np.linalg.solve(reduced, axes.T @ wanted)))
            raise ValueError(
                Advice(
                    f"a free body spins {speed * dt:.2g} rad in one step of "
                    f"dt={dt:g} s; expected less than one. ",
                    f"Use scene.run(dt={0.2 / speed:.2g})",
                    f"Set dt = {0.2 / speed:.2g} in [run]",
                )
            )
        spin = axes @ omega
        return Carry(c, c_new, rotation_matrix(spin * dt) @ turned, spin, turned)

    def rotation(self, covariance: np.ndarray, axes: np.ndarray) -> np.ndarray:
        """The admitted rotation that takes a closest to b, from the sum of m b a^T about centres."""
        if axes.shape[1] != 1:
            return _nearest(covariance) if axes.size else np.eye(3)
        axis = axes[:, 0]
        sine, cosine = axis @ axial(covariance), np.trace(covariance) - axis @ covariance @ axis
        return rotation_matrix(axis * np.arctan2(sine, cosine))

    def axes(self, x: np.ndarray) -> np.ndarray:
        """The axes of the rigid rotations that the pins at x leave, (3, k)."""
        return self.vertical if self.damps_swing else self.open_axes(x)

    def open_axes(self, x: np.ndarray) -> np.ndarray:
        """`axes` of a part that may swing."""
        candidates = np.eye(3)[:, 2:] if self.dim == 2 else np.eye(3)
        if self._lone:
            return candidates[:, :0]
        if self.straight:
            about = x[self.points] - x[self.points].mean(axis=0)
            candidates = np.linalg.eigh(about.T @ about)[1][:, :2]  # across it
        if len(self.pins) <= 1:
            return candidates
        arms = in_space(x[self.pins])
        arms = arms - arms.mean(axis=0)
        _, singular, vt = np.linalg.svd(arms, full_matrices=False)
        length = np.ptp(x[self.points], axis=0).max()
        spread = int((singular > 1e-9 * length).sum())
        if spread == 0:
            return candidates
        if spread == 1 and self.dim == 3:
            out: np.ndarray = vt[: 0 if self.straight else 1].T  # pins on a line: a hinge
            return out
        return candidates[:, :0]


def _spin(
    moments: Moments, axes: np.ndarray, wanted: np.ndarray, turned: np.ndarray, dt: float
) -> np.ndarray | None:
    """The angular velocity about the axes [rad/s] that keeps the angular momentum; None: a step too long."""
    reduced = axes.T @ moments.inertia @ axes
    omega = np.linalg.solve(reduced, axes.T @ wanted)
    for _ in range(60):
        rotation = rotation_matrix(axes @ omega * dt) @ turned
        # The sum of r x m (rotation r - r), from the second moments.
        spread = (rotation - np.eye(3)) @ moments.second
        change = np.linalg.solve(reduced, axes.T @ (wanted - axial(spread) / dt))
        omega = omega + change
        if np.abs(change).max() <= 1e-14 * (1.0 / dt + np.abs(omega).max()):
            return np.asarray(omega)
    return None


def _without_roll(moments: Moments, axes: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The angular momentum without that about lines beside which a part is `THIN`.

    A rod on a point of its surface rolls to and fro in less than a step. In a step that is too long for
    that it does not roll.
    """
    inertias, principal = np.linalg.eigh(axes.T @ moments.inertia @ axes)
    largest = 0.5 * np.trace(moments.inertia)  # the sum of m r^2
    kept = principal[:, inertias > THIN**2 * largest]
    return np.asarray(axes @ kept @ kept.T @ (axes.T @ wanted))


def rigid_motions(x: np.ndarray) -> np.ndarray:
    """All rigid motions of points at x, about their middle, as columns: (n d, 6), in 2D (n d, 3)."""
    dim, r = x.shape[1], in_space(x - x.mean(axis=0))
    columns = [np.tile(np.eye(dim)[i], (len(r), 1)) for i in range(dim)]
    axes = np.eye(3)[2:] if dim == 2 else np.eye(3)
    columns += [np.cross(axis, r)[:, :dim] for axis in axes]
    return np.stack([c.ravel() for c in columns], axis=1)


def rotation_matrix(vector: np.ndarray) -> np.ndarray:
    """The rotation by |vector| radians about vector (Rodrigues)."""
    skew, angle = cross_matrix(vector), np.linalg.norm(vector)
    if angle < 1e-8:
        return np.asarray(np.eye(3) + skew + 0.5 * skew @ skew)
    first, second = np.sin(angle) / angle, (1.0 - np.cos(angle)) / angle**2
    return np.asarray(np.eye(3) + first * skew + second * skew @ skew)


def fit_rotation(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The rotation that best takes the old pins to the new ones; the smallest one if they leave
    some rotation open (a single pin, pins on a line).
    """
    return _nearest((new - new.mean(axis=0)).T @ (old - old.mean(axis=0)))


def _nearest(covariance: np.ndarray) -> np.ndarray:
    """The rotation Q that minimises sum w |Q a - b|^2, as close to the identity as data allow.

    covariance: the sum of w b a^T.
    """
    if np.linalg.norm(covariance) < 1e-300:
        return np.eye(3)
    u, s, vt = np.linalg.svd(covariance)
    rank = int((s > 1e-12 * s[0]).sum())
    if rank == 1:
        return _shortest(vt[0], u[:, 0])
    sign = np.sign(np.linalg.det(u @ vt))
    return np.asarray(u @ np.diag([1.0, 1.0, sign]) @ vt)


def _shortest(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    axis, cosine = np.cross(a, b), float(a @ b)
    sine = np.linalg.norm(axis)
    if sine < 1e-15:
        return np.eye(3)
    return rotation_matrix(axis / sine * np.arctan2(sine, cosine))
