# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Which points are inside which cells: triangles of the plane, tetrahedra of space."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.energies import TERM_OPTIONS

from .hashing import overlapping
from .neighbours import Neighbours

#: The share of its height by which a cell counts as larger. So a point on a face, an edge or a corner
#: that cells share is inside at least one of them, whatever rounding does.
SLACK = 1e-10


def points_in_cells(
    x: np.ndarray, points: np.ndarray, cells: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (i, j): point points[i] is inside cell cells[j], or on it; those of its own left out.

    What is on a face that cells share is in all of them.

    x (n, d) [m]; cells (m, d + 1). By a spatial hash of boxes, then barycentric coordinates.
    Source: [teschner2003].
    """
    corners = x[cells]
    i, j = overlapping((x[points],) * 2, (corners.min(axis=1), corners.max(axis=1)))
    other = (cells[j] != points[i][:, None]).all(axis=1)
    i, j = i[other], j[other]
    edges = np.swapaxes(corners[j, 1:] - corners[j, :1], 1, 2)
    full = np.abs(np.linalg.det(edges)) > 0.0
    i, j, edges = i[full], j[full], edges[full]
    b = np.linalg.solve(edges, (x[points[i]] - corners[j, 0])[..., None])[..., 0]
    within = (b >= -SLACK).all(axis=1) & (b.sum(axis=1) <= 1.0 + SLACK)
    return i[within], j[within]


class Insides:
    """Tells which contacts, each of a point and a part, have their point inside of that part.

    points (m,); cells (t, d + 1) and the part each is of, (t,); parts: their number. Contacts are
    known by  key = point number * parts + part.
    """

    def __init__(
        self,
        points: np.ndarray,
        cells: np.ndarray,
        part: np.ndarray,
        parts: int,
        own: np.ndarray,
        *,
        margin: float,
        device: Any,
    ):
        none = np.zeros(len(points)), np.zeros(len(cells))
        self._near = Neighbours(
            points[:, None],
            cells,
            none,
            labels=(own, part),
            margin=margin,
        )
        self._part, self._parts, self._device = part, parts, device
        self._listed: tuple[Any, Any] = (None, None)  # keys and pairs that the arrays are of
        self._arrays: tuple[Any, ...] = ()

    @property
    def where(self) -> np.ndarray | None:
        """The positions at which cells around points were searched last."""
        return self._near.where

    def remember(self, where: np.ndarray | None) -> None:
        """Set the cells that were found at these positions."""
        self._near.remember(where)

    def tell(self, x: Any, keys: np.ndarray, side: Any) -> None:
        """Set `side` of each contact to -1 where its point is inside, else to 1."""
        self._near.update(x.numpy())
        pairs = self._near.pairs
        if self._listed[0] is not keys or self._listed[1] is not pairs:
            i, j = pairs
            wanted = i * self._parts + self._part[j]
            at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
            known = keys[at] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
            i, j, at = i[known], j[known], at[known]
            stencils = np.concatenate([self._near.first[i], self._near.second[j]], axis=1)
            self._arrays = tuple(
                wp.array(a.astype(np.int32), dtype=wp.int32, device=self._device)
                for a in (stencils, at)
            )
            self._listed = (keys, pairs)
        side.fill_(1.0)
        stencils, at = self._arrays
        if len(at):
            dim = self._near.second.shape[1] - 1
            kernel = inside_kernel(dim, side.dtype)
            wp.launch(kernel, dim=len(at), inputs=[x, stencils, at, side], device=self._device)


@cache
def inside_kernel(dim: int, dtype: Any) -> Any:
    """Return the kernel that marks contacts whose point is inside a cell, of d + 1 corners."""
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    zero, one = wp.constant(dtype(0.0)), wp.constant(dtype(1.0))
    least_of_all = wp.constant(dtype(-SLACK if dtype is wp.float64 else -1e-5))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def inside_cell(
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        contacts: wp.array(dtype=wp.int32),
        side: wp.array(dtype=dtype),
    ):
        p = wp.tid()
        corner = x[stencils[p, 1]]
        edges = mat()
        for a in range(dim):
            e = x[stencils[p, a + 2]] - corner
            for i in range(dim):
                edges[i, a] = e[i]
        if wp.determinant(edges) != zero:
            b = wp.inverse(edges) * (x[stencils[p, 0]] - corner)
            rest = one - b[0]
            least = b[0]
            for a in range(1, dim):
                rest -= b[a]
                least = wp.min(least, b[a])
            if wp.min(least, rest) >= least_of_all:  # in several cells it is inside but once
                side[contacts[p]] = -one

    return inside_cell
