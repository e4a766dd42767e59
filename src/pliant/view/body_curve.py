"""The curve of a body on the stage: that of its part which is farthest behind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.bodies import Deformable
from pliant.problem import System

from .curve import Curve


class BodyCurve:
    """Follows all parts of a body on their way to rest; a body that was not cut is one part.

    Begins now, at a time of the scene [s]; while a hand holds the body nothing is measured.
    """

    def __init__(self, body: Deformable, time: float, gravity: np.ndarray, *, held: bool):
        self._body, self._parts = body, tuple(body.parts)
        self._held = held
        self._curves = [
            Curve() if held else Curve.since(part, time, part.positions, gravity)
            for part in self._parts
        ]

    @property
    def current(self) -> bool:
        """Whether the body still has the parts that are followed."""
        parts = self._body.parts
        return len(parts) == len(self._parts) and all(
            a is b for a, b in zip(parts, self._parts, strict=True)
        )

    def add(self, system_of: Callable[[Deformable], System], time: float) -> None:
        """Measure after a step."""
        if self._held:
            return
        for part, curve in zip(self._parts, self._curves, strict=True):
            system = system_of(part)
            curve.add(system, time, system.to_host(part.state.x))

    @property
    def shown(self) -> Curve:
        """The curve of the part that is not yet at rest, or was last."""
        size = self._body.mesh.size

        def behind(curve: Curve) -> tuple[bool, bool, float]:
            moved = curve.worth(size)
            return moved, moved and curve.rested is None, curve.rested or 0.0

        return max(self._curves, key=behind)
