"""Facets between cells that are opened, so that the cells beside them part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Flags, Indices
from .topology import connected, row_labels


@dataclass(frozen=True)
class SharedFacets:
    """The facets that two simplices share.

    nodes (p, k - 1): their points in ascending order. cells (p, 2): the simplices on both sides, and
    apexes (p, 2): the point of each that is not on the facet. places (p, 2, k - 1): where the points
    stand in each of the two.
    """

    nodes: Indices
    cells: Indices
    apexes: Indices
    places: Indices

    @classmethod
    def of(cls, cells: Indices) -> SharedFacets:
        """Those of simplices (m, k). Where more than two meet, one and the next share the facet."""
        m, k = cells.shape
        order = np.argsort(cells, axis=1)
        ordered = np.take_along_axis(cells, order, axis=1)
        without = np.array([[j for j in range(k) if j != i] for i in range(k)])
        nodes, places = (v[:, without].reshape(-1, k - 1) for v in (ordered, order))
        labels = row_labels(nodes)
        by_label = np.argsort(labels, kind="stable")
        same = labels[by_label][1:] == labels[by_label][:-1]
        pairs = np.stack([by_label[:-1][same], by_label[1:][same]], axis=1)
        own = np.repeat(np.arange(m), k)
        return cls(nodes[pairs[:, 0]], own[pairs], ordered.ravel()[pairs], places[pairs])


def parted(
    cells: Indices, count: int, shared: SharedFacets, opened: Flags
) -> tuple[Indices, Indices]:
    """Cells whose shared facets are opened, and for each new point the old one that it is a copy of.

    Each point of an opened facet gets a copy for every set of cells around it that are still joined by
    facets; the first of these keeps its number, so the first `count` points are the old ones.
    """
    k = cells.shape[1]
    loose = np.zeros(count, dtype=bool)
    loose[shared.nodes[opened]] = True
    kept = ~opened
    corners = shared.cells[kept][..., None] * k + shared.places[kept]
    fan = connected(corners[:, 0].ravel(), corners[:, 1].ravel(), cells.size)
    fan = np.where(loose[cells.ravel()], fan, 0)
    point_fan = np.stack([cells.ravel(), fan], axis=1)
    pairs, which = np.unique(point_fan, axis=0, return_inverse=True)
    again = np.zeros(len(pairs), dtype=bool)
    again[1:] = pairs[1:, 0] == pairs[:-1, 0]
    numbers = np.where(again, count + np.cumsum(again) - 1, pairs[:, 0])
    origin = np.concatenate([np.arange(count), pairs[again, 0]])
    return numbers[which.ravel()].reshape(cells.shape), origin
