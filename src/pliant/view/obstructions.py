"""Obstacles of a scene as meshes to draw."""

from __future__ import annotations

import numpy as np

from pliant.mesh.skin import in_space
from pliant.obstacles import Capsule, HalfSpace, Obstacle

#: Rings from pole to pole, and points around each.
RINGS, AROUND = 24, 48


def outline(obstacle: Obstacle, middle: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) [m] and triangles of an obstacle; of a plane what is near the middle (3,)."""
    if isinstance(obstacle, HalfSpace):
        return _plane(obstacle, middle, 1.5 * size)
    if isinstance(obstacle, Capsule):
        return _capsule(obstacle)
    raise TypeError(f"got {obstacle!r}; expected a sphere, a half space or a capsule")


def _plane(wall: HalfSpace, middle: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    point, normal = (in_space(p[None])[0] for p in (wall.point, wall.normal))
    u, v = _across(normal)
    at = middle - ((middle - point) @ normal) * normal
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([at + reach * (a * u + b * v) for a, b in corners]), np.array(
        [(0, 1, 2), (0, 2, 3)]
    )


def _capsule(pole: Capsule) -> tuple[np.ndarray, np.ndarray]:
    a, b = (in_space(p[None])[0] for p in (pole.a, pole.b))
    along = b - a if np.linalg.norm(b - a) > 0.0 else np.array([0.0, 1.0, 0.0])
    along = along / np.linalg.norm(along)
    u, v = _across(along)
    # From the pole at a to the pole at b; the equator twice, once at either end of the line.
    half = np.linspace(-0.5 * np.pi, 0.0, RINGS // 2 + 1)
    rows = [(a, t) for t in half] + [(b, -t) for t in half[::-1]]
    turn = 2.0 * np.pi * np.arange(AROUND) / AROUND
    ring = np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v
    points = np.concatenate(
        [end + pole.radius * (np.cos(t) * ring + np.sin(t) * along) for end, t in rows]
    )
    i, j = np.meshgrid(np.arange(len(rows) - 1), np.arange(AROUND), indexing="ij")
    p, q = i * AROUND + j, i * AROUND + (j + 1) % AROUND
    first = np.stack([p, q, q + AROUND], axis=-1).reshape(-1, 3)
    second = np.stack([p, q + AROUND, p + AROUND], axis=-1).reshape(-1, 3)
    return points, np.concatenate([first, second])


def _across(along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors with u x v = along."""
    u = np.cross(np.eye(3)[np.abs(along).argmin()], along)
    u /= np.linalg.norm(u)
    return u, np.cross(along, u)
