"""An obstacle of any shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from pliant.contact import ContactBody, nearest_on_triangles
from pliant.errors import shown, warn_user
from pliant.given import path_of
from pliant.mesh import Surface
from pliant.resources import require_file

from .motion import ObstacleMotion
from .obstacle import Obstacle, Path
from .usd_motion import USD_SUFFIXES, usd_surface


class MeshObstacle(Obstacle):
    """A surface of triangles that bodies cannot pass: a table, a figure. For `pl.Contact` only.

        scene.add(pl.MeshObstacle(pl.Surface.read("table.obj"), name="table"))
        scene.add(pl.MeshObstacle(figure, path=(times, positions)))   # (k,), (k, points, 3)

    surface: faces in space [m], closed or open; faces of more corners are cut into triangles. Both sides
    of it stop bodies, so what begins inside stays inside. path: as of every obstacle, or positions of
    all points [m] as a function of time or as (times, positions), for what deforms; it may pass through
    itself. friction [-] and name as of every obstacle.
    """

    word, needs_contact = "mesh", True

    def __init__(
        self,
        surface: Surface,
        *,
        friction: float | None = None,
        name: str | None = None,
        path: Path = None,
    ):
        if not isinstance(surface, Surface):
            raise TypeError(
                f"MeshObstacle: got {shown(surface)}; expected pl.Surface.read(...) or "
                "pl.Surface.of(points, faces)"
            )
        super().__init__(friction=friction, name=name, path=path)
        self._surface = surface
        triangles = surface.corners[surface.triangles]
        a, b, c = (surface.points[triangles[:, k]] for k in range(3))
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        flat = areas <= 1e-14 * float(np.ptp(surface.points, axis=0).max()) ** 2
        if flat.all():
            raise ValueError("MeshObstacle: got triangles that have no area; expected a surface")
        if flat.any():  # as programs write them where points lie on a line
            warn_user(f"MeshObstacle: {flat.sum()} triangles have no area, and are left out")
        self.triangles = triangles[~flat]
        self._follow(surface.points, deforms=True)

    def _place(self, motion: ObstacleMotion, time: float) -> None:
        self._surface = replace(
            self._surface, points=motion.of(self._surface.points, time), normals=None
        )

    @classmethod
    def read(
        cls,
        path: str | FilePath,
        *,
        prim: str | None = None,
        friction: float | None = None,
        name: str | None = None,
    ) -> MeshObstacle:
        """Read an OBJ, STL or PLY file, or a mesh of a USD file with its animation.

        prim: its path in a USD file, e.g. "/World/Body"; the only mesh if left out.
        """
        file = path_of("MeshObstacle.read", path)
        if file.suffix.lower() not in USD_SUFFIXES:
            return cls(Surface.read(file), friction=friction, name=name)
        require_file(file, "file")
        surface, motion = usd_surface(file, prim)
        return cls(surface, friction=friction, name=name, path=motion)

    def __repr__(self) -> str:
        return f"<MeshObstacle {self.name!r} of {len(self.triangles)} triangles>"

    @property
    def dim(self) -> int:
        """3."""
        return 3

    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Refused: only contact knows of it."""
        raise ValueError("MeshObstacle: expected pl.Scene(..., contact=pl.Contact())")

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances (n,) [m] of points from the surface, from either side, and normals (n, 3)."""
        return nearest_on_triangles(x, self._surface.points, self.triangles)

    def contact_body(self, gap: float) -> ContactBody:
        """Its triangles."""
        return ContactBody(self._surface.points, triangles=self.triangles, gap=gap, given=True)

    def contact_points(self, time: float) -> np.ndarray:
        """All its points."""
        points = self._surface.points
        return points if self.motion is None else self.motion.of(points, time)

    def shape(self) -> dict[str, Any]:
        """Points and triangles."""
        return {"points": self._surface.points.tolist(), "triangles": self.triangles.tolist()}

    def surface(self, middle: np.ndarray, size: float) -> Surface:
        """All of it."""
        return self._surface


def mesh_obstacle_of(facts: dict[str, Any]) -> MeshObstacle:
    """The obstacle that `facts` of one describe."""
    surface = Surface.of(np.array(facts["points"]), np.array(facts["triangles"]))
    return MeshObstacle(surface, friction=facts.get("friction"), name=facts.get("name"))
