"""The bodies of the tables of models: beams, strands and sheets of the same matter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pliant as pl
from pliant.bodies import Deformable

YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
MATTER = {"young": YOUNG, "poisson": POISSON, "density": DENSITY}
#: Gravity [m/s^2] that bends each a thousandth of its length, and that stretches a strand as little.
SMALL, PULL = 1e-3, 1.0
BEAM, STRAND, PLATE = 0.1, 0.02, 0.02  # thicknesses [m]; all are 1 m long


def solid(kind: str, cells: tuple[int, int, int], size: float) -> pl.Body:
    """Finite elements."""
    mesh = pl.meshes.box((1, size, size), cells, kind=kind)
    body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def stone() -> pl.BoundaryElements:
    """Boundary elements on the surface of the beam, as many along it."""
    mesh = pl.meshes.box((1, BEAM, BEAM), (20, 2, 2), kind="hex")
    body = pl.BoundaryElements(mesh, young=YOUNG, poisson=POISSON, density=DENSITY)
    body.fix(body.mesh.points[:, 0] < 1e-9)
    return body


def calibrated(make: Callable[[float], Deformable], size: float) -> Deformable:
    """A body whose stiffness is right in tension: these have no Young's modulus."""
    body = make(1.0)
    x = body.mesh.points
    system, pulled = body.system(), x * [1.0001, 1.0, 1.0]
    pull = system.assembly.gradient(pulled)[x[:, 0] > 1 - 1e-9, 0].sum()
    return make(float(YOUNG * size * size * 1e-4 / pull))


def springs(k: float, size: float = BEAM) -> pl.Springs:
    """All pairs of the corners of hexahedra."""
    mesh = pl.meshes.box((1, size, size), (20, 2, 2), kind="hex")
    mass = pl.Body(mesh, pl.Linear(young=1.0, poisson=0.0), density=DENSITY).masses
    body = pl.Springs(mesh, stiffness=k, mass=mass, pairs=pl.Springs.braced(mesh))
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def preserving(k: float, size: float = BEAM) -> pl.ConstraintBody:
    """Distances and volumes of tetrahedra."""
    mesh = pl.meshes.box((1, size, size), (20, 2, 2))
    mass = pl.Body(mesh, pl.Linear(young=1.0, poisson=0.0), density=DENSITY).masses
    body = pl.ConstraintBody(mesh, distance=k, volume=k, mass=mass)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def shown_its_sag(kind: str = "hex") -> pl.ExampleBased:
    """Finite elements that were shown how they sag, ten times as far."""
    plain = solid(kind, (20, 2, 2), BEAM)
    sag = plain.rest_shape((0.0, 0.0, -10.0 * SMALL))
    body = pl.ExampleBased(plain.mesh, plain.material, examples=[sag], density=DENSITY)
    body.fix(plain.pinned)
    return body


def form_solid() -> pl.FormSolid:
    """A metric of hexahedra."""
    mesh = pl.meshes.box((1, BEAM, BEAM), (20, 2, 2), kind="hex")
    body = pl.FormSolid(mesh, metric=YOUNG, density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def line(n: int) -> pl.Mesh:
    """A straight line of n pieces along x."""
    points = np.zeros((n + 1, 3))
    points[:, 0] = np.linspace(0.0, 1.0, n + 1)
    return pl.Mesh(points, {"line": np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)})


def rod(n: int, size: float) -> pl.Rod:
    """Resultants of a rod."""
    body = pl.Rod(line(n).points, width=size, height=size, **MATTER)
    body.fix(body.node(0))
    return body


def elastons(mesh: pl.Mesh, **section: float) -> pl.Elastons:
    """The unified rule."""
    body = pl.Elastons(mesh, **section, **MATTER)
    return body


def held(body: pl.Elastons) -> pl.Elastons:
    """Clamped at x = 0."""
    body.fix(body.points_of(np.flatnonzero(body.nodes[:, 0] < 1e-9)))
    return body


