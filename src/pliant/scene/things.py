"""The bodies and obstacles of a scene, in one numbering."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.contact import ContactSurface, ObstaclePlaces
from pliant.energies import size_of

#: The gap, over the size of the smaller body; and at most, over the length of short edges of a sheet.
GAP, SHEET_GAP = 1e-3, 0.2


class TouchingThings:
    """The bodies and obstacles of a scene, numbered as in its contact surface; planes come last."""

    def __init__(self, bodies: Sequence[Deformable], obstacles: Sequence[Obstacle]):
        gap = max(gap_of(body) for body in bodies)
        given = [(o, o.contact_body(gap)) for o in obstacles]
        self.solids = [(o, body) for o, body in given if body is not None]
        self.planes = [o for o, body in given if body is None]
        self.obstacles = [*(o for o, _ in self.solids), *self.planes]
        self._take(bodies)

    def _take(self, bodies: Sequence[Deformable]) -> None:
        self.bodies = tuple(bodies)
        self.names = [*(body.name for body in bodies), *(o.name for o in self.obstacles)]

    def part(self, numbers: Sequence[int]) -> TouchingThings:
        """Some bodies, and all obstacles."""
        found = copy(self)
        found._take([self.bodies[i] for i in numbers])
        return found

    def places(self, time: float) -> ObstaclePlaces:
        """Where all obstacles are at a time [s]."""
        dim = self.bodies[0].dim
        points = [o.contact_points(time) for o, _ in self.solids]
        planes = [o.at(time).numbers()[:2] for o in self.planes]
        poses = [o.pose(time) for o in self.planes]
        return ObstaclePlaces(
            np.concatenate([np.zeros((0, dim)), *points]),
            np.array([p for p, _ in planes]).reshape(-1, dim),
            np.array([n for _, n in planes]).reshape(-1, dim),
            np.array([pose.turn for pose in poses]).reshape(-1, dim, dim),
            np.array([pose.shift for pose in poses]).reshape(-1, dim),
        )

    def numbers(self, name: str) -> list[int]:
        """The numbers of all things of a name."""
        return [i for i, own in enumerate(self.names) if own == name]


def gap_of(body: Deformable) -> float:
    """Where the barrier of a body begins by default [m]."""
    gap = GAP * size_of(body.mesh.points)
    if body.mesh.cell_dim < body.dim or body.points_per_node > 1:
        edge = ContactSurface([body.contact_surface]).edge_length
        gap = min(gap, SHEET_GAP * edge)
    return gap
