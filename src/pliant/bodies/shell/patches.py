"""The triangles of a surface, the edges between them, and the points around each edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import Mesh, MeshError

_ENDS = np.array([[1, 2], [2, 0], [0, 1]])  # of the edge opposite each corner


@dataclass(frozen=True)
class Edges:
    """The edges of triangles, each once, and who meets there; -1 where there is no one."""

    ends: np.ndarray  # (e, 2) points
    sides: np.ndarray  # (e, 2) triangles; the second is -1 on the rim
    of: np.ndarray  # (t, 3) edge opposite each corner of a triangle
    across: np.ndarray  # (t, 3) triangle on the other side of it
    agree: np.ndarray  # (e,) whether the triangles of an edge have one and the same upper side

    @classmethod
    def between(cls, mesh: Mesh) -> Edges:
        """The edges of a mesh of triangles. Refuses edges where more than two triangles meet."""
        t = np.asarray(mesh.cells["tri3"])
        half = t[:, _ENDS].reshape(-1, 2)
        ends, of, count = np.unique(
            np.sort(half, axis=1), axis=0, return_inverse=True, return_counts=True
        )
        of = of.ravel()
        if (count > 2).any():
            a, b = ends[np.argmax(count)]
            raise MeshError(
                f"Shell: the edge between points {a} and {b} has {count.max()} triangles; expected "
                "one or two"
            )
        order = np.argsort(of, kind="stable")
        first = np.cumsum(count) - count
        pair = np.stack([order[first], order[first + count - 1]], axis=1)  # half edges
        one = count == 1
        sides = np.where(one[:, None] & [False, True], -1, pair // 3)
        across = np.full(t.size, -1)
        across[pair[~one, 0]], across[pair[~one, 1]] = sides[~one, 1], sides[~one, 0]
        agree = one | (half[pair[:, 0], 0] != half[pair[:, 1], 0])
        return cls(ends, sides, of.reshape(-1, 3), across.reshape(-1, 3), agree)

    def around(self, triangles: np.ndarray, which: np.ndarray, rings: int) -> np.ndarray:
        """The points of the triangles of some edges and of `rings` of neighbours, -1 beside them.

        One more ring for edges of the rim, which see one side only.
        """
        beyond = np.concatenate([self.across, np.full((1, 3), -1)])  # -1 has no neighbours
        near = self.sides[which]
        rim = near[:, 1] < 0
        for ring in range(rings + 1):
            more = beyond[near].reshape(len(near), -1)
            if ring == rings:
                more[~rim] = -1
            near = np.concatenate([near, more], axis=1)
        corners = np.concatenate([triangles, np.full((1, 3), -1)])[near]
        return _each_once(corners.reshape(len(near), -1))


def _each_once(points: np.ndarray) -> np.ndarray:
    """Rows of indices without repetitions; -1 fills them up."""
    rows = np.sort(points, axis=1)[:, ::-1].copy()
    rows[:, 1:][rows[:, 1:] == rows[:, :-1]] = -1
    rows = np.sort(rows, axis=1)[:, ::-1]
    return rows[:, : max(1, int((rows >= 0).sum(axis=1).max(initial=0)))]
