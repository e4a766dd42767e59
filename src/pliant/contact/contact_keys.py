"""Numbers by which contacts are known from step to step."""

from __future__ import annotations

from typing import Any

import numpy as np

from .closest import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from .surface import ContactSurface

#: The classes of contacts: 0 and 1 are those of a point on either side of a surface, these are of an
#: edge with an edge, and of an edge with a point that is given.
EDGE, GIVEN = 2, 3
CLASSES = 4


class ContactKeys:
    """Numbers of contacts: of a point, or an edge, with a body or a plane.

    A point that slides on from one triangle to the next has the same contact. A sheet that is folded
    touches itself on both sides: there the side counts, and two edges are a contact for themselves.
    Points that are given count by what touches them, a triangle by one of its edges: a ball is one
    point, and touches a cloth on all sides.
    """

    def __init__(self, surface: ContactSurface):
        self.surface = surface
        self._points, self._dim = len(surface.rest), surface.dim
        #: The number of bodies and planes.
        self.others = len(surface.bodies) + len(surface.planes[0])
        keys = self._edge_keys(surface.edges)
        self.order = np.argsort(keys)
        self.sorted = keys[self.order]

    def numbers(
        self,
        stencils: np.ndarray,
        kinds: np.ndarray,
        second: np.ndarray,
        sides: np.ndarray,
        own: np.ndarray,
    ) -> np.ndarray:
        """One number for each pair; second: the body or plane of its second side."""
        edges, given = kinds == EDGE_EDGE, stencils[:, 0] >= self.surface.count
        first, other, label = stencils[:, 0].astype(np.int64), second.astype(np.int64), sides.copy()
        if edges.any():
            first[edges] = self.edge(stencils[edges, :2])
            alone = edges & own
            other[alone] = self.others + self.edge(stencils[alone, 2:])
            label[edges] = EDGE
        if given.any():
            flat = given & (kinds != POINT_POINT)
            first[given], other[given] = stencils[given, 1], self.surface.body[stencils[given, 0]]
            first[flat], label[flat] = self.edge(stencils[flat, 1:3]), GIVEN
        return self.made_of(first, other, label)

    def bodies(self, numbers: np.ndarray) -> np.ndarray:
        """The body whose point, or edge, each of these contacts is of. None is given."""
        first, _, label = self.parts(numbers)
        of_edge, point = label >= EDGE, first.copy()
        point[of_edge] = self.surface.edges[first[of_edge], 0]
        return np.asarray(self.surface.body[point])

    def parts(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The parts of numbers: a point or an edge; a body, a plane or another edge; the class."""
        rest, label = np.divmod(numbers, CLASSES)
        first, other = np.divmod(rest, self.others + len(self.sorted))
        return first, other, label

    def made_of(self, first: np.ndarray, other: np.ndarray, label: np.ndarray) -> np.ndarray:
        """The numbers of contacts that are made of these parts."""
        out: np.ndarray = (first * (self.others + len(self.sorted)) + other) * CLASSES + label
        return out

    def sides(
        self, x: Any, stencils: np.ndarray, kinds: np.ndarray, normals: np.ndarray, own: np.ndarray
    ) -> np.ndarray:
        """On which side of a triangle, or in the plane of an edge, a point of the same body is: 0, 1."""
        out = np.zeros(len(kinds), dtype=np.int64)
        flat = own & (kinds == (POINT_TRIANGLE if self._dim == 3 else POINT_EDGE))
        if flat.any():
            corners = x.numpy()[stencils[flat, 1:]]
            u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
            up = np.cross(u, v) if self._dim == 3 else np.stack([u[:, 1], -u[:, 0]], axis=1)
            out[flat] = np.einsum("ij,ij->i", up, normals[flat]) < 0.0
        return out

    def edge(self, ends: np.ndarray) -> np.ndarray:
        """The numbers of edges with these ends, (k, 2)."""
        at: np.ndarray = self.order[np.searchsorted(self.sorted, self._edge_keys(ends))]
        return at

    def _edge_keys(self, ends: np.ndarray) -> np.ndarray:
        low, high = ends.min(axis=1).astype(np.int64), ends.max(axis=1)
        keys: np.ndarray = low * self._points + high
        return keys
