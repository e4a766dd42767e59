"""Beams released from a start shape: the cases on which rest times and bounces are measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import Delaunay

import pliant as pl
from tests.laws.materials import more

from .shapes import PLANAR, SPATIAL, noise

SHAPES = {**SPATIAL, "noise": noise}


@dataclass(frozen=True)
class Case:
    """One release. Everything that may be varied has a default, so that tests vary one at a time."""

    dim: int = 2
    shape: str = "bend"
    dt: float = 1 / 60
    rest_in: float = 1.0
    bounces: int | None = None
    law: Any = "every-shape"
    material: type[pl.Linear] = pl.StableNeoHookean
    young: float = 1e6
    poisson: float = 0.3
    gravity: float = 0.0
    cells: tuple[int, ...] = ()
    mesh: str = "structured"
    pins: str = "clamp"
    extra: float = 1.15  # how long the run lasts, in rest times

    def body(self) -> pl.Body:
        """The body with its pins and its wish, in its rest shape."""
        mesh = make_mesh(self)
        given = more(self.material, self.dim, scale=self.young / 1e5)
        material = self.material(young=self.young, poisson=self.poisson, **given)
        body = pl.Body(mesh, material)
        p = mesh.points
        if self.pins == "clamp":
            body.fix(p[:, 0] < 1e-9)
        elif self.pins == "hinge":  # one point in the plane, a line of points in space
            body.fix((p[:, 0] < 1e-9) & (np.abs(p[:, 1] - 0.5) < 1e-9))
        body.damping = pl.Settle(self.rest_in, self.bounces, law=self.law)
        return body

    def scene(self, body: pl.Body) -> pl.Scene:
        """The scene around it."""
        return pl.Scene([body], gravity=np.array([0.0, -self.gravity, 0.0])[: self.dim])

    def run(self, stepper: Any = None) -> pl.Take:
        """Release it and watch."""
        body = self.body()
        body.place(SHAPES[self.shape](body.mesh.points))
        seconds = self.extra * self.rest_in
        return self.scene(body).run(seconds=seconds, dt=self.dt, stepper=stepper)

    def run_first_mode(self, size: float = 0.02) -> pl.Take:
        """Release it from its slowest mode, about the equilibrium, with a small amplitude."""
        body = self.body()
        scene = self.scene(body)
        x = scene.equilibrium().positions[0] if self.gravity else body.mesh.points
        mode = body.system().modes(x, 1)[1][0]
        body.place(x + size * mode / np.abs(mode).max())
        return scene.run(seconds=self.extra * self.rest_in, dt=self.dt)


def make_mesh(case: Case) -> pl.Mesh:
    """The 4 x 1 (x 1) m beam."""
    if case.mesh in ("unstructured", "slivers"):
        return unstructured(case.dim, slivers=case.mesh == "slivers")
    if case.dim == 2:
        return pl.meshes.rectangle((4, 1), case.cells or (12, 3))
    return pl.meshes.box((4, 1, 1), case.cells or (8, 2, 2))


def unstructured(dim: int, *, slivers: bool = False) -> pl.Mesh:
    """A Delaunay mesh of jittered points: a grid, and in space the middles of its cubes too.

    The middles make the tetrahedra well shaped (worst quality 0.67). Without them, `slivers`, many
    are nearly flat (0.06).
    """
    rng = np.random.default_rng(7)
    n = (13, 4) if dim == 2 else (9, 3, 3)
    size = np.array([4.0, 1.0, 1.0])[:dim]
    axes = [np.linspace(0.0, length, k) for length, k in zip(size, n, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, dim)
    if dim == 3 and not slivers:
        between = [0.5 * (a[1:] + a[:-1]) for a in axes]
        middles = np.stack(np.meshgrid(*between, indexing="ij"), axis=-1).reshape(-1, dim)
        grid = np.concatenate([grid, middles])
    inside = (grid > 1e-9) & (grid < size - 1e-9)
    # Boundary points slide along the boundary only, so that the beam keeps its size.
    points = grid + 0.05 * rng.uniform(-1, 1, grid.shape) * inside
    cells = Delaunay(points).simplices
    edges = points[cells[:, 1:]] - points[cells[:, :1]]
    volume = np.abs(np.linalg.det(edges))
    keep = volume > 1e-3 * np.median(volume)  # drops flat cells on the faces of the box
    return pl.Mesh(points, {"tri" if dim == 2 else "tet": cells[keep]}, repair=True)


def start_shapes(dim: int) -> list[str]:
    """The names of the smooth start shapes."""
    return sorted(PLANAR if dim == 2 else SPATIAL)
