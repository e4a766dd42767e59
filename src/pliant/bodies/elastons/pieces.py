"""The pieces that the cells of a curve, a surface or a volume are divided into."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

#: Corners of a square and of a cube from -1 to 1, in the order of quad4 and hex8.
_RING = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=float)
_CUBE = np.array([(*r, z) for z in (-1, 1) for r in _RING], dtype=float)


@dataclass(frozen=True)
class Pieces:
    """Small parts of a body, each of which becomes an elaston: of every cell one per corner.

    node: the point each is around, (e,). centre [m], (e, 3). sampled: 1 for pieces of a curve, 2 of
    a surface, 3 of a volume. size: length, area or volume [m^sampled], (e,). moments: mean of
    (X - centre)(X - centre)^T [m^2], (e, 3, 3), without thickness.
    """

    node: np.ndarray
    centre: np.ndarray
    sampled: int
    size: np.ndarray
    moments: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, cells: np.ndarray, sampled: int) -> Pieces:
        """Divide cells (c, corners) of points [m], (n, 3): line2, tri3, quad4, tet4 or hex8."""
        divide = _simplices if cells.shape[1] == sampled + 1 else _boxes
        return cls(cells.T.ravel(), *divide(points[cells], sampled))

    def __len__(self) -> int:
        return len(self.node)


def _simplices(X: np.ndarray, sampled: int) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
    """For each corner the region that is nearer to it than to others, in barycentric coordinates."""
    mean, spread = _nearest_to_first(sampled + 1)
    edges = X[:, 1:] - X[:, :1]
    whole = np.sqrt(np.linalg.det(edges @ edges.transpose(0, 2, 1)))
    whole /= np.prod(np.arange(1, sampled + 1)) * (sampled + 1)
    turned = [np.roll(X, -a, axis=1) for a in range(sampled + 1)]
    return (
        np.concatenate([np.einsum("b,cbi->ci", mean, Y) for Y in turned]),
        sampled,
        np.tile(whole, sampled + 1),
        np.concatenate([np.einsum("ab,cai,cbj->cij", spread, Y, Y) for Y in turned]),
    )


@cache
def _nearest_to_first(corners: int) -> tuple[np.ndarray, np.ndarray]:
    """Centre and second moments, in barycentric coordinates, of what is nearest to corner 0."""
    own = np.eye(corners)
    # Simplices from the corner through middles of edges and faces to the middle of the cell.
    flags = [
        np.array([own[[0, *order[:k]]].mean(axis=0) for k in range(corners)])
        for order in permutations(range(1, corners))
    ]
    centres = np.array([flag.mean(axis=0) for flag in flags])
    about = np.array(flags) - centres[:, None]
    mean = centres.mean(axis=0)
    between = (centres - mean).T @ (centres - mean) / len(flags)
    within = np.einsum("fki,fkj->ij", about, about) / (corners * (corners + 1) * len(flags))
    return mean, between + within


def _boxes(X: np.ndarray, sampled: int) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
    """Halves of each coordinate of quadrilaterals and hexahedra, taken as parallelepipeds."""
    signs = _RING if sampled == 2 else _CUBE
    centre, size, moments = [], [], []
    for at in 0.5 * signs:
        factors = (1.0 + signs * at) / 2.0
        slopes = [
            signs[:, k] / 2.0 * np.delete(factors, k, axis=1).prod(axis=1) for k in range(sampled)
        ]
        J = np.einsum("kc,nci->nki", slopes, X)
        centre.append(np.einsum("c,nci->ni", factors.prod(axis=1), X))
        size.append(np.sqrt(np.linalg.det(J @ J.transpose(0, 2, 1))))
        moments.append(np.einsum("nki,nkj->nij", J, J) / 12.0)
    return np.concatenate(centre), sampled, np.concatenate(size), np.concatenate(moments)
