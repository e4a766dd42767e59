"""What is drawn and exported of obstacles."""

from __future__ import annotations

import numpy as np

from pliant.mesh import Surface, in_space

#: Rings of a ball from pole to pole, poles not counted, and points around each.
SPHERE_RINGS, SEGMENTS_AROUND = 23, 48
#: Half the width of what is drawn of a plane, and how deep it is in 2D, over the size of the bodies.
WALL_REACH, DEPTH = 1.5, 0.06


def wall(point: np.ndarray, normal: np.ndarray, middle: np.ndarray, size: float) -> Surface:
    """A square of a plane before bodies of a middle (3,) and size [m]; in 2D a strip behind its line."""
    p, n = (in_space(v[None])[0] for v in (point, normal))
    at = middle - ((middle - p) @ n) * n
    if len(point) == 2:
        u, v = WALL_REACH * size * np.cross(n, [0.0, 0.0, 1.0]), -DEPTH * size * n
        # Seen from +z
        return Surface.of(np.array([at - u, at - u + v, at + u + v, at + u]), [[0, 1, 2, 3]])
    a, b = (WALL_REACH * size * w for w in _across(n))
    return Surface.of(np.array([at - a - b, at + a - b, at + a + b, at - a + b]), [[0, 1, 2, 3]])


def tube(a: np.ndarray, b: np.ndarray, radius: float) -> Surface:
    """All within a radius of the line from a to b [m]; in 2D what is in the plane."""
    flat = len(a) == 2
    a, b = (in_space(v[None])[0] for v in (a, b))
    length = float(np.linalg.norm(b - a))
    along = (b - a) / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
    if flat:
        return _stadium(a, b, along, radius)
    rise = np.linspace(-0.5 * np.pi, 0.5 * np.pi, SPHERE_RINGS + 2)[1:-1]
    rows = [(a, t) for t in rise if t < 1e-9] + [(b, t) for t in rise if t > -1e-9]
    if length == 0.0:
        rows = [(a, t) for t in rise]  # one equator
    u, v = _across(along)
    turn = 2.0 * np.pi * np.arange(SEGMENTS_AROUND) / SEGMENTS_AROUND
    ring = np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v
    rings = [c + radius * (np.cos(t) * ring + np.sin(t) * along) for c, t in rows]
    points = np.concatenate([[a - radius * along], *rings, [b + radius * along]])
    here = 1 + np.arange(SEGMENTS_AROUND)
    following = np.roll(here, -1)
    south = np.stack([np.zeros_like(here), following, here], axis=1)
    up = SEGMENTS_AROUND * np.arange(len(rows) - 1)[:, None]
    sides = [w + up for w in (here, following, following + SEGMENTS_AROUND, here + SEGMENTS_AROUND)]
    last = SEGMENTS_AROUND * (len(rows) - 1)
    north = np.stack([here + last, following + last, np.full_like(here, len(points) - 1)], axis=1)
    faces = [*south, *np.stack(sides, axis=-1).reshape(-1, 4), *north]
    return Surface.of(points, faces)


def _stadium(a: np.ndarray, b: np.ndarray, along: np.ndarray, radius: float) -> Surface:
    """Two half disks and what is between them, seen from +z."""
    across = np.cross([0.0, 0.0, 1.0], along)
    turn = np.linspace(-0.5 * np.pi, 0.5 * np.pi, SEGMENTS_AROUND // 2 + 1)[:, None]
    half = np.cos(turn) * along + np.sin(turn) * across
    rim = np.concatenate([b + radius * half, a - radius * half])
    if np.array_equal(a, b):
        rim = np.delete(rim, [len(half), len(rim) - 1], axis=0)  # where the halves meet
    return Surface.of(rim, [np.arange(len(rim))])


def _across(along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors with u x v = along."""
    u = np.cross(np.eye(3)[np.abs(along).argmin()], along)
    u /= np.linalg.norm(u)
    return u, np.cross(along, u)
