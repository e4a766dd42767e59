"""Penalties between cells that come too close."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import compilation, on_device, start
from pliant.energies import Coupling, Searching, packed, summed

from .neighbours import Neighbours
from .penalty_kernels import closest_kernel, penalty_kernels

#: A number for each pair (i, j) of cells.
OfPairs = Callable[[np.ndarray, np.ndarray], np.ndarray]
#: How two cells of four points together are closest: `segments`, `point_triangle`.
Touching = Callable[[int, Any], Any]


class ClosestPairs:
    """Where the two cells of each stencil of four points are closest, as arrays of a device.

    weights of the points (pairs, 4), unit normals from the second to the first, and distances [m].
    """

    def __init__(
        self,
        touching: Touching,
        stencils: np.ndarray,
        dim: int,
        *,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        count, vec = len(stencils), wp.types.vector(dim, dtype)
        self.stencils: Any = wp.array(stencils.astype(np.int32), dtype=wp.int32, device=device)
        self.weights: Any = wp.zeros((count, 4), dtype=dtype, device=device)
        self.normals: Any = wp.zeros(count, dtype=vec, device=device)
        self.distances: Any = wp.zeros(count, dtype=dtype, device=device)
        self._kernel: Any = closest_kernel(touching, dim, dtype)

    def find(self, x: Any) -> None:
        """Look at positions x."""
        found = [x, self.stencils, self.weights, self.normals, self.distances]
        wp.launch(self._kernel, dim=len(self.distances), inputs=found, device=x.device)


def distances(points: np.ndarray, touching: Touching, stencils: np.ndarray) -> np.ndarray:
    """The shortest way between the two cells of each stencil of four points [m], (pairs,)."""
    pairs, dim = ClosestPairs(touching, stencils, points.shape[1]), points.shape[1]
    pairs.find(wp.array(points, dtype=wp.types.vector(dim, wp.float64), device="cpu"))
    out: np.ndarray = pairs.distances.numpy()
    return out


@dataclass(frozen=True, eq=False)
class Searched:
    """Positions [m] at which pairs, and cells around points, were searched; None: not yet."""

    pairs: np.ndarray | None = None
    insides: np.ndarray | None = None


class Penalty(Coupling, Searching):
    """Contacts push with a spring of stiffness k [N/m] where the gap g is below the thickness h [m].

        W = sum_c k_c/2 min(0, g_c - h_c)^2,       g_c = offset_c + n_c . sum_i w_i x_i

    Weights w of a contact sum to zero, so momentum is kept to rounding. The Hessian is
    k w w^T x n n^T, projected or not. Contacts come and go and the pattern of a body's matrix does not,
    so it is written as blocks on the diagonal, k sum_j |w_j| |w_i| n n^T, and `low_rank`.
    """

    always_couples = False
    limits_steps = False

    def __init__(self, points: np.ndarray, *, device: Any = "cpu", dtype: Any = wp.float64):
        start()
        self._stencils = np.arange(len(points), dtype=np.int32)[:, None]
        self._device, self._dtype, self._dim = device, dtype, points.shape[1]
        self._run = penalty_kernels(self._dim, dtype)
        compilation.expect()

    @abstractmethod
    def contacts(self, x: Any) -> Any:
        """The contacts at positions x, as the struct of `penalty_kernels`; None: there are none."""

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        at = self.contacts(x)
        if at is None:
            return 0.0
        return summed(self._energies(x, at))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._launch(self._run.gradient, x, self.contacts(x), g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add k sum_j |w_j| |w_i| n n^T [N/m] to the blocks of the diagonal."""
        self._launch(self._run.diagonal, x, self.contacts(x), slots, blocks)

    def couples(self, x: Any) -> bool:
        """Whether anything touches at x."""
        return self.value(x) > 0.0

    def low_rank(self, x: Any) -> np.ndarray:
        """U, if the Hessian is its blocks less U U^T: for each contact one less than it has points."""
        n, dim, at = len(self._stencils), self._dim, self.contacts(x)
        if at is None:
            return np.zeros((n * dim, 0))
        touch = np.flatnonzero(self._energies(x, at).numpy())
        stencils, w, k = (a.numpy()[touch] for a in (at.stencils, at.weights, at.k))
        sizes, points = np.abs(w), stencils.shape[1]
        values, turns = np.linalg.eigh(
            sizes.sum(axis=1)[:, None, None] * sizes[:, :, None] * np.eye(points)
            - w[:, :, None] * w[:, None, :]
        )
        # The first value is zero: what moves all points of a pair alike, up to signs, costs nothing.
        roots = np.sqrt(k[:, None] * np.maximum(values[:, 1:], 0.0))
        normals = at.normals.numpy()[touch]
        parts = (turns[:, :, 1:] * roots[:, None])[:, :, None] * normals[:, None, :, None]
        out = np.zeros((n, len(touch), dim, points - 1))
        for a in range(points):  # a stencil may name a point twice
            out[stencils[:, a], np.arange(len(touch))] += parts[:, a]
        return np.swapaxes(out, 1, 2).reshape(n * dim, -1)

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def _made(
        self, stencils: Any, weights: Any, normals: Any, offsets: Any, thickness: Any, k: Any
    ) -> Any:
        """The struct of contacts, of arrays of numpy or of the device."""
        arrays = {
            "stencils": stencils,
            "weights": weights,
            "normals": normals,
            "offsets": offsets,
            "thickness": thickness,
            "k": k,
        }
        return packed(self._run.Contacts, on_device(self._run.Contacts, arrays, self._device))

    def _energies(self, x: Any, at: Any) -> Any:
        """The energy of each contact at x [J]."""
        out: Any = wp.empty(len(at.k), dtype=wp.float64, device=self._device)
        self._launch(self._run.value, x, at, out)
        return out

    def _launch(self, kernel: Any, x: Any, at: Any, *inputs: Any) -> None:
        if at is not None:
            wp.launch(kernel, dim=len(at.k), inputs=[x, at, *inputs], device=self._device)


