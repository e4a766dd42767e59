"""The obstacles of a take, as surfaces to draw and export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pliant.boundary import Capsule, HalfSpace, Obstacle
from pliant.mesh import Surface, in_space
from pliant.take import Frames, Take, box

from .surfaces import unique_names

#: How obstacles are drawn everywhere; walls and floors cover much of a picture.
SOLID_COLOUR, WALL_COLOUR = "#b4bec8", "#e1e6eb"
#: Flat ones lie behind the bodies by this share of their size, so that neither shows through.
BEHIND = 1e-3
#: Obstacles are in the picture as far as they are within this share of the bodies' size from them.
NEAR_BODIES = 0.25
#: How far inside the core of a mesh is, towards its middle: a cloth that lies on it covers it.
INWARDS = 0.3
#: How many frames say where an obstacle that moves is in the picture.
LOOKS = 7

#: Where points (m, 3) of an obstacle are in a frame, (m, 3) [m].
Place = Callable[[np.ndarray, int], np.ndarray]


@dataclass(frozen=True)
class ShownObstacle:
    """One obstacle. A wall in space is drawn from the side of the bodies only, or it would hide them.

    surface, core: in the first frame. place: moves `rest`, its points without a path, and `rest_core` to
    where they are in a frame; None if it stands still.
    """

    name: str
    surface: Surface
    wall: bool
    flat: bool  # of a 2D scene
    framed: np.ndarray  # (k, 3) [m]: points that a picture of the bodies should hold
    core: np.ndarray  # (m, 3) [m]: for each point of the surface one of the line in the middle
    place: Place | None = None
    rest: np.ndarray | None = None
    rest_core: np.ndarray | None = None

    @property
    def moves(self) -> bool:
        """Whether it is elsewhere in other frames."""
        return self.place is not None

    def points_at(self, frame: int) -> np.ndarray:
        """The points of the surface in a frame [m], (m, 3)."""
        if self.place is None or self.rest is None:
            return self.surface.points
        return self.place(self.rest, frame)

    def core_at(self, frame: int) -> np.ndarray:
        """`core` in a frame [m], (m, 3)."""
        if self.place is None or self.rest_core is None:
            return self.core
        return self.place(self.rest_core, frame)

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
    found = obstacles_near(take.obstacles, *bounds(take), motions=take.obstacle_motions)
    names = unique_names(
        [track.name for track in take.tracks] + [obstacle.name for obstacle in found]
    )
    return [replace(s, name=n) for s, n in zip(found, names[len(take.tracks) :], strict=True)]


def obstacles_near(
    obstacles: Sequence[Obstacle],
    low: np.ndarray,
    high: np.ndarray,
    *,
    near: float = NEAR_BODIES,
    motions: Sequence[Frames | None] = (),
) -> list[ShownObstacle]:
    """Obstacles around bodies in a box from low to high (3,) [m]; near: as a share of its size.

    motions: where each of them is in every frame, as takes have it.
    """
    size = float(np.linalg.norm(high - low)) or 1.0
    found = []
    for obstacle, motion in zip(obstacles, motions or [None] * len(obstacles), strict=True):
        surface = obstacle.surface(0.5 * (low + high), size)
        wall, flat, x = isinstance(obstacle, HalfSpace), obstacle.dim == 2, surface.points
        core = x + INWARDS * (x.mean(axis=0) - x)
        if isinstance(obstacle, Capsule):
            core = x - obstacle.radius * in_space(obstacle.nearest(x[:, : obstacle.dim])[1])
        if flat:
            x = x - [0.0, 0.0, BEHIND * size]
        place = None if motion is None else _place(obstacle, motion, 0.5 * (low + high))
        looks = [x]
        if place is not None and motion is not None:
            frames = np.unique(np.linspace(0, len(motion) - 1, LOOKS).astype(int))
            looks = [place(x, int(frame)) for frame in frames]
        seen = np.concatenate([y.mean(axis=0, keepdims=True) if wall else y for y in looks])
        close = ((seen > low - near * size) & (seen < high + near * size)).all(axis=1)
        first = ShownObstacle(obstacle.name, surface, wall, flat, seen[close], core, place, x, core)
        if place is None:
            found.append(replace(first, surface=replace(surface, points=x)))
            continue
        surface = replace(surface, points=first.points_at(0), normals=None)
        found.append(replace(first, surface=surface, core=first.core_at(0)))
    return found


def _place(obstacle: Obstacle, motion: Frames, middle: np.ndarray) -> Place:
    """How the points of an obstacle move; the square of a plane stays before the middle (3,)."""
    if np.shape(motion[0]) != (obstacle.dim, obstacle.dim + 1):
        return lambda x, frame: np.asarray(motion[frame])
    if isinstance(obstacle, HalfSpace):
        point, normal = (in_space(v[None])[0] for v in (obstacle.point, obstacle.normal))
        return partial(_wall_place, motion, middle, point, normal)
    return lambda x, frame: _moved(x, np.asarray(motion[frame]))


def _wall_place(
    motion: Frames,
    middle: np.ndarray,
    point: np.ndarray,
    normal: np.ndarray,
    x: np.ndarray,
    frame: int,
) -> np.ndarray:
    before = middle - ((middle - point) @ normal) * normal
    pose = np.asarray(motion[frame])
    tip, at = _moved(np.stack([before + normal, before]), pose)
    off = (middle - at) - ((middle - at) @ (tip - at)) * (tip - at)
    return np.asarray(_moved(x, pose) + off)


def _moved(x: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Points (m, 3), moved rigidly by [R | shift], (d, d + 1)."""
    d = len(pose)
    out: np.ndarray = x.copy()
    out[:, :d] = x[:, :d] @ pose[:, :d].T + pose[:, d]
    return out


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
