"""The lines of a grid that long elements lie along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import Voxels

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Lines:
    """Long elements: the prisms around the lines of grid points, along x, y and z, r in all.

    A line ends at the surface, or at a point that is held: what is behind that is another line.
    lengths l [m], (r,), and sections A [m^2], (r,): the mean one. pairs (k, 2): lines side by side.
    at_rest (r,): so many neighbours of a line are held at both ends.
    of (n, 3): the line that moves each point along each axis; -1: none. shares (n, 3): how far the
    point goes as the line lengthens by one: 0 to 1 from an end that is held, -1/2 to 1/2 where none is.
    """

    lengths: Array
    sections: Array
    pairs: Array
    at_rest: Array
    of: Array
    shares: Array

    @classmethod
    def through(cls, voxels: Voxels, held: Array) -> Lines:
        """The lines of boxes, points of whose mesh are held: a mask (n,)."""
        found, count = [], 0
        for axis in range(3):
            found.append(_Along(voxels, held, axis, count))
            count += len(found[-1].lengths)
        of = np.stack([a.of for a in found], axis=1)
        shares = np.stack([a.shares for a in found], axis=1)
        lengths = np.concatenate([a.lengths for a in found])
        sections = np.concatenate([a.sections for a in found])
        pairs = np.concatenate([a.pairs for a in found])
        free = (pairs >= 0).all(axis=1)
        beside_held = pairs[~free].max(axis=1, initial=-1)
        at_rest = np.bincount(beside_held[beside_held >= 0], minlength=count)
        return cls(lengths, sections, pairs[free], at_rest, of, shares)

    def __len__(self) -> int:
        return len(self.lengths)


class _Along:
    """The lines along one axis, numbered from `first`; arrays of `Lines`.

    Grids are turned so that the axis is the last: edges (a, b, n) follow each other along it.
    """

    def __init__(self, voxels: Voxels, held: Array, axis: int, first: int):
        order = [*(k for k in range(3) if k != axis), axis]
        full = np.transpose(voxels.full, order)
        numbers = np.transpose(voxels.numbers, order)
        around = np.pad(full, ((1, 1), (1, 1), (0, 0))).astype(int)
        beside = around[:-1, :-1] + around[1:, :-1] + around[:-1, 1:] + around[1:, 1:]
        edges = beside > 0  # (a + 1, b + 1, n)
        low, high = numbers[:, :, :-1], numbers[:, :, 1:]
        stop = np.zeros(len(held) + 1, dtype=bool)  # at -1 there is no point
        stop[:-1] = held
        fresh = edges.copy()  # an edge that begins a line
        fresh[:, :, 1:] &= ~edges[:, :, :-1] | stop[low[:, :, 1:]]
        every = np.cumsum(fresh.ravel()).reshape(edges.shape) - 1
        ends = np.stack([np.flatnonzero(fresh), np.zeros(int(fresh.sum()), dtype=int)])
        ends[1, every[edges]] = np.flatnonzero(edges)  # the last one stays
        begins, closes = low.ravel()[ends[0]], high.ravel()[ends[1]]
        moves = ~(stop[begins] & stop[closes])
        number = np.where(moves, first + np.cumsum(moves) - 1, -1)
        line = np.where(edges, number[every], -1)

        x = voxels.mesh.points
        a, b = x[begins, axis], x[closes, axis]
        length = b - a
        home = np.where(stop[begins], a, np.where(stop[closes], b, 0.5 * (a + b)))
        volume = np.bincount(every[edges], weights=beside[edges]) * voxels.sides.prod() / 4.0
        self.lengths, self.sections = length[moves], (volume / length)[moves]

        self.of, self.shares = np.full(len(held), -1), np.zeros(len(held))
        for points in (low, high):
            own, number_of = points[edges], line[edges]
            free = ~held[own] & (number_of >= 0)
            own, of = own[free], every[edges][free]
            self.of[own] = number_of[free]
            self.shares[own] = (x[own, axis] - home[of]) / length[of]
        sides = np.concatenate([_beside(every, full, across) for across in (0, 1)])
        self.pairs = number[np.unique(sides, axis=0)]


def _beside(line: Array, full: Array, across: int) -> Array:
    """Pairs of lines whose edges are opposite in a face of a box, (k, 2), the lower number first."""
    line, full = np.moveaxis(line, across, 0), np.moveaxis(full, across, 0)
    around = np.pad(full, ((0, 0), (1, 1), (0, 0)))
    face = around[:, :-1] | around[:, 1:]  # (a, b + 1, n): between edges a and a + 1
    pairs = np.stack([line[:-1][face], line[1:][face]], axis=1)
    out: Array = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    return out
