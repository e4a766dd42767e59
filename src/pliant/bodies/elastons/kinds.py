"""The elastons of one kind of cell, from its pieces to their energy."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from pliant.energies import JetEnergy
from pliant.forms import Taylor
from pliant.mesh import Mesh

from .balance import balanced
from .moving_least_squares import jets, neighbourhoods
from .nodes import ElastonNodes
from .pieces import Pieces
from .section import directions, extents, stiffnesses

#: Fits worse conditioned than this have too few nodes to tell a polynomial by; good ones reach
#: 1e5.
WORST = 1e10
#: For what is worn, which may lie outside: how much farther nodes reach.
WIDER_SUPPORT = 1.5
#: Elastons below which stencils of several lengths are not worth their launches; and the part of the
#: work that must at most be left if they are.
FEW, WORTH = 200, 0.8


class ElastonKind:
    """Elastons in cells (c, corners) of a mesh, with `sampled` directions along the body.

    thickness: extents in the other directions [m]; up: see `directions`; support: radius in which
    nodes are neighbours, as a multiple of how far they reach to corners of their own cells.
    """

    def __init__(
        self,
        mesh: Mesh,
        cells: np.ndarray,
        sampled: int,
        *,
        thickness: np.ndarray,
        up: np.ndarray,
        support: float,
    ):
        self._points, self._cells = mesh.points, np.asarray(cells)
        self._radii, self._support = support * _reaches(mesh), support
        self.pieces = Pieces.of(mesh.points, self._cells, sampled)
        self._axes = directions(self.pieces, up)
        self._h = extents(self.pieces, self._axes, thickness)
        self.volume = self.pieces.size * np.prod(thickness)  # [m^3], (e,)
        self.near = neighbourhoods(self.pieces.centre, mesh.points, self._radii)
        self._known: tuple[np.ndarray, np.ndarray] | None = None
        counts = self.near[1].sum(axis=1)
        if counts.min() <= sampled:
            self._refuse(f"{counts.min()} neighbours", int(counts.argmin()))

    def __len__(self) -> int:
        return len(self.pieces)

    def share(self, volume: np.ndarray, moments: np.ndarray) -> None:
        """Add what is around each node [m^3], (n,), times its second moments about it [m^2]."""
        node = self.pieces.node
        off = self.pieces.centre - self._points[node]
        own = np.einsum("eki,ek,ekj->eij", self._axes, self._h**2 / 12.0, self._axes)
        about = own + off[:, :, None] * off[:, None, :]
        np.add.at(volume, node, self.volume)
        np.add.at(moments, node, self.volume[:, None, None] * about)

    def derivatives(self, held: np.ndarray) -> np.ndarray:
        """x,1 ... x,12 of each elaston as sums over what its nodes have, (e, 9, k, 4).

        held (n,): the nodes that are pinned. They would have the body unstrained where it is held.
        """
        if self._known is None or not np.array_equal(self._known[0], held):
            pieces, t = self.pieces, self.pieces.sampled
            L, condition, heard = jets(
                pieces.centre, self._axes, t, self._points, self._radii, self.near, held=held
            )
            if condition.max() > WORST:
                self._refuse("neighbours in too few directions", int(condition.argmax()))
            L = L[:, 1:]
            L[:, :t] = balanced(
                L[:, :t],
                self.near,
                self._axes,
                pieces,
                self._points,
                self._cells,
                held=held,
                heard=heard,
            )
            self._known = (held, L)
        return self._known[1]

    def values(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where places (m, 3) [m] go, as sums over what nodes have: indices (m, k), weights (m, k, 4).

        Places beyond the reach of enough nodes have NaN.
        """
        beside = cKDTree(self.pieces.centre).query(at)[1]
        radii = WIDER_SUPPORT * self._radii
        near = neighbourhoods(at, self._points, radii)
        enough = near[1].sum(axis=1) > self.pieces.sampled
        weights = np.full((*near[0].shape, 4), np.nan)
        if not enough.any():
            return near[0], weights
        L, condition, _ = jets(
            at[enough],
            self._axes[beside[enough]],
            self.pieces.sampled,
            self._points,
            radii,
            (near[0][enough], near[1][enough]),
            held=np.zeros(len(self._points), dtype=bool),
        )
        weights[enough] = np.where(condition[:, None, None] < WORST, L[:, 0], np.nan)
        return near[0], weights

    def energies(
        self, nodes: ElastonNodes, C: np.ndarray, *, held: np.ndarray, device: str
    ) -> list[JetEnergy]:
        """Their energies for a stiffness C [Pa], (6, 6), with some nodes (n,) held."""
        operators = np.einsum(
            "eakd,ekdb->eakb",
            self.derivatives(held),
            nodes.of_points()[self.near[0]],
            optimize=True,
        )
        stiffness = stiffnesses(C, self._h, self.pieces.sampled)
        stiffness *= self.volume[:, None, None]
        found = []
        for some, k in _alike(self.near[1].sum(axis=1)):
            points = 4 * self.near[0][some, :k, None] + np.arange(4)
            energy = JetEnergy(
                Taylor,
                nodes.points,
                points.reshape(len(some), -1),
                operators=operators[some, :, :k].reshape(len(some), 9, -1),
                stiffness=stiffness[some],
                device=device,
            )
            found.append(energy)
        return found

    def _refuse(self, what: str, which: int) -> None:
        raise ValueError(
            f"Elastons: got {what} for the elaston at {self.pieces.centre[which].round(6).tolist()} m; "
            f"expected {self.pieces.sampled + 1} or more that span the body there: try "
            f"support={1.5 * self._support:g} (it was {self._support:g})"
        )


def _alike(counts: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """Elastons with about as many neighbours (e,), and how many at most: a stencil costs its square."""
    most = int(counts.max())
    steps = sorted({int(np.quantile(counts, q)) for q in (0.5, 0.9)} | {most})
    group = np.searchsorted(steps, counts)
    if len(counts) < FEW or (np.take(steps, group) ** 2.0).mean() > WORTH * most**2:
        return [(np.arange(len(counts)), most)]
    return [(np.flatnonzero(group == g), k) for g, k in enumerate(steps)]


def _reaches(mesh: Mesh) -> np.ndarray:
    """Distance from each point to the farthest corner of its cells [m], (n,)."""
    far = np.zeros(len(mesh))
    for cells in mesh.cells.values():
        X = mesh.points[cells]
        np.maximum.at(far, cells, np.linalg.norm(X[:, :, None] - X[:, None], axis=-1).max(axis=2))
    return far
