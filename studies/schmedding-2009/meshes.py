"""A sneaker, a membrane with a ball above it, a rope bridge with two bars above it: of tetrahedra."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pliant as pl


@dataclass(frozen=True)
class Parts:
    """One mesh of several parts [m], the part of each point, and pairs of points that are tied."""

    mesh: pl.Mesh
    part: np.ndarray  # (n,)
    ties: np.ndarray  # (t, 2)

    @property
    def tetrahedra(self) -> np.ndarray:
        """(m, 4)."""
        return self.mesh.cells["tet4"]

    def masses(self, density: float) -> np.ndarray:
        """That of each part, shared equally by its points [kg], (n,)."""
        of = self.part[self.tetrahedra[:, 0]]
        volumes = np.bincount(of, self.mesh.measures["tet4"])
        return (density * volumes / np.bincount(self.part))[self.part]


def sneaker() -> Parts:
    """About 30 cm long: a sole, a toe that slopes down, a collar around the ankle."""
    block = pl.meshes.box((9, 4, 2), (8, 4, 2))
    t = block.cells["tet4"]
    middle = block.points[t].mean(axis=1)
    # The foot is two cells high, the heel with its collar four.
    t = t[(middle[:, 1] < 2.0) | (middle[:, 0] < 3.375)]
    used, t = np.unique(t, return_inverse=True)
    x, y, z = block.points[used].T
    along, across = x / 9.0, z - 1.0
    width = 0.38 + 0.14 * np.sin(np.pi * np.clip(1.5 * along - 0.35, 0, 1)) - 0.08 * along**6
    width = width * np.where(y < 0.5, 1.1, 1.0 - 0.045 * y)
    # The toe slopes down and is lifted a little; the instep rises to the collar.
    slope = 1.0 - 0.55 * np.clip(along - 0.45, 0.0, 1.0)
    height = np.where(y < 0.5, 0.35 * along**4, y * slope)
    height += np.where(y == 2.0, 0.4 * np.clip(1.0 - (x - 3.3) / 2.6, 0, 1) * (x > 3.3), 0.0)
    height += np.where(y > 2.0, 0.3 * (x / 3.4) * (4.0 - y), 0.0)
    length = x * np.where(y > 2.0, 1.0 - 0.05 * (y - 2.0), 1.0)
    # Toe and heel are round, seen from above.
    length = length - 0.5 * across**2 * np.clip((along - 0.7) / 0.3, 0, 1)
    length = length + 0.45 * across**2 * np.clip((0.2 - along) / 0.2, 0, 1)
    points = np.stack([0.033 * length, 0.030 * height, 0.115 * width * across], axis=1)
    mesh = pl.Mesh(points - points.mean(axis=0), {"tet": t.reshape(-1, 4)})
    return Parts(mesh, np.zeros(len(mesh), dtype=int), np.zeros((0, 2), dtype=int))


def membrane_and_ball(cells: int = 7) -> Parts:
    """A round membrane, 1 m wide and one tetrahedron thick, and a ball 6 cm above it."""
    plate = pl.meshes.box((2, 1, 2), (cells, 1, cells))
    x, y, z = plate.points.T
    x, z = x - 1.0, z - 1.0
    # A square onto a disc (elliptical mapping).
    disc = np.stack(
        [0.5 * x * np.sqrt(1 - z**2 / 2), 0.035 * (y - 0.5), 0.5 * z * np.sqrt(1 - x**2 / 2)], 1
    )
    ball = pl.meshes.sphere(radius=0.14, cells=2)
    return joined(
        [(disc, plate.cells["tet4"]), (ball.points + [0.02, 0.22, 0.01], ball.cells["tet4"])]
    )


def bridge_and_bars(planks: int = 9) -> Parts:
    """Planks across a gap of 2 m, tied at both ends, and two bars above them."""
    plank, bar = pl.meshes.box((1, 1, 1), (1, 1, 3)), pl.meshes.box((1, 1, 1), (4, 1, 1))
    parts, ties = [], []
    for k in range(planks):
        s = (k - 0.5 * (planks - 1)) / (0.5 * planks)
        size, middle = np.array([0.15, 0.05, 0.66]), np.array([s, 0.16 * s**2 - 0.16, 0.0])
        turn = np.arctan(0.32 * s)
        x = (plank.points - 0.5) * size
        c, w = np.cos(turn), np.sin(turn)
        x = np.stack([c * x[:, 0] - w * x[:, 1], w * x[:, 0] + c * x[:, 1], x[:, 2]], 1)
        parts.append((x + middle, plank.cells["tet4"]))
    n, at = len(plank), plank.points
    left, right = (np.flatnonzero(at[:, 0] == side) for side in (0.0, 1.0))
    for k in range(planks - 1):
        for i in right:
            for j in left:
                if at[i, 2] == at[j, 2]:  # straight and crossed, at every cut across
                    ties.append((k * n + i, (k + 1) * n + j))
    for place, turn in (((-0.24, 0.12, 0.12), 0.35), ((0.3, 0.2, -0.1), -0.5)):
        x = (bar.points - 0.5) * [0.56, 0.1, 0.1]
        c, w = np.cos(turn), np.sin(turn)
        x = np.stack([c * x[:, 0] - w * x[:, 2], x[:, 1], w * x[:, 0] + c * x[:, 2]], 1)
        parts.append((x + place, bar.cells["tet4"]))
    return joined(parts, np.array(ties))


def joined(parts: list[tuple[np.ndarray, np.ndarray]], ties: np.ndarray | None = None) -> Parts:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(x) for x, _ in parts)])
    points = np.concatenate([x for x, _ in parts])
    cells = np.concatenate([t + start for (_, t), start in zip(parts, starts, strict=False)])
    part = np.repeat(np.arange(len(parts)), np.diff(starts))
    none = np.zeros((0, 2), dtype=int)
    return Parts(pl.Mesh(points, {"tet": cells}), part, none if ties is None else ties)
