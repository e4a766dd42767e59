"""One body of every kind."""

from __future__ import annotations

from functools import partial

import numpy as np

import pliant as pl
from pliant import kinds
from pliant.declared import MISSING, parameters_of


def in_space(mesh):
    """A mesh of the plane as a sheet in the plane y = 0."""
    return pl.Mesh(np.insert(mesh.points, 1, 0.0, axis=1), mesh.cells)


def chain(dim, n=7):
    points = np.zeros((n, dim))
    points[:, 0] = np.linspace(0.0, 1.0, n)
    return pl.Mesh(points, {"line": np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)})


def disc():
    row, column = np.mgrid[:40, :40]
    return (np.hypot(row - 20, column - 20) < 10).astype(float)


def ring():
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    return 20.0 + 12.0 * np.stack([np.cos(turn), np.sin(turn)], axis=1)


BOX = pl.meshes.box((1, 0.4, 0.4), (3, 2, 2))
SHEET = in_space(pl.meshes.rectangle((1, 1), (4, 4)))
LONGER = BOX.points * [1.2, 1.0, 1.0]
SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3)
MATTER = {"young": 1e6, "poisson": 0.3, "density": 1000.0}


OF_MESH = {
    "Body": lambda mesh=BOX, **more: pl.Body(mesh, SOFT, **more),
    "Cloth": lambda mesh=SHEET, **more: pl.Cloth(
        mesh, **{"stretch": 2e3, "shear": 500.0, "bend": 1e-4, "density": 0.2} | more
    ),
    "ExampleBased": lambda mesh=BOX, **more: pl.ExampleBased(mesh, SOFT, examples=[LONGER], **more),
    "FormCurve": lambda mesh=None, **more: pl.FormCurve(
        chain(3) if mesh is None else mesh,
        **{"metric": 1e3, "curvature": 0.1, "density": 0.1} | more,
    ),
    "FormSurface": lambda mesh=SHEET, **more: pl.FormSurface(
        mesh, **{"metric": 2e3, "curvature": 0.01, "density": 0.2} | more
    ),
    "FormSolid": lambda mesh=BOX, **more: pl.FormSolid(
        mesh, **{"metric": 1e5, "density": 1000.0} | more
    ),
    "ImpactRods": lambda mesh=None, **more: pl.ImpactRods(
        chain(3) if mesh is None else mesh,
        **{"young": 1e6, "density": 1000.0, "radius": 0.01} | more,
    ),
    "ConstraintBody": lambda mesh=BOX, **more: pl.ConstraintBody(
        mesh, distance=1.0, mass=0.01, **more
    ),
    "Shell": lambda mesh=SHEET, **more: pl.Shell(mesh, **MATTER | {"thickness": 0.01} | more),
    "Springs": lambda mesh=BOX, **more: pl.Springs(mesh, stiffness=500.0, mass=0.01, **more),
}
BODIES = OF_MESH | {
    "Rod": lambda **more: pl.Rod(chain(3).points, **MATTER | {"radius": 0.02} | more),
    "Elastons": lambda **more: pl.Elastons(chain(3), **MATTER | {"thickness": 0.02} | more),
    "Snake": lambda **more: pl.Snake(ring(), disc(), **more),
    "LongElements": lambda **more: pl.LongElements(BOX, **{"spacing": 0.2} | more),
    "BoundaryElements": lambda **more: pl.BoundaryElements(BOX, **MATTER | more),
    "Modal": lambda **more: pl.Modal(pl.Body(BOX, SOFT), **{"modes": 20} | more),
    "Subspace": lambda **more: pl.Subspace(pl.Body(BOX, SOFT), **{"modes": 4, "size": 12} | more),
}


def made(cls, **more):
    """A body of declared examples, on cells that it takes."""
    given = {p.name: p.note.example for p in parameters_of(cls) if p.default is MISSING}
    given |= {
        p.name: p.note.example for p in parameters_of(cls) if p.name in sum(cls.sections[:1], ())
    }
    if cls.cells <= {"line2"}:
        mesh = chain(3)
    elif cls.cells & {"tet4", "hex8"}:
        mesh = BOX
    else:
        mesh = SHEET
    return cls(mesh, **given | more)


# One that has no row above is found all the same.
for _cls in kinds.BODIES.classes():
    BODIES.setdefault(_cls.__name__, partial(made, _cls))
DENSE = set(BODIES) - {
    "ConstraintBody",
    "Springs",
    "Modal",
    "Subspace",
}  # these have masses, or another body
