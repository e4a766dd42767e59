"""Rigid motion of all parts of a body, for arrays of any of its spaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.backend import Groups, Space, Spaces
from pliant.mesh import in_space
from pliant.solvers import Complement

from .rigid import Carry, Moments, Part


@dataclass(frozen=True)
class RigidPose:
    """The rigid motions that pins leave every part, with pins where they are.

    axes: of the rotations, (3, k) each. pivots: the mass of a part that moves freely, or 0 and the
    point about which it turns, (parts, 4), as `table` for groups. fixed: pins do not move.
    """

    axes: list[np.ndarray]
    pivots: np.ndarray
    table: Any
    fixed: bool = False


class Parts:
    """The rigid motion of all parts of a body in a controlled step, for arrays of any space.

    Sums over points make `Moments`, `Part` makes motions of them, and these move the points. labels,
    (n,): the part that each point is in, -1 for none. While arrays are on a device pins do not move:
    `hold` takes their positions once.
    """

    def __init__(
        self, points: np.ndarray, labels: np.ndarray, spaces: Spaces, *, swing: bool = True
    ):
        masses, pinned = spaces.host.masses, ~spaces.host.free
        self.parts = [
            Part(np.flatnonzero(labels == c), pinned, masses, points, swing=swing)
            for c in range(labels.max() + 1)
        ]
        self.rank = sum(part.rank for part in self.parts)  # of the rigid motions that pins leave
        self._spaces, self._pins = spaces, np.flatnonzero(pinned)
        self._groups: dict[bool, Groups] = {}
        self._held: RigidPose | None = None
        self._seen: tuple[np.ndarray, RigidPose] | None = None
        self._table: tuple[Any, Any, Any] | None = None

    def set_hinge_direction(self, load: np.ndarray, before: Sequence[np.ndarray] = ()) -> None:
        """Set the vertical of parts that hang by one point, from the forces on all points, (n, d).

        before: the directions of the last step, (3, 1) each, which parts without force keep.
        """
        for k, part in enumerate(part for part in self.parts if part.damps_swing):
            part.set_hinge_direction(
                in_space(load[part.points]).sum(axis=0), before[k] if before else None
            )
        self.rank = sum(part.rank for part in self.parts)

    def set_hinge_direction_at_rest(self, rest: np.ndarray) -> None:
        """Set the vertical from a shape at rest: it points from the pin to the centre of mass."""
        for part in self.parts:
            middle = part.masses @ in_space(rest[part.points]) / part.mass
            part.set_hinge_direction(middle - part.centre(rest))
        self.rank = sum(part.rank for part in self.parts)

    @property
    def swings(self) -> bool:
        """Whether the pins of a part leave it a rotation, and that goes on."""
        return any(p.rank and not (p.translates or p.damps_swing) for p in self.parts)

    def hold(self, x: np.ndarray) -> None:
        """Call before arrays go to the device: there pins stay where they are in x."""
        self._held = self._pose_at(x, self._spaces.home, fixed=True)

    def moments(self, x: Any, v: Any = None, load: Any = None, dt: float = 0.0) -> list[Moments]:
        """The moments of every part; only their centres if pins leave no rigid motion."""
        pose = self._pose(x)
        if not self.rank:
            return [Moments.at_rest(pivot[1:]) for pivot in pose.pivots]
        found = self._groups_of(x).sums(x, v, load, dt, pose.table)
        return [
            Moments(
                self._centre(part, s[:3], pivot),
                s[9:12],
                s[[12, 13, 14, 13, 15, 16, 14, 16, 17]].reshape(3, 3),
                s[3:6],
                s[6:9],
                s[18:],
            )
            for part, s, pivot in zip(self.parts, found, pose.pivots, strict=True)
        ]

    def squares(self, x: Any, y: Any) -> list[float]:
        """|x - y|^2 of every part in the norm of masses."""
        groups, apart = self._groups_of(x), self._spaces.of(x).mixed(1.0, x, -1.0, y)
        origin = groups.table(np.zeros((len(self.parts), 4)))
        sums = groups.sums(apart, None, None, 0.0, origin)
        return [float(s[12] + s[15] + s[17]) for s in sums]  # the trace of sum m u u^T

    def carries(self, moments: Sequence[Moments], x: Any, pinned: Any, dt: float) -> list[Carry]:
        """The motion of every part over a step; pinned: where pins will be, if they move."""
        pose, found = self._pose(x), []
        for k, part in enumerate(self.parts):
            pins = None
            if not (pose.fixed or part.translates):
                pins = (in_space(x[part.pins]), in_space(pinned[part.pins]))
            axes = self._axes(pose, k, moments[k])
            found.append(part.carry(moments[k], axes, dt, pins))
        return found

    def complement(self, x: Any, moments: Sequence[Moments] | None = None) -> Complement:
        """The deformations at x: what is M-orthogonal to the rigid motions."""
        pose, moments = self._pose(x), moments or self.moments(x)
        columns = [
            [k, *moments[k].centre, *row]
            for k, part in enumerate(self.parts)
            for row in part.basis(moments[k], self._axes(pose, k, moments[k]))
        ]
        motions = self._groups_of(x).motions(columns, x) if columns else ()
        return Complement(self._spaces.of(x), *motions)

    def deformation(self, complement: Complement, a: Any) -> Any:
        """The part of a velocity or displacement that moves free points and no rigid motion."""
        return complement.project(complement.space.copy(a))

    def positions(self, x: Any, carries: Sequence[Carry], pinned: Any) -> Any:
        """Points carried rigidly, and pins where they will be; on a device pins stay."""
        pins = x if self._pose(x).fixed else pinned
        return self._groups_of(x).place(self._table_of(carries, x), x, pins)

    def vectors(self, v: Any, carries: Sequence[Carry]) -> Any:
        """Velocities turned with the body, zero at pins. Points of no part keep theirs."""
        return self._groups_of(v).turn(self._table_of(carries, v), v)

    def align(self, shape: Any, x: Any) -> Any:
        """`shape` moved rigidly, as far as its pins allow, to lie closest to x."""
        pose, other, groups = self._pose(x), self._pose(shape), self._groups_of(x)
        found, rows = groups.covariance(x, shape, pose.table, other.table), []
        for k, part in enumerate(self.parts):
            row = np.array([*np.zeros(6), *np.eye(3).ravel(), *np.zeros(3)])
            if part.rank:
                s = found[k]
                row[:3] = self._centre(part, s[3:6], other.pivots[k])
                row[3:6] = self._centre(part, s[:3], pose.pivots[k])
                rotation = part.rotation(s[9:18].reshape(3, 3), self._axes(pose, k))
                row[6:15] = rotation.ravel()
            rows.append(row)
        return groups.place(groups.table(rows), shape, x if pose.fixed else None)

    def centrifugal(self, shape: Any, carries: Sequence[Carry]) -> Any:
        """The load m |omega|^2 r_perp [N] that spinning puts on the deformation of a carried shape."""
        return self._groups_of(shape).spin(self._table_of(carries, shape), shape)

    def _groups_of(self, x: Any) -> Groups:
        return self._groups_in(self._spaces.of(x))

    def _groups_in(self, space: Space) -> Groups:
        if space.on_host not in self._groups:
            self._groups[space.on_host] = space.groups([part.points for part in self.parts])
        return self._groups[space.on_host]

    def _pose(self, x: Any) -> RigidPose:
        space = self._spaces.of(x)
        if not space.on_host:
            assert self._held is not None
            return self._held
        pins = x[self._pins]
        if self._seen is None or not np.array_equal(self._seen[0], pins):
            self._seen = (pins, self._pose_at(x, space))
        return self._seen[1]

    def _pose_at(self, x: np.ndarray, space: Space, *, fixed: bool = False) -> RigidPose:
        pivots = [
            [part.mass, 0.0, 0.0, 0.0] if part.translates else [0.0, *part.centre(x)]
            for part in self.parts
        ]
        axes = [part.open_axes(x) for part in self.parts]
        return RigidPose(axes, np.array(pivots), self._groups_in(space).table(pivots), fixed)

    def _axes(self, pose: RigidPose, k: int, moments: Moments | None = None) -> np.ndarray:
        """The axes of the rotations that remain, (3, k); without moments any axes of that number."""
        part, axes = self.parts[k], pose.axes[k]
        if part.damps_swing:
            return part.vertical
        if part.straight and moments is not None and axes.size:  # across where it is now
            return np.linalg.eigh(moments.second)[1][:, :2]
        return axes

    @staticmethod
    def _centre(part: Part, total: np.ndarray, pivot: np.ndarray) -> np.ndarray:
        return total / part.mass if part.translates else pivot[1:]

    def _table_of(self, carries: Sequence[Carry], x: Any) -> Any:
        """The carries as a table for groups, made once."""
        groups = self._groups_of(x)
        if self._table is None or self._table[0] is not carries or self._table[1] is not groups:
            rows = [
                np.concatenate([c.centre, c.centre_new, c.rotation.ravel(), c.spin])
                for c in carries
            ]
            self._table = (carries, groups, groups.table(rows))
        return self._table[2]
