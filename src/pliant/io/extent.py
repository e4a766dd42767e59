"""How much of space a picture has to hold: all points of a take, looked at some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .camera import Camera

ANGLE = 30.0  # of view [degrees]
UNLIKE = (
    2.0  # times as large as another: such bodies are not drawn at one scale; as in page/stage.js
)


@dataclass(frozen=True)
class Extent:
    """What a camera needs to know of points: their box, and how far they reach in its picture.

    sides: for the picture's right and up the reach to both sides [m], (2, 2): what is nearer to the
    eye counts more, by `slope`. near, far: along the direction to the eye [m].
    """

    low: np.ndarray  # (3,) [m]
    high: np.ndarray
    sides: np.ndarray
    slope: np.ndarray  # (2,)
    near: float
    far: float

    @classmethod
    def of(
        cls, clouds: Iterable[np.ndarray], eye: Camera, size: tuple[int, int], *, flat: bool
    ) -> Extent:
        """Look at clouds of points, (k, 3) each; size: pixels; flat: without perspective."""
        tall = 1.0 if flat else np.tan(np.radians(0.5 * ANGLE))
        slope = np.array([0.9 * tall * size[0] / size[1], 0.82 * tall])  # a margin on every side
        lows, highs = [], []
        for cloud in clouds:
            right, up, toward = cloud @ eye.right, cloud @ eye.up, cloud @ eye.toward
            depth = 0.0 if flat else toward
            both = zip((right, up), slope, strict=True)
            sides = [((x + s * depth).max(), (-x + s * depth).max()) for x, s in both]
            lows.append([*cloud.min(axis=0), toward.min()])
            highs.append([*cloud.max(axis=0), toward.max(), *np.ravel(sides)])
        low, high = np.min(lows, axis=0), np.max(highs, axis=0)
        return cls(low[:3], high[:3], high[4:].reshape(2, 2), slope, low[3], high[3])

    @classmethod
    def around(cls, extents: Sequence[Extent]) -> Extent:
        """What holds all of these, which are of the same camera and size."""
        return cls(
            np.min([e.low for e in extents], axis=0),
            np.max([e.high for e in extents], axis=0),
            np.max([e.sides for e in extents], axis=0),
            extents[0].slope,
            min(e.near for e in extents),
            max(e.far for e in extents),
        )

    @classmethod
    def side_by_side(cls, extents: Sequence[Extent]) -> list[Extent]:
        """What each of several pictures holds: the same if sizes are alike, so that they compare."""
        sizes = [float(np.linalg.norm(e.high - e.low)) for e in extents]
        if max(sizes) > UNLIKE * min(sizes):
            return list(extents)
        return [cls.around(extents)] * len(extents)
