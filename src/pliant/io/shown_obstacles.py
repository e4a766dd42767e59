"""The obstacles of a take, as surfaces to draw and export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.boundary import Capsule, HalfSpace, Obstacle
from pliant.mesh import Surface, in_space
from pliant.take import Take, box

from .surfaces import unique_names

#: How obstacles are drawn everywhere; walls and floors cover much of a picture.
SOLID_COLOUR, WALL_COLOUR = "#b4bec8", "#e1e6eb"
#: Flat ones lie behind the bodies by this share of their size, so that neither shows through.
BEHIND = 1e-3
#: Obstacles are in the picture as far as they are within this share of the bodies' size from them.
NEAR_BODIES = 0.25


@dataclass(frozen=True)
class ShownObstacle:
    """One obstacle. A wall in space is drawn from the side of the bodies only, or it would hide them."""

    name: str
    surface: Surface
    wall: bool
    flat: bool  # of a 2D scene
    framed: np.ndarray  # (k, 3) [m]: points that a picture of the bodies should hold
    core: np.ndarray  # (m, 3) [m]: for each point of the surface one of the line in the middle

    @property
    def colour(self) -> str:
        """Its colour as "#rrggbb"."""
        return WALL_COLOUR if self.wall else SOLID_COLOUR

    @property
    def rgb(self) -> tuple[float, float, float]:
        """Its colour in linear light, 0 to 1, as files have it."""
        coded = [int(self.colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
        r, g, b = (((c + 0.055) / 1.055) ** 2.4 for c in coded)  # none is so dark as to be linear
        return r, g, b

    @property
    def two_sided(self) -> bool:
        """Whether it is seen from behind, too."""
        return self.flat or not self.wall


def shown_obstacles(take: Take) -> list[ShownObstacle]:
    """The obstacles of a take, named apart from its bodies."""
    if not take.obstacles:
        return []
    found = obstacles_near(take.obstacles, *bounds(take))
    names = unique_names(
        [track.name for track in take.tracks] + [obstacle.name for obstacle in found]
    )
    return [replace(s, name=n) for s, n in zip(found, names[len(take.tracks) :], strict=True)]


def obstacles_near(
    obstacles: Sequence[Obstacle], low: np.ndarray, high: np.ndarray, *, near: float = NEAR_BODIES
) -> list[ShownObstacle]:
    """Obstacles around bodies in a box from low to high (3,) [m]; near: as a share of its size."""
    size = float(np.linalg.norm(high - low)) or 1.0
    found = []
    for obstacle in obstacles:
        surface = obstacle.surface(0.5 * (low + high), size)
        wall, flat, x = isinstance(obstacle, HalfSpace), obstacle.dim == 2, surface.points
        seen = x.mean(axis=0, keepdims=True) if wall else x
        close = ((seen > low - near * size) & (seen < high + near * size)).all(axis=1)
        core = x
        if isinstance(obstacle, Capsule):
            core = x - obstacle.radius * in_space(obstacle.nearest(x[:, : obstacle.dim])[1])
        if flat:
            surface = replace(surface, points=x - [0.0, 0.0, BEHIND * size])
        found.append(ShownObstacle(obstacle.word, surface, wall, flat, seen[close], core))
    return found


def bounds(take: Take) -> tuple[np.ndarray, np.ndarray]:
    """The corners of the box around the bodies in all frames [m], (3,) each."""
    corners = np.array([in_space(np.array(box(t.position_frames))) for t in take.tracks])
    return corners[:, 0].min(axis=0), corners[:, 1].max(axis=0)


def floor_of(around: Sequence[ShownObstacle], up: int) -> float | None:
    """The height of the floor [m], a level wall near the bodies; None if there is none."""
    heights = []
    for obstacle in around:
        x = obstacle.surface.points
        if obstacle.wall and not obstacle.flat and len(obstacle.framed):
            normal = np.cross(x[1] - x[0], x[3] - x[0])
            if normal[up] > 0.999 * np.linalg.norm(normal):
                heights.append(float(x[:, up].max()))
    return max(heights, default=None)
