"""Clusters of points, which may overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from pliant.errors import shown
from pliant.given import array_of
from pliant.problem import Points


@dataclass(frozen=True)
class Clusters:
    """Points by cluster, one after another, each with its share of a mass.

    points (k,): the members of the first cluster, then of the second; starts (c,): where each begins;
    masses (k,) [kg]: m_i/N_i, N_i the number of clusters that point i is in. So all shares of a point
    make up its mass, and what clusters do to it is averaged. Source: [schmedding2009] 3.4.2.
    """

    points: np.ndarray
    starts: np.ndarray
    masses: np.ndarray

    @classmethod
    def of(cls, members: Sequence[np.ndarray], masses: np.ndarray) -> Clusters:
        """From index arrays, (members,) for one cluster or (clusters, members) for many."""
        if not members:
            return cls(np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0))
        flat = np.concatenate([np.ravel(m) for m in members])
        sizes = np.concatenate(
            [np.full(1 if m.ndim == 1 else len(m), m.shape[-1], dtype=int) for m in members]
        )
        count = np.bincount(flat, minlength=len(masses))
        return cls(flat, np.r_[0, np.cumsum(sizes)[:-1]], masses[flat] / count[flat])

    @cached_property
    def labels(self) -> np.ndarray:
        """The cluster of every member, (k,)."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.r_[self.starts, len(self.points)]))

    def total(self, values: np.ndarray) -> np.ndarray:
        """Sums over each cluster, (c, ...)."""
        return np.add.reduceat(values, self.starts, axis=0)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """A value of each cluster, for each of its members."""
        out: np.ndarray = values[self.labels]
        return out

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Means of each cluster, weighted by mass, for each of its members, (k, d)."""
        m = self.masses[:, None]
        return self.spread(self.total(m * values) / self.total(m))

    def gathered(self, values: np.ndarray, n: int) -> np.ndarray:
        """Values of members added up at their points, (n, d)."""
        out = np.zeros((n, values.shape[1]))
        np.add.at(out, self.points, values)
        return out


def members(kind: Any, points: Points) -> list[np.ndarray]:
    """The clusters that the user names, as index arrays.

    "whole": each connected part; "cells"; a number: so many by k-means; or index arrays themselves.
    """
    if isinstance(kind, str) and kind == "whole":
        found = [np.flatnonzero(points.parts == part) for part in range(points.parts.max() + 1)]
        return [part for part in found if len(part) > 1]
    if isinstance(kind, str):
        if not points.cells:
            raise ValueError(
                'RelativeDamping: got clusters="cells" for points without cells; expected "whole", '
                "a number of clusters, or index arrays"
            )
        return [np.asarray(cells) for cells in points.cells]
    if isinstance(kind, Integral):
        return _by_means(points, int(kind))
    return _given(kind, len(points))


def _by_means(points: Points, count: int) -> list[np.ndarray]:
    from scipy.cluster.vq import kmeans2

    if not 2 * count <= len(points):
        raise ValueError(
            f"RelativeDamping: got clusters={shown(count)} for {len(points)} points; expected at most "
            f"{len(points) // 2}, of two points or more each"
        )
    shape = points.x if points.undeformed is None else points.undeformed
    _, labels = kmeans2(shape, count, minit="++", rng=np.random.default_rng(0))
    found = [np.flatnonzero(labels == c) for c in range(count)]
    alone = [c for c in found if len(c) == 1]
    found = [c for c in found if len(c) > 1]
    for point in alone:  # joins the cluster whose centre is nearest
        centres = np.array([shape[c].mean(axis=0) for c in found])
        near = int(np.argmin(((centres - shape[point]) ** 2).sum(axis=1)))
        found[near] = np.concatenate([found[near], point])
    return found


def _given(kind: Any, n: int) -> list[np.ndarray]:
    found = []
    for number, cluster in enumerate(kind):
        try:
            indices = array_of(cluster)
        except ValueError:
            indices = np.zeros(0)  # refused below
        if indices.dtype == bool:
            indices = np.flatnonzero(indices) if indices.shape == (n,) else np.zeros(0)
        good = indices.ndim == 1 and np.issubdtype(indices.dtype, np.integer)
        if not good or (indices < 0).any() or (indices >= n).any():
            raise ValueError(
                f"RelativeDamping: got cluster {number} = {shown(cluster)}; expected numbers of points "
                f"from 0 to {n - 1}, or a mask of {n}"
            )
        indices = np.unique(indices)
        if len(indices) < 2:
            raise ValueError(
                f"RelativeDamping: cluster {number} has {len(indices)} point; expected two or more: "
                "one point has no velocity relative to itself"
            )
        found.append(indices)
    if not found:
        raise ValueError("RelativeDamping: got no cluster; expected one or more")
    return found
