"""Where a 3D body is seen from: an orthographic camera with y up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


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

    def project(self, points: np.ndarray) -> np.ndarray:
        """Positions in the picture [m], (n, 2); 2D points are in the picture already."""
        return points if points.shape[1] == 2 else points @ np.stack([self.right, self.up], axis=1)


#: A little from the right and above, so that three faces of a box are seen.
FRONT = Camera.at(azimuth=24.0, elevation=22.0)
