"""Collisions of rods."""

from __future__ import annotations

from typing import Any

import numpy as np

from .closest_pairs import distances
from .hashing import overlapping
from .neighbours import Neighbours
from .pair_penalty import PairPenalty
from .touching import segments


class RodCollisions(PairPenalty):
    """Elements of rods push each other apart where they overlap, as capsules.

        W = sum over pairs  k/2 min(0, |d| - r_i - r_j)^2,     k = 2 k_i k_j / (k_i + k_j)

    rods (m, 2); radius [m] and stiffness [N/m], (m,); parts (m,): which elements are of one rod.
    Elements of one rod that are joined, or at rest within twice the distance of touching, are left
    out.
    """

    def __init__(
        self,
        points: np.ndarray,
        rods: np.ndarray,
        radius: np.ndarray,
        stiffness: np.ndarray,
        parts: np.ndarray,
        *,
        device: Any = "cpu",
    ):
        # Twice as far as they touch: rods that are pressed must not collide with themselves.
        i, j, _ = touching_at_rest(points, rods, 2.0 * radius)
        self._rods, self._k = rods, stiffness
        count, own = len(rods), parts[i] == parts[j]
        left_out = np.sort(i[own] * count + j[own])

        def keeps(i: np.ndarray, j: np.ndarray) -> np.ndarray:
            """Each pair once, and none that is left out."""
            key = i * count + j
            at = np.minimum(np.searchsorted(left_out, key), max(len(left_out) - 1, 0))
            known = left_out[at] == key if len(left_out) else np.zeros(len(key), dtype=bool)
            out: np.ndarray = (i < j) & ~known
            return out

        lengths = np.linalg.norm(points[rods[:, 1]] - points[rods[:, 0]], axis=1)
        # Few pairs, and few searches: an element's radius or a quarter of its length.
        margin = float(max(np.median(radius), 0.25 * np.median(lengths)))
        super().__init__(
            points,
            segments,
            Neighbours(rods, rods, (radius, radius), keeps=keeps, margin=margin),
            thickness=lambda i, j: radius[i] + radius[j],
            stiffness=lambda i, j: (
                2.0 * stiffness[i] * stiffness[j] / (stiffness[i] + stiffness[j])
            ),
            device=device,
        )

    def stiffest(self) -> np.ndarray:
        """The largest stiffness that a collision of each point can have [N/m], (n,)."""
        most = 2.0 * self._k * self._k.max() / (self._k + self._k.max())
        out = np.zeros(len(self.stencils))
        for node in self._rods.T:
            np.maximum.at(out, node, most)
        return out


def touching_at_rest(
    points: np.ndarray, rods: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs i < j of elements that touch, or share a point, and how far they overlap [m]."""
    x, r = points[rods], radius[:, None]
    box = (x.min(axis=1) - r, x.max(axis=1) + r)
    i, j = overlapping(box, box)
    i, j = i[i < j], j[i < j]
    apart = distances(points, segments, np.concatenate([rods[i], rods[j]], axis=1))
    overlap = radius[i] + radius[j] - apart
    joined = (rods[i][:, :, None] == rods[j][:, None, :]).any(axis=(1, 2))
    near = joined | (overlap > -1e-9 * (radius[i] + radius[j]))
    return i[near], j[near], overlap[near]
