"""Penalties between cells that come too close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import compilation, start
from pliant.energies import Coupling, Searching, packed, summed

from .inside import Insides
from .neighbours import Neighbours
from .penalty_kernels import pair_kernels

#: A number for each pair (i, j) of cells.
OfPairs = Callable[[np.ndarray, np.ndarray], np.ndarray]


def distances(
    points: np.ndarray, touching: Callable[[int, Any], Any], stencils: np.ndarray
) -> np.ndarray:
    """The shortest way between the two cells of each stencil of four points [m], (pairs,)."""
    start()
    dim, out = points.shape[1], np.zeros(len(stencils))
    if len(stencils):
        key: Any = touching
        x: Any = wp.array(points, dtype=wp.types.vector(dim, wp.float64), device="cpu")
        s: Any = wp.array(stencils.astype(np.int32), dtype=wp.int32, device="cpu")
        found: Any = wp.array(out, dtype=wp.float64, device="cpu", copy=False)
        run = pair_kernels(key, dim, wp.float64)
        wp.launch(run.distance, dim=len(stencils), inputs=[x, s, found], device="cpu")
    return out


@dataclass(frozen=True, eq=False)
class Searched:
    """Positions [m] at which pairs, and cells around points, were searched; None: not yet."""

    pairs: np.ndarray | None = None
    insides: np.ndarray | None = None


class PairPenalty(Coupling, Searching):
    """Cells push each other apart when they are nearer than their thickness.

        W = sum_c k_c/2 min(0, |d_c| - h_c)^2,       d = the shortest way between two cells

    touching: how two cells are closest (`segments`, `point_triangle`); neighbours: the pairs, four
    points each; thickness h [m] and stiffness k [N/m] as functions of the numbers (i, j) of pairs.
    contacts: a number for each pair; of those with the same one only the closest pushes, so that the
    distance is that to a whole surface. By default every pair pushes. insides: tells where a point is
    inside of what it touches, and |d| counts as negative.

    Momentum and angular momentum are kept to rounding, energy as the step keeps it: W and its
    gradient are exact. The Hessian is Gauss and Newton's, k w w^T x n n^T for the weights w of the four
    points along the normal n, projected or not. Pairs come and go and the pattern of a body's matrix
    does not, so it is written as blocks on the diagonal, 2 k |w_i| n n^T, less `columns`.

    Not for fast things through thin ones: what passes half the thickness in one step comes out on
    the other side, unless `insides` knows it. At an edge that two cells share, pairs push twice.
    """

    always_couples = False

    def __init__(
        self,
        points: np.ndarray,
        touching: Callable[[int, Any], Any],
        neighbours: Neighbours,
        *,
        thickness: OfPairs,
        stiffness: OfPairs,
        contacts: OfPairs | None = None,
        insides: Insides | None = None,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        self._stencils = np.arange(len(points), dtype=np.int32)[:, None]
        self._near, self._thickness, self._stiffness = neighbours, thickness, stiffness
        self._contacts, self._insides = contacts, insides
        self._device, self._dtype = device, dtype
        key: Any = touching
        self._run = pair_kernels(key, points.shape[1], dtype)
        self._keys = np.zeros(0, dtype=np.int64)
        self._pairs: Any = None
        self._listed = self._near.pairs  # that the two are made from; now there are none
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        if not self._look(x):
            return 0.0
        self._launch(self._run.value, x, self._pairs, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        if self._look(x):
            self._launch(self._run.gradient, x, self._pairs, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add 2 k |w_i| n n^T [N/m] to the blocks of the diagonal."""
        if self._look(x):
            self._launch(self._run.diagonal, x, self._pairs, slots, blocks)

    def couples(self, x: Any) -> bool:
        """Whether anything touches at x."""
        return self._look(x) and bool((self._contacts_at(x)[0] >= 0).any())

    def low_rank(self, x: Any) -> np.ndarray:
        """U, if the Hessian is its blocks less U U^T: three columns for each contact."""
        n, dim = len(self._stencils), x.numpy().shape[1]
        if not self._look(x):
            return np.zeros((n * dim, 0))
        chosen, weights, normals = self._contacts_at(x)
        touch = np.flatnonzero(chosen >= 0)
        stencils = self._pairs.stencils.numpy()[chosen[touch]]
        w, k = weights[touch], self._pairs.k.numpy()[touch]
        values, turns = np.linalg.eigh(
            2.0 * np.abs(w)[:, :, None] * np.eye(4) - w[:, :, None] * w[:, None, :]
        )
        # The first value is zero: what moves all points of a pair alike, up to signs, costs nothing.
        roots = np.sqrt(k[:, None] * np.maximum(values[:, 1:], 0.0))
        parts = (turns[:, :, 1:] * roots[:, None])[:, :, None] * normals[touch][:, None, :, None]
        out = np.zeros((n, len(touch), dim, 3))
        for a in range(4):  # a stencil may name a point twice
            out[stencils[:, a], np.arange(len(touch))] += parts[:, a]
        return np.swapaxes(out, 1, 2).reshape(n * dim, -1)

    @property
    def limits_steps(self) -> bool:
        """No: any positions are admissible."""
        return False

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def memory(self) -> Searched:
        """The positions at which pairs were searched last."""
        return Searched(self._near.where, None if self._insides is None else self._insides.where)

    def remember(self, memory: Searched) -> None:
        """Know the pairs that were found there."""
        self._near.remember(memory.pairs)
        if self._insides is not None:
            self._insides.remember(memory.insides)

    def _look(self, x: Any) -> bool:
        """Whether anything may touch at x; afterwards `_pairs` are those that may."""
        self._near.update(x.numpy())
        if self._listed is not self._near.pairs:
            self._sort(*self._near.pairs)
            self._listed = self._near.pairs
        if self._insides is not None and len(self._keys):
            self._insides.tell(x, self._keys, self._pairs.side)
        return len(self._keys) > 0

    def _contacts_at(self, x: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each contact: the pair that touches, or -1; the weights of its points; the normal."""
        count, on, real = len(self._keys), self._device, self._dtype
        dim = x.dtype._length_
        chosen: Any = wp.zeros(count, dtype=wp.int32, device=on)
        weights: Any = wp.zeros(count, dtype=wp.types.vector(4, real), device=on)
        normals: Any = wp.zeros(count, dtype=wp.types.vector(dim, real), device=on)
        self._launch(self._run.contact, x, self._pairs, chosen, weights, normals)
        return chosen.numpy(), weights.numpy(), normals.numpy()

    def _sort(self, i: np.ndarray, j: np.ndarray) -> None:
        """Put the pairs of each contact behind each other."""
        keys = np.arange(len(i)) if self._contacts is None else self._contacts(i, j)
        order = np.argsort(keys, kind="stable")
        i, j = i[order], j[order]
        self._keys, first = np.unique(keys[order], return_index=True)
        starts = np.append(first, len(i))
        stencils = np.concatenate([self._near.first[i], self._near.second[j]], axis=1)
        i, j = i[first], j[first]
        whole, real, on = wp.int32, self._dtype, self._device
        pairs: dict[str, Any] = {
            "stencils": wp.array(stencils.astype(np.int32), dtype=whole, device=on),
            "starts": wp.array(starts.astype(np.int32), dtype=whole, device=on),
            "thickness": wp.array(self._thickness(i, j), dtype=real, device=on),
            "k": wp.array(self._stiffness(i, j), dtype=real, device=on),
            "side": wp.array(np.ones(len(first)), dtype=real, device=on),
        }
        self._pairs = packed(self._run.constants, pairs)
        self._energies: Any = wp.zeros(len(first), dtype=wp.float64, device=on)

    def _launch(self, kernel: Any, *inputs: Any) -> None:
        wp.launch(kernel, dim=len(self._keys), inputs=list(inputs), device=self._device)
