"""Bodies that each kind of solver serves."""

from __future__ import annotations

import numpy as np

import pliant as pl
from pliant.contact import PenaltyContact


def solid(cells=(10, 4, 4), damping=None):
    mesh = pl.meshes.box((4, 1, 1), cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    return body


def sheet(damping=None, cells=20):
    """Held all round, so that it has a rest shape."""
    flat = pl.meshes.rectangle((1, 1), (cells, cells))
    mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    body = pl.Cloth(mesh, stretch=500.0, shear=200.0, bend=0.05, density=0.2, damping=damping)
    body.fix(np.abs(flat.points - 0.5).max(axis=1) > 0.5 - 1e-9)
    return body


def string():
    """A muscle: its springs grow and shrink."""
    mesh = pl.meshes.box((1.0, 0.3, 0.3), (3, 1, 1))
    pairs = pl.Springs.braced(mesh)
    lengths = np.linalg.norm(np.diff(mesh.points[pairs], axis=1)[:, 0], axis=1)
    body = pl.Springs(
        mesh,
        stiffness=500.0,
        mass=0.05,
        pairs=pairs,
        rest=lambda t: lengths * (1.0 + 0.1 * np.sin(20 * t)),
    )
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def two_blocks():
    """One falls on the other."""
    one = pl.meshes.box((0.5, 0.5, 0.5), (2, 2, 2))
    points = np.concatenate([one.points, one.points + [0.113, 0.505, 0.107]])
    [(kind, cells)] = one.cells.items()
    mesh = pl.Mesh(points, {kind: np.concatenate([cells, cells + len(one)])})
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3))
    body.touch(PenaltyContact(stiffness=1e4, thickness=0.01))
    body.velocity = np.where(points[:, 1:2] > 0.5005, [0.0, -1.0, 0.0], 0.0)
    return body
