"""A cloth falls over a ball and folds: it never goes through the ball or itself."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.contact import (
    BarrierContact,
    BristleFriction,
    Bristles,
    ContactBody,
    ContactSurface,
    crossing_bodies,
)
from pliant.problem import Inertia, System
from pliant.solvers import Newton


@pytest.mark.slow
def test_a_cloth_over_a_ball_never_crosses_anything():
    sheet, dt = pl.meshes.rectangle((1, 1), (14, 14)), 1 / 60
    points = np.column_stack([sheet.points - 0.5, np.full(len(sheet), 0.32)])
    mesh = pl.Mesh(points, sheet.cells)
    cloth = pl.Cloth(mesh, stretch=2000.0, shear=500.0, bend=1e-5, density=0.2)
    body = ContactBody.of(mesh, gap=1e-3, young=2e6)
    ball = ContactBody(np.zeros((1, 3)), loose=np.array([0]), radius=0.3, gap=1e-3, given=True)
    contact = BarrierContact(ContactSurface([body, ball]))
    friction, bristles = BristleFriction(contact, 0.3), Bristles.none(3)
    system = System(
        [*cloth.energies(device="cpu"), contact],
        masses=cloth.masses,
        pinned=np.zeros(len(mesh), dtype=bool),
        components=mesh.components,
        x=mesh.points,
    )
    load = cloth.masses[:, None] * np.array([0.0, 0.0, -9.81])
    x = points + 1e-5 * np.random.default_rng(0).standard_normal(points.shape)
    v, folded = np.zeros_like(x), 0

    def array(a):
        return wp.array(a, dtype=contact.vec, device="cpu")

    for _ in range(24):
        friction.grip(array(x), bristles, array(x))
        rubs = (friction,) if len(friction) else ()
        inertia = Inertia(1.0 / dt**2, x + dt * v, energies=rubs)
        objective = system.objective(inertia, load, system.unrestricted)
        y, report = system.minimise(Newton(tolerance=1e-7, iterations=400), objective, x)
        assert report.converged
        bristles, v, x = friction.bent(array(y)), (y - x) / dt, y
        assert crossing_bodies(contact, array(x)) == []
        assert np.linalg.norm(x, axis=1).min() > 0.3
        folded = max(folded, len(contact.near(array(x))[0]))
    assert folded > 20 and x[:, 2].min() < 0.0
