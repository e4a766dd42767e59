"""Friction of points on obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .friction_kernels import friction_kernels
from .obstacle import Solid, push_of
from .point_drag import PointDrag

#: The speed [m/s] below which friction grows with speed, as that of honey.
SLOW_SPEED = 2e-3


class Friction:
    """Coulomb's friction, by the push of obstacles at the start of a step.

    f = -mu N u / sqrt(|u|^2 + SLOW_SPEED^2),      N = m omega^2 (margin - d),    u = v - (n . v) n

    margin and omega: `push_of` a body of this size [m].
    """

    resident = False

    def __init__(self, masses: np.ndarray, obstacles: Sequence[Solid], size: float = 1.0):
        self._masses, self._obstacles = masses, obstacles
        self._pushes = [push_of(o, size) for o in obstacles]
        self._points = np.tile(np.arange(len(masses)), len(obstacles))
        self._drags: dict[str, PointDrag] = {}

    def resistance(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """The force on points that slide [N], (n, d)."""
        _, strength, u, speed = self._sliding(x, v)
        return self._sum(-(strength / speed)[:, None] * u, len(x))

    def slope(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """-d resistance/dv [N s/m], (n, d, d)."""
        n, strength, u, speed = self._sliding(x, v)
        u = u / speed[:, None]
        flat = np.eye(x.shape[1]) - n[:, :, None] * n[:, None, :] - u[:, :, None] * u[:, None, :]
        return self._sum((strength / speed)[:, None, None] * flat, len(x))

    def dissipation(
        self, x: np.ndarray, before: np.ndarray, span: float, time: float, *, device: Any
    ) -> PointDrag | None:
        """The same as an energy of positions y, where velocities are (y - before)/span, if any."""
        near = zip(self._obstacles, self._pushes, strict=True)
        if all((o.nearest(x)[0] >= margin).all() for o, (margin, _) in near):
            return None
        key = str(device)
        if key not in self._drags:
            self._drags[key] = PointDrag(x, self._points, friction_kernels, device=device)
        n, strength = self._grip(x)
        laws = np.stack([strength, np.full(len(strength), SLOW_SPEED)], axis=1)
        self._drags[key].aim(n, laws, np.zeros_like(x), before, span)
        return self._drags[key]

    def _grip(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Normals and mu N of every point at every obstacle."""
        normals, strengths = [], []
        for o, (margin, omega2) in zip(self._obstacles, self._pushes, strict=True):
            d, n = o.nearest(x)
            normals.append(n)
            strengths.append(o.friction * self._masses * omega2 * np.maximum(margin - d, 0.0))
        return np.concatenate(normals), np.concatenate(strengths)

    def _sliding(self, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
        n, strength = self._grip(x)
        v = v[self._points]
        u = v - np.einsum("ti,ti->t", n, v)[:, None] * n
        return n, strength, u, np.sqrt((u**2).sum(axis=1) + SLOW_SPEED**2)

    def _sum(self, values: np.ndarray, count: int) -> np.ndarray:
        out: np.ndarray = values.reshape(len(self._obstacles), count, *values.shape[1:]).sum(axis=0)
        return out