def form_curve(n: int, size: float) -> pl.FormCurve:
    """Two fundamental measures of a curve, clamped half-way between two points at x = 0."""
    h = 1.0 / (n + 0.5)
    points = np.zeros((n + 2, 3))
    points[:, 0] = h * (np.arange(n + 2) - 0.5)
    pairs = np.stack([np.arange(n + 1), np.arange(1, n + 2)], axis=1)
    body = pl.FormCurve(
        pl.Mesh(points, {"line": pairs}),
        metric=YOUNG * size**2,
        curvature=YOUNG * size**4 / 12,
        density=DENSITY * size**2,
    )
    body.fix([0, 1])
    return body


def impact_rod(n: int, size: float) -> pl.ImpactRods:
    """The rod of IMPACT, which is a chain of hinges."""
    body = pl.ImpactRods(line(n), young=YOUNG, density=DENSITY, area=size**2)
    body.fix([0])
    return body


def bars(n: int, size: float) -> pl.Body:
    """Two-node lines of a material, in a row."""
    material = pl.StableNeoHookean(young=YOUNG, poisson=POISSON)
    body = pl.Body(line(n), material, density=DENSITY, section=size**2)
    body.fix([0])
    return body


def spring_chain(n: int, size: float) -> pl.Springs:
    """Springs in a row, with the stiffness of the rod."""
    mass = np.full(n + 1, DENSITY * size**2 / n)
    mass[[0, -1]] /= 2.0
    body = pl.Springs(line(n), stiffness=YOUNG * size**2 * n, mass=mass)
    body.fix([0])
    return body


def hung_curve(n: int, size: float) -> pl.FormCurve:
    """The length of a curve alone, held at its first point."""
    body = pl.FormCurve(line(n), metric=YOUNG * size**2, density=DENSITY * size**2)
    body.fix([0])
    return body


def sheet(cells: int, kind: str = "tri") -> pl.Mesh:
    """A square metre in the plane z = 0."""
    flat = pl.meshes.rectangle((1, 1), (cells, cells), kind=kind)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def rim(body: Deformable, points: np.ndarray | None = None) -> np.ndarray:
    """The points along the four sides."""
    x = body.mesh.points if points is None else points
    return np.abs(x[:, :2] - 0.5).max(axis=1) > 0.5 - 1e-9


def supported(body: Deformable) -> Deformable:
    """Held along its sides, free to turn there."""
    body.fix(rim(body))
    return body


def plate_of_hexes() -> pl.Body:
    """Quadratic hexahedra, held along the middle of their sides."""
    mesh = pl.meshes.box((1, 1, PLATE), (12, 12, 1), kind="hex20")
    body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    body.fix(rim(body) & (np.abs(mesh.points[:, 2] - PLATE / 2) < 1e-9))
    return body


def plane_stress(stiffness: float) -> np.ndarray:
    """Hooke's law of a sheet over (11, 22, 2*12)."""
    c = stiffness / (1 - POISSON**2)
    return c * np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, (1 - POISSON) / 2]])


def form_surface() -> Deformable:
    """Both fundamental forms, with the stiffness of the plate."""
    return supported(
        pl.FormSurface(
            sheet(16, "quad"),
            metric=plane_stress(YOUNG * PLATE),
            curvature=plane_stress(YOUNG * PLATE**3 / 12),
            density=DENSITY * PLATE,
        )
    )


def cloth() -> Deformable:
    """Conditions, with the stiffnesses of a thin sheet."""
    return supported(
        pl.Cloth(
            sheet(16),
            stretch=YOUNG * PLATE,
            shear=YOUNG * PLATE / (2 * (1 + POISSON)),
            bend=YOUNG * PLATE**3 / (12 * (1 - POISSON**2)),
            density=DENSITY * PLATE,
        )
    )


def elaston_plate() -> Deformable:
    """Meshless; a held node holds its gradient too, so this plate is clamped."""
    body = pl.Elastons(sheet(12), thickness=PLATE, **MATTER)
    body.fix(body.points_of(np.flatnonzero(rim(body, body.nodes))))
    return body


def by_node(body: Deformable, x: np.ndarray) -> np.ndarray:
    """Where the nodes of rods and elastons are when their points are at x."""
    per = 3 if isinstance(body, pl.Rod) else 4
    return x.reshape(-1, per, 3).mean(axis=1)
