"""A surface as triangles between places, each place once, for motion from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.mesh import Mesh, MeshError, Skin, Surface

Array = np.ndarray
#: Triangles whose area is below this share of the square of the surface's size have no frame.
FLAT = 1e-14


@dataclass(frozen=True, eq=False)
class Triangles:
    """Places [m] (n, 3), triangles (m, 3) between them, and the place of each point of the surface.

    who: its name in messages. Seams, where a surface has two points at one place, are closed here.
    """

    who: str
    surface: Surface
    points: Array
    corners: Array
    number: Array

    @classmethod
    def of(cls, who: str, given: Any) -> Triangles:
        """Those of a surface, or of the boundary of a mesh; refused if faces disagree on outside."""
        if isinstance(given, Mesh):
            given = Skin.bare(given).surface
        if not isinstance(given, Surface):
            raise TypeError(
                f"transfer: got a {who} of type {type(given).__name__}; expected a surface or a mesh, "
                f'as in pl.Surface.read("{who}.obj")'
            )
        if given.lines is not None:
            raise MeshError(f"transfer: the {who} has lines only; expected triangles or polygons")
        flipped = given.welded().report().flipped_edges
        if flipped:
            raise MeshError(
                f"transfer: {flipped} edges of the {who} have faces that run the same way along them, "
                "so that some are flipped; expected faces that agree on outside: recalculate its normals"
            )
        points, number, _ = given.places()
        corners = number[given.corners[given.triangles]]
        size = float(np.linalg.norm(np.ptp(points, axis=0)))
        a, b, c = (points[k] for k in corners.T)
        area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        corners = corners[area > FLAT * size**2]
        if not len(corners):
            raise MeshError(
                f"transfer: all faces of the {who} are flat to nothing; expected a surface"
            )
        return cls(who, given, points, corners, number)

    def refuse_inside_out(self) -> None:
        """Refuse a closed surface whose faces all look inwards: none faces as the other surface does."""
        report = self.surface.welded().report()
        if not report.holes and report.volume < 0.0:
            raise MeshError(
                f"transfer: all faces of the {self.who} are flipped, its volume is {report.volume:.3g} "
                "m^3; expected faces that look outwards: flip its normals"
            )

    @cached_property
    def size(self) -> float:
        """The diagonal of the box around it [m]."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    @cached_property
    def frames(self) -> Array:
        """Two edges and a normal of each triangle at rest, as columns, (m, 3, 3)."""
        a, b, c = (self.points[k] for k in self.corners.T)
        return np.stack([b - a, c - a, self.normals(self.points)], axis=2)

    @cached_property
    def areas(self) -> Array:
        """Of the triangles [m^2], (m,)."""
        a, b, c = (self.points[k] for k in self.corners.T)
        return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1))

    @cached_property
    def units(self) -> Array:
        """Unit normals, (m, 3)."""
        n = self.normals(self.points)
        return np.asarray(n / np.linalg.norm(n, axis=1, keepdims=True))

    def normals(self, x: Array) -> Array:
        """Normals with the length of an edge [m]: a x b/sqrt|a x b|, (m, 3), where places are at x."""
        a = x[self.corners[:, 0]]
        u, v = x[self.corners[:, 1]] - a, x[self.corners[:, 2]] - a
        n = np.empty_like(u)  # np.cross is slower than this by a factor of three
        n[:, 0] = u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1]
        n[:, 1] = u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2]
        n[:, 2] = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
        square = np.einsum("ij,ij->i", n, n)
        return np.asarray(n / np.maximum(square, 1e-300)[:, None] ** 0.25)

    @cached_property
    def slopes(self) -> Array:
        """Gradients of the linear shape functions of each corner [1/m], (m, 3, 3), in its plane."""
        dual = np.linalg.inv(self.frames)[:, :2]
        return np.concatenate([-dual.sum(axis=1, keepdims=True), dual], axis=1)

    @cached_property
    def laplacian(self) -> sp.csr_array:
        """K of the integral of |grad u|^2, (n, n): cotangents."""
        local = np.einsum("t,tid,tjd->tij", self.areas, self.slopes, self.slopes)
        rows, columns = np.repeat(self.corners, 3, axis=1), np.tile(self.corners, (1, 3))
        n = len(self.points)
        found = sp.coo_array((local.ravel(), (rows.ravel(), columns.ravel())), shape=(n, n))
        return found.tocsr()

    @cached_property
    def means(self) -> sp.csr_array:
        """The matrix (n, m) that takes values of triangles to places: means by area."""
        m = len(self.corners)
        columns = np.repeat(np.arange(m), 3)
        shape = (len(self.points), m)
        found = sp.coo_array(
            (np.repeat(self.areas, 3), (self.corners.ravel(), columns)), shape=shape
        )
        found = found.tocsr()
        total = np.asarray(found.sum(axis=1)).ravel()
        return sp.diags_array(1.0 / np.where(total > 0.0, total, 1.0)) @ found
