"""What holds a body: points that are fixed, or driven along paths."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.boundary import Pins
from pliant.errors import OldName
from pliant.mesh import Mesh

from .mass_points import MassPoints


class PinnedBody(MassPoints):
    """A body whose points can be pinned."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, name: str):
        self._pins = Pins(len(mesh), mesh.dim)
        super().__init__(mesh, masses, name=name)

    @property
    def pinned(self) -> np.ndarray:
        """Mask of the points that are fixed or driven, shape (n,)."""
        return self._pins.mask

    @property
    def pins(self) -> Pins:
        """A copy of which points are held or driven, and where to."""
        return self._pins.copy()

    def fix(self, where: Any) -> None:
        """Hold points (mask or indices) where they are; driven ones stop."""
        self._pins.fix(where)
        self._changed()

    def release(self, where: Any = None) -> None:
        """Let fixed and driven points go; all of them by default."""
        self._pins.release(where)
        self._changed()

    def move(self, where: Any, path: Any) -> None:
        """Drive points (mask or indices) along a path.

        path: a function of time [s] that returns their positions [m], shape (k, d), or
        (times, positions) with positions of shape (frames, k, d).
        """
        self._pins.move(where, path)
        self._changed()

    def pin_positions(self, time: float, x: np.ndarray | None = None) -> np.ndarray:
        """Where pins are at a time; other points as in x [m], (n, d), or as they are now."""
        return self._pins.placed(self._state.x if x is None else x, time)

    @property
    def pins_fixed(self) -> bool:
        """Whether no point of it is driven."""
        return self._pins.fixed

    still = OldName("body", "pins_fixed")
