"""Backward Euler of soft bodies in contact, all unknowns searched, by the solvers of the house."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import warp as wp

import pliant as pl
from pliant.contact.barrier import BarrierContact
from pliant.contact.friction import BristleFriction, Bristles
from pliant.contact.surface import ContactBody, ContactSurface
from pliant.problem import Inertia, System
from pliant.solvers import Newton


def joined(meshes):
    """Meshes of one kind as one; their points follow each other."""
    kind = next(iter(meshes[0].cells))
    first = np.cumsum([0, *(len(m) for m in meshes)])
    cells = [m.cells[kind] + at for m, at in zip(meshes, first, strict=False)]
    return pl.Mesh(np.concatenate([m.points for m in meshes]), {kind: np.concatenate(cells)})


@dataclass
class World:
    """Solids that touch each other and planes, moved step by step."""

    meshes: list
    young: float = 1e5
    density: float = 1000.0
    gravity: tuple = (0.0, 0.0, -9.81)
    planes: tuple | None = None
    gap: float = 1e-3
    friction: float = 0.0
    velocity: np.ndarray | float = 0.0
    more: tuple = ()
    pinned: int = 0  # so many points, the first ones
    reports: list = field(default_factory=list)

    def __post_init__(self):
        mesh = joined(self.meshes)
        self.material = pl.StableNeoHookean(young=self.young, poisson=0.3)
        body = pl.Body(mesh, self.material, density=self.density)
        self.masses = body.masses
        how = {"gap": self.gap, "young": self.young}
        bodies = [ContactBody.of(m, **how) for m in self.meshes]
        self.surface = ContactSurface([*bodies, *self.more], planes=self.planes)
        self.contact = BarrierContact(self.surface)
        self.rubs = BristleFriction(self.contact, self.friction) if self.friction else None
        self.bristles = Bristles.none(mesh.dim)
        self.system = System(
            [*body.energies(device="cpu"), self.contact],
            masses=self.masses,
            pinned=np.arange(len(mesh)) < self.pinned,
            components=mesh.components,
            x=mesh.points,
        )
        self.x = mesh.points.copy()
        self.v = np.zeros_like(self.x) + self.velocity
        self.load = self.masses[:, None] * np.asarray(self.gravity)[: mesh.dim]

    def step(self, dt, laps=3):
        """One step; the push that friction knows of is updated so many times."""
        y = self.x
        for _ in range(laps if self.rubs is not None else 1):
            also = ()
            if self.rubs is not None:
                arrays = [wp.array(a, dtype=self.contact.vec, device="cpu") for a in (self.x, y)]
                self.rubs.grip(arrays[0], self.bristles, arrays[1])
                also = (self.rubs,) if len(self.rubs) else ()
            inertia = Inertia(1.0 / dt**2, self.x + dt * self.v, energies=also)
            objective = self.system.objective(inertia, self.load, self.system.unrestricted)
            y, report = self.system.minimise(Newton(tolerance=1e-10), objective, y)
            assert report.converged, report
            self.reports.append(report)
        if self.rubs is not None:
            self.bristles = self.rubs.bent(wp.array(y, dtype=self.contact.vec, device="cpu"))
        self.v, self.x = (y - self.x) / dt, y

    def energy(self):
        """Kinetic, elastic, of the barrier and of the load [J]."""
        moving = 0.5 * float(self.masses @ (self.v**2).sum(axis=1))
        return moving + self.system.value(self.x) - float(np.vdot(self.load, self.x))

    def momenta(self):
        """Linear and angular momentum."""
        p = self.masses[:, None] * self.v
        return p.sum(axis=0), np.cross(self.x, p).sum(axis=0)