class PairPenalty(Penalty):
    """Cells push each other apart when they are nearer than their thickness: the gap is

        g = |d|,       d = the shortest way between two cells

    touching: how two cells are closest; neighbours: the pairs, four points each; thickness h [m] and
    stiffness k [N/m] as functions of the numbers (i, j) of pairs.

    Angular momentum is kept to rounding too, and energy as the step keeps it: W and its gradient are
    exact. The Hessian is Gauss and Newton's.

    Not for fast things through thin ones: what passes half the thickness in one step comes out on
    the other side. At an edge that two cells share, pairs push twice.
    """

    def __init__(
        self,
        points: np.ndarray,
        touching: Touching,
        neighbours: Neighbours,
        *,
        thickness: OfPairs,
        stiffness: OfPairs,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        super().__init__(points, device=device, dtype=dtype)
        self._touching, self._near = touching, neighbours
        self._thickness, self._stiffness = thickness, stiffness
        self._listed = neighbours.pairs  # that the contacts are made from; now there are none
        self._at: Any = None

    def contacts(self, x: Any) -> Any:
        """All pairs that may touch, where they are closest."""
        self._near.update(x.numpy())
        if self._listed is not self._near.pairs:
            self._list(*self._near.pairs)
            self._listed = self._near.pairs
        if self._at is not None:
            self._closest.find(x)
        return self._at

    def memory(self) -> Searched:
        """The positions at which pairs were searched last."""
        return Searched(self._near.where)

    def remember(self, memory: Searched) -> None:
        """Set the pairs that were found at these positions."""
        self._near.remember(memory.pairs)

    def _list(self, i: np.ndarray, j: np.ndarray) -> None:
        stencils = np.concatenate([self._near.first[i], self._near.second[j]], axis=1)
        self._closest = ClosestPairs(
            self._touching, stencils, self._dim, device=self._device, dtype=self._dtype
        )
        found, laws = self._closest, (self._thickness(i, j), self._stiffness(i, j))
        none, given = np.zeros(len(i)), (found.stencils, found.weights, found.normals)
        self._at = self._made(*given, none, *laws) if len(i) else None
