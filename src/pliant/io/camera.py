"""Where a 3D body is seen from: an orthographic camera with y up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Degrees around and above.
_NAMED = {
    "front": (0.0, 10.0),
    "back": (180.0, 10.0),
    "left": (-90.0, 10.0),
    "right": (90.0, 10.0),
    "top": (0.0, 89.9),
}


@dataclass(frozen=True)
class Camera:
    """Orthonormal directions: `right` and `up` of the picture, `toward` the viewer; each (3,)."""

    right: np.ndarray
    up: np.ndarray
    toward: np.ndarray

    @classmethod
    def at(cls, azimuth: float, elevation: float) -> Camera:
        """Look at the origin from degrees around y (0 is from +z) and degrees above the ground."""
        a, e = np.radians(azimuth), np.radians(elevation)
        toward = np.array([np.cos(e) * np.sin(a), np.sin(e), np.cos(e) * np.cos(a)])
        right = np.array([np.cos(a), 0.0, -np.sin(a)])
        return cls(right, np.cross(toward, right), toward)

    @classmethod
    def read(cls, text: str) -> Camera:
        """The camera that words name: front, back, left, right, top, or AZIMUTH,ELEVATION in degrees."""
        if text in _NAMED:
            return cls.at(*_NAMED[text])
        try:
            azimuth, elevation = (float(part) for part in text.split(","))
        except ValueError:
            azimuth = elevation = np.nan
        if not (np.isfinite(azimuth) and abs(elevation) <= 90.0):
            raise ValueError(
                f"camera: got {text[:40]!r}; expected {', '.join(_NAMED)}, or degrees around and above "
                "the bodies, e.g. 24,22"
            )
        return cls.at(azimuth, elevation)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Positions in the picture [m], (n, 2); 2D points are in the picture already."""
        return points if points.shape[1] == 2 else points @ np.stack([self.right, self.up], axis=1)


#: A little from the right and above, so that three faces of a box are seen.
FRONT = Camera.at(azimuth=24.0, elevation=22.0)
