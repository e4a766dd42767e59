"""Rigid motion of all parts of a body, for arrays that stay on a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.solvers import Complement
from pliant.solvers.device_vectors import DeviceVectors
from pliant.solvers.recorded import Launches
from pliant.solvers.reductions import BLOCK, Mailbox

from .parts_kernels import CARRY, SUMS, parts_kernels
from .rigid import Carry, Moments, Part


class DeviceComplement:
    """`Complement` with its motions on the device: Q and M Q, (rank, points), zero at pins."""

    def __init__(self, parts: DeviceParts, basis: Any, weighted: Any):
        self.rank, self.basis, self.weighted = basis.shape[0], basis, weighted
        self._parts = parts

    def project(self, a: Any) -> Any:
        """Remove from a way what moves pins or along the motions, in place."""
        return self._parts.remove(self.weighted, self.basis, a)

    def project_force(self, a: Any) -> Any:
        """Remove from a force what acts on pins or on the motions, in place."""
        return self._parts.remove(self.basis, self.weighted, a)


class DeviceParts:
    """`Parts` on a device: sums come to the host, six to eighteen numbers per part go back.

    Pins stand still while arrays are here: `hold` is told once where they are.
    """

    def __init__(self, parts: Sequence[Part], vectors: DeviceVectors, mobile: Any):
        self._parts, self._vectors, self._mobile = parts, vectors, mobile
        self._device = vectors.device
        block = BLOCK if self._device.is_cuda else 1
        part_of = np.zeros(vectors.count, dtype=np.int32)
        members, owners = [], []
        for k, part in enumerate(parts):
            part_of[part.points] = k
            # Threads of one block share their sums: a block has points of one part only.
            padded = np.pad(part.points, (0, -len(part.points) % block), constant_values=-1)
            members.append(padded)
            owners.append(np.full(len(padded), k))
        of: dict[str, Any] = {"dtype": wp.int32, "device": self._device}
        self._members: Any = wp.array(np.concatenate(members), **of)
        self._owners: Any = wp.array(np.concatenate(owners), **of)
        self._part_of: Any = wp.array(part_of, **of)
        self._run = parts_kernels(vectors.dim, self._device.is_cuda)
        self._launch = Launches(self._device, block=BLOCK)
        self._sums = Mailbox(SUMS * len(parts), self._device)
        self._found: Any = wp.zeros(max(6 * len(parts), 1), dtype=wp.float64, device=self._device)
        nothing: Any = wp.zeros((0, vectors.count), dtype=vectors.vec, device=self._device)
        self.still = DeviceComplement(self, nothing, nothing)
        self._axes = [np.zeros((3, 0)) for _ in parts]
        self._pivots: Any = None
        self._centres = np.zeros((len(parts), 3))
        self._last: tuple[Any, Any] | None = None

    def hold(self, x: np.ndarray) -> None:
        """Take the places of the pins from x."""
        self._axes = [part.axes(x) for part in self._parts]
        pivots = [
            [part.mass, 0.0, 0.0, 0.0] if part.translates else [0.0, *part.centre(x)]
            for part in self._parts
        ]
        self._centres = np.array(pivots)[:, 1:]
        self._pivots = self._numbers(pivots)

    def hang(self) -> None:
        """Parts that hang were told which way."""
        self._axes = [
            part.vertical if part.hangs else axes
            for part, axes in zip(self._parts, self._axes, strict=True)
        ]

    def moments(self, x: Any, v: Any = None, load: Any = None, dt: float = 0.0) -> list[Moments]:
        """The sums of every part, in one look."""
        v, load = (x, x) if v is None else (v, load)
        masses, sums = self._vectors.masses, self._sums.emptied()
        members, threads = [self._members, self._owners], self._members.size
        self._launch(self._run.totals, threads, [*members, masses, x, v, load, sums])
        inputs = [*members, self._pivots, masses, x, v, load, dt, sums]
        self._launch(self._run.arms, threads, inputs)
        found = self._sums.read().reshape(-1, SUMS).copy()
        return [
            Moments(
                self._centre(k, s[:3]),
                s[9:12],
                s[[12, 13, 14, 13, 15, 16, 14, 16, 17]].reshape(3, 3),
                s[3:6],
                s[6:9],
                s[18:],
            )
            for k, s in enumerate(found)
        ]

    def carries(self, moments: Sequence[Moments], x: Any, pinned: Any, dt: float) -> list[Carry]:
        """The motion of every part; its pins stand still."""
        triples = zip(self._parts, moments, self._axes, strict=True)
        return [part.carry(sums, axes, dt) for part, sums, axes in triples]

    def complement(self, x: Any, moments: Sequence[Moments] | None = None) -> Any:
        """The deformations at x."""
        moments = moments or self.moments(x)
        columns = [
            [k, *moments[k].centre, *row]
            for k, part in enumerate(self._parts)
            for row in part.basis(moments[k], self._axes[k])
        ]
        if not columns:
            return self.still
        v, rank = self._vectors, len(columns)
        arrays: list[Any] = [
            wp.empty((rank, v.count), dtype=v.vec, device=self._device) for _ in range(2)
        ]
        inputs = [self._part_of, self._mobile, v.masses, self._numbers(columns), x, *arrays]
        self._launch(self._run.motions, (rank, v.count), inputs)
        return DeviceComplement(self, *arrays)

    def lifted(self, complement: Complement, free: np.ndarray) -> DeviceComplement:
        """The same motions, brought from the host."""
        if not complement.rank:
            return self.still
        v, arrays = self._vectors, list[Any]()
        for columns in (complement.basis, complement.weighted):
            full = np.zeros((complement.rank, v.count, v.dim))
            full[:, free] = columns.T.reshape(complement.rank, -1, v.dim)
            arrays.append(wp.array(full, dtype=v.vec, device=self._device))
        return DeviceComplement(self, *arrays)

    def deformation(self, complement: DeviceComplement, a: Any) -> Any:
        """The part of a velocity or a way that moves free points and no rigid motion."""
        return complement.project(wp.clone(a))

    def remove(self, finds: Any, removes: Any, a: Any) -> Any:
        """a less its components along `removes`, as `finds` finds them, and zero at pins; in place."""
        rank, v = finds.shape[0], self._vectors
        if rank:
            self._found.zero_()
            self._launch(self._run.components, (rank, v.threads), [finds, a, self._found])
        self._launch(self._run.remove, v.count, [self._mobile, self._found, removes, a])
        return a

    def positions(self, x: Any, carries: Sequence[Carry], pinned: Any) -> Any:
        """Points carried; pins stay."""
        return self._place(self._table(carries), x, x)

    def vectors(self, v: Any, carries: Sequence[Carry]) -> Any:
        """Velocities turned with the body, zero at pins."""
        out = wp.empty_like(v)
        inputs = [self._part_of, self._mobile, self._table(carries), v, out]
        self._launch(self._run.turn, self._vectors.count, inputs)
        return out

    def align(self, shape: Any, x: Any) -> Any:
        """`shape` moved rigidly, as far as its pins allow, to lie closest to x; pins as in x."""
        masses, sums = self._vectors.masses, self._sums.emptied()
        members, threads = [self._members, self._owners], self._members.size
        self._launch(self._run.totals, threads, [*members, masses, x, shape, x, sums])
        inputs = [*members, self._pivots, masses, x, shape, sums]
        self._launch(self._run.covariance, threads, inputs)
        found, rows = self._sums.read().reshape(-1, SUMS), []
        for k, part in enumerate(self._parts):
            rotation = np.eye(3)
            if part.rank:
                rotation = part.rotation(found[k, 9:18].reshape(3, 3), self._axes[k])
            centres = [self._centre(k, found[k, 3:6]), self._centre(k, found[k, :3])]
            rows.append(np.concatenate([*centres, rotation.ravel(), np.zeros(3)]))
        return self._place(self._numbers(rows), shape, x)

    def centrifugal(self, shape: Any, carries: Sequence[Carry]) -> Any:
        """The load of spinning on a carried shape."""
        out = wp.empty_like(shape)
        inputs = [self._part_of, self._vectors.masses, self._table(carries), shape, out]
        self._launch(self._run.spin, self._vectors.count, inputs)
        return out

    def _place(self, table: Any, x: Any, pins: Any) -> Any:
        out = wp.empty_like(x)
        inputs = [self._part_of, self._mobile, table, x, pins, out]
        self._launch(self._run.place, self._vectors.count, inputs)
        return out

    def _centre(self, k: int, total: np.ndarray) -> np.ndarray:
        part = self._parts[k]
        return total / part.mass if part.translates else self._centres[k]

    def _table(self, carries: Sequence[Carry]) -> Any:
        """What the kernels need of the carries, sent once."""
        if self._last is None or self._last[0] is not carries:
            rows = [
                np.concatenate([c.centre, c.centre_new, c.rotation.ravel(), c.spin])
                for c in carries
            ]
            assert len(rows[0]) == CARRY
            self._last = (carries, self._numbers(rows))
        return self._last[1]

    def _numbers(self, rows: Any) -> Any:
        return wp.array(np.ravel(rows), dtype=wp.float64, device=self._device)
