"""How a surface slopes across its edges, as sums over the points around."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .patches import ShellEdges

_RINGS = 3  # of triangles to look at before a surface is taken for too narrow to say how it curves
_CLEAR = 0.03  # smallest singular value, of columns of length one, that tells curvatures apart


@dataclass(frozen=True)
class Slopes:
    """The derivative of x across the middle of each edge, exact for quadratic shapes.

        x,across = sum_i weights_i x[points_i]

    It is that of the quadratic polynomial that fits the points around best. A triangle whose corners
    are all held does not move: the surface leaves it at the slope it has, a clamp, and what lies
    behind is not looked at.
    """

    points: np.ndarray  # (e, k)
    weights: np.ndarray  # (e, k) [1/m]
    across: np.ndarray  # (e, 3) unit vectors

    @classmethod
    def of(
        cls, x: np.ndarray, triangles: np.ndarray, edges: ShellEdges, held: np.ndarray
    ) -> Slopes:
        """The slopes at points x (n, 3) [m]; held: mask of points, (n,)."""
        frames = _frames(x, triangles, edges)
        rigid = np.append(held[triangles].all(axis=1), False)
        walls = rigid[edges.sides]
        at_wall = walls.any(axis=1)
        clamped, rest = np.flatnonzero(at_wall), np.flatnonzero(~at_wall)
        sides = edges.sides[clamped, np.argmax(walls[clamped], axis=1)]
        found = [(clamped, triangles[sides])]
        parts = [_fit(x, triangles[sides], edges.ends[clamped], frames[clamped])[0]]
        open_ = replace(edges, across=np.where(rigid[edges.across], -1, edges.across))
        for rings in range(1, _RINGS + 1):
            near = open_.around(triangles, rest, rings)
            weights, clear = _fit(x, near, edges.ends[rest], frames[rest])
            clear |= rings == _RINGS
            found.append((rest[clear], near[clear]))
            parts.append(weights[clear])
            rest = rest[~clear]
            if not len(rest):
                break
        width = max(near.shape[1] for _, near in found)
        points = np.repeat(edges.ends[:, :1], width, axis=1)
        weights = np.zeros(points.shape)
        for (which, near), part in zip(found, parts, strict=True):
            k = near.shape[1]
            points[which, :k] = np.where(near < 0, points[which, :k], near)
            weights[which, :k] = part
        return cls(points, weights, frames[:, 1])


def _frames(x: np.ndarray, triangles: np.ndarray, edges: ShellEdges) -> np.ndarray:
    """Unit vectors along and across each edge, in the mean of the planes that meet there (e, 2, 3)."""
    a, b, c = (x[triangles[:, i]] for i in range(3))
    normal = _unit(np.cross(b - a, c - a))
    same = np.where(edges.agree, 1.0, -1.0) * (edges.sides[:, 1] >= 0)
    up = normal[edges.sides[:, 0]] + same[:, None] * normal[edges.sides[:, 1]]
    folded = np.linalg.norm(up, axis=1) < 1e-6  # back on itself: one side's plane will do
    up[folded] = normal[edges.sides[folded, 0]]
    along = _unit(x[edges.ends[:, 1]] - x[edges.ends[:, 0]])
    return np.stack([along, _unit(np.cross(along, up))], axis=1)


def _fit(
    x: np.ndarray, near: np.ndarray, ends: np.ndarray, frames: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Weights [1/m] of the slope across, by weighted least squares, and whether it is clear."""
    there = near >= 0
    size = np.linalg.norm(x[ends[:, 1]] - x[ends[:, 0]], axis=1)
    arm = (x[near] - x[ends].mean(axis=1)[:, None]) / size[:, None, None]
    far = np.linalg.norm(arm, axis=2)
    flat = np.einsum("ekd,ecd->ekc", arm, frames)
    # Laid out in the plane at the distance they have: a cylinder is unrolled, not seen from above.
    flat *= (far / np.maximum(np.linalg.norm(flat, axis=2), 1e-9))[..., None]
    trust = np.where(there, (0.2 + far**2) ** -1.5, 0.0)
    u, v = flat[..., 0], flat[..., 1]
    linear = trust[..., None] * np.stack([np.ones_like(u), u, v], axis=-1)
    curved = trust[..., None] * np.stack([u * u, u * v, v * v], axis=-1)
    # Planes first, so that they are exact however little is known of the curvature.
    q, r = np.linalg.qr(linear)
    rest = curved - q @ (q.swapaxes(1, 2) @ curved)
    scale = np.linalg.norm(curved, axis=1, keepdims=True) + 1e-300
    left, values, right = np.linalg.svd(rest / scale, full_matrices=False)
    known = np.where(values > _CLEAR, 1.0 / np.maximum(values, _CLEAR), 0.0)
    bends = (right.swapaxes(1, 2) * known[:, None]) @ left.swapaxes(1, 2) / scale.swapaxes(1, 2)
    eye = np.eye(near.shape[1])
    planes = np.linalg.solve(r, q.swapaxes(1, 2) @ (eye - curved @ bends))
    clear = (there.sum(axis=1) >= 6) & (values[:, -1] > _CLEAR)
    return planes[:, 2] * trust / size[:, None], clear


def _unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
