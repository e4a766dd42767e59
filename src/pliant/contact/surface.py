"""What can touch: points, edges and triangles of several bodies in one numbering."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pliant.mesh import KINDS, Mesh, Skin

from .carried import SurfaceMap
from .surfaces import edges_of

#: Triangles that cover a face, and edges that cover a line, by kind; nodes on edges count.
COVER: dict[str, list[tuple[int, ...]]] = {
    "line2": [(0, 1)],
    "line3": [(0, 2), (2, 1)],
    "tri3": [(0, 1, 2)],
    "tri6": [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)],
    "quad4": [(0, 1, 2), (0, 2, 3)],
    "quad8": [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)],
    "quad9": [
        (0, 4, 8),
        (4, 1, 8),
        (1, 5, 8),
        (5, 2, 8),
        (2, 6, 8),
        (6, 3, 8),
        (3, 7, 8),
        (7, 0, 8),
    ],
}


@dataclass(frozen=True, eq=False)
class ContactBody:
    """What can touch of one body, by the numbers of its own points.

    points [m], (n, dim): the shape at rest; triangles (m, 3); edges (k, 2): those of no triangle, as of
    rods, and all of a body in the plane; loose (l,): points of no edge. gap [m]: where the barrier
    begins; young [Pa]; radius [m]: half the thickness of sheets and rods; each one number or one per
    point. depth [m]: of a body in the plane. given: whether positions are given, as of obstacles, and
    not unknown. held: a mask of points that pins hold; what is between held and given points only does
    not touch. A ball is one loose point with a radius, a capsule one edge. carried: how the points
    follow those of the body, if they are not these themselves, as of rods and elastons. family: a
    number for parts that were cut from one body, which keep from each other no farther than at rest.
    """

    points: np.ndarray
    triangles: np.ndarray = field(default_factory=lambda: _empty(3))
    edges: np.ndarray = field(default_factory=lambda: _empty(2))
    loose: np.ndarray = field(default_factory=lambda: _empty(1)[:, 0])
    gap: float | np.ndarray = 1e-3
    young: float | np.ndarray = np.inf
    radius: float | np.ndarray = 0.0
    depth: float = 1.0
    self_contact: bool = True
    given: bool = False
    held: bool | np.ndarray = False
    carried: SurfaceMap | None = None
    family: int = -1

    @classmethod
    def of(cls, mesh: Mesh, **how: Any) -> ContactBody:
        """The surface of solids, all of sheets and rods, points of no cell; how: see the fields."""
        solid = mesh.cell_dim == mesh.dim
        found = dict(mesh.boundary) if solid else dict(mesh.cells)
        parts: dict[int, list[np.ndarray]] = {2: [_empty(2)], 3: [_empty(3)]}
        for kind, nodes in found.items():
            if KINDS[kind].dim > 0:
                for corners in COVER[kind]:
                    parts[len(corners)].append(nodes[:, list(corners)])
        triangles, edges = np.concatenate(parts[3]), np.concatenate(parts[2])
        return cls(mesh.points, triangles=triangles, edges=edges, **how)

    @classmethod
    def following(cls, count: int, skin: Skin) -> ContactBody:
        """A surface that follows the `count` points of a body."""
        surface = skin.surface
        triangles = surface.corners[surface.triangles]
        return cls(
            surface.points,
            triangles=triangles,
            carried=SurfaceMap(count, skin.nodes, skin.weights),
        )


def _empty(width: int) -> np.ndarray:
    return np.zeros((0, width), dtype=np.int64)


class ContactSurface:
    """The features of all bodies over the points of all of them, one body after another.

    ignore: pairs of numbers of bodies that never touch; planes come behind bodies. names: those of all
    bodies and planes. Bodies whose points
    are given come last. `areas` [m^2] of points, edges and triangles are shares of the surface; those of
    balls and capsules are zero, and the area of what touches them counts.
    """

    def __init__(
        self,
        bodies: Sequence[ContactBody],
        *,
        planes: tuple[np.ndarray, np.ndarray] | None = None,
        ignore: Collection[tuple[int, int]] = (),
        names: Sequence[str] = (),
    ):
        self.names = tuple(names)
        given = [body.given for body in bodies]
        if given != sorted(given):
            raise ValueError("bodies whose points are given come after all others")
        sizes = [len(body.points) for body in bodies]
        first = np.cumsum([0, *sizes])
        self.bodies, self.dim = tuple(bodies), bodies[0].points.shape[1]
        self.planes = planes or (np.zeros((0, self.dim)), np.zeros((0, self.dim)))
        self.rest = np.concatenate([body.points for body in bodies])
        self.body = np.repeat(np.arange(len(bodies)), sizes)
        #: The points before this one are not given.
        self.count = int(sum(n for n, g in zip(sizes, given, strict=True) if not g))
        follow = [b.carried or SurfaceMap.itself(len(b.points)) for b in bodies if not b.given]
        #: How they follow the unknown points, if they are not these themselves.
        self.carried = SurfaceMap.joined(follow) if any(b.carried for b in bodies) else None
        #: How many points of each body are unknown.
        self.unknowns = [each.count for each in follow]

        def joined(name: str) -> np.ndarray:
            parts = zip(bodies, first[:-1], strict=True)
            return np.concatenate([getattr(b, name).astype(np.int64) + at for b, at in parts])

        def per_point(name: str) -> np.ndarray:
            values = [np.broadcast_to(getattr(body, name), len(body.points)) for body in bodies]
            return np.concatenate(values).astype(float)

        self.triangles, bare, self.loose = joined("triangles"), joined("edges"), joined("loose")
        bare = np.unique(np.sort(bare, axis=1), axis=0)
        sides = edges_of(self.triangles) if len(self.triangles) else _empty(2)
        self.bare = _apart(bare, sides, len(self.rest))
        self.edges = np.concatenate([sides, self.bare])
        used = [self.triangles.ravel(), self.bare.ravel(), self.loose]
        self.points = np.unique(np.concatenate(used))
        self.gap, self.young, self.radius = map(per_point, ("gap", "young", "radius"))
        self.depth = per_point("depth")
        #: Of parts that were cut from one body, which lie as they did in its rest shape; else -1.
        self.family = np.repeat([body.family for body in bodies], sizes)
        self.held = (per_point("held") + per_point("given")) > 0.0
        self.areas = _areas(self)
        self.allowed = self._allowed(ignore)

    def _allowed(self, ignore: Collection[tuple[int, int]]) -> np.ndarray:
        """Which bodies may touch which bodies and planes, (bodies, bodies + planes)."""
        given = np.array([body.given for body in self.bodies])
        out: np.ndarray = ~(given[:, None] & np.r_[given, np.ones(len(self.planes[0]), dtype=bool)])
        own = np.arange(len(given))
        out[own, own] &= [body.self_contact for body in self.bodies]
        for i, j in ignore:
            for a, b in ((i, j), (j, i)):
                if a < len(given):
                    out[a, b] = False
        return out

    def part(self, numbers: Sequence[int]) -> ContactSurface:
        """That of some bodies, and of all that is given."""
        kept = [*numbers, *(i for i, body in enumerate(self.bodies) if body.given)]
        count = len(self.bodies)
        every = [*kept, *range(count, count + len(self.planes[0]))]
        never = np.argwhere(~self.allowed[np.ix_(kept, every)])
        return ContactSurface(
            [self.bodies[i] for i in kept],
            planes=self.planes,
            ignore=[(int(i), int(j)) for i, j in never],
            names=[self.names[i] for i in every] if self.names else (),
        )

    @cached_property
    def smallest(self) -> float:
        """The size of the smallest body [m]: its longest side."""
        sizes = [
            float(np.ptp(body.points, axis=0).max(initial=0.0)) + 2.0 * float(np.max(body.radius))
            for body in self.bodies
        ]
        return min(sizes)

    @property
    def edge_length(self) -> float:
        """A short edge at rest [m]: nine of ten are longer."""
        ends = self.rest[self.edges]
        lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        return float(np.quantile(lengths, 0.1)) if len(lengths) else 1.0


def _apart(edges: np.ndarray, others: np.ndarray, points: int) -> np.ndarray:
    """The edges that are none of the others; both have their lower point first."""
    known = np.isin(edges[:, 0] * points + edges[:, 1], others[:, 0] * points + others[:, 1])
    return edges[~known]


def _areas(s: ContactSurface) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The areas of all points, of `edges`, and of `triangles` [m^2]."""
    n, dim = s.rest.shape
    points, edges = np.zeros(n), np.zeros(len(s.edges))
    triangles = np.zeros(len(s.triangles))
    if len(s.triangles):
        a, b, c = (s.rest[s.triangles[:, k]] for k in range(3))
        triangles = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        points += np.bincount(s.triangles.ravel(), np.repeat(triangles / 3.0, 3), n)
        sides = np.sort(s.triangles[:, [[0, 1], [1, 2], [2, 0]]], axis=2).reshape(-1, 2)
        keys = s.edges[:, 0] * n + s.edges[:, 1]
        order = np.argsort(keys)
        at = order[np.searchsorted(keys, sides[:, 0] * n + sides[:, 1], sorter=order)]
        edges += np.bincount(at, np.repeat(triangles / 3.0, 3), len(edges))
    if len(s.bare):
        ends = s.rest[s.bare]
        # A rod is as wide as it is thick, a body in the plane as deep.
        wide = np.maximum(2.0 * s.radius, s.gap) if dim == 3 else s.depth
        wide = wide[s.bare[:, 0]]
        own = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) * wide
        own[_round(s, s.bare[:, 0])] = 0.0
        edges[len(s.edges) - len(s.bare) :] = own
        points += np.bincount(s.bare.ravel(), np.repeat(own / 2.0, 2), n)
    wide = s.radius[s.loose]
    own = np.pi * wide**2 if dim == 3 else 2.0 * wide * s.depth[s.loose]
    points[s.loose] = np.where(_round(s, s.loose), 0.0, own)
    return points, edges, triangles


def _round(s: ContactSurface, points: np.ndarray) -> np.ndarray:
    """Which points are of a ball or a capsule: given, and thick."""
    given = np.array([body.given for body in s.bodies])
    out: np.ndarray = given[s.body[points]] & (s.radius[points] > 0.0)
    return out
