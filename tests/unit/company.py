"""Beams in company: a floor, springs, a contact between parts, wind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import pliant as pl
from pliant.contact import PenaltyContact
from pliant.energies import Energy
from pliant.energies.spring import SpringEnergy

FLOORS = {"far": -9.0, "lying": -0.0201, "pressed": -0.06}


class Tied(pl.Body):
    """A beam whose free end is held together by springs that are stiffer than its cells."""

    def energies(self, *, device: str) -> Sequence[Energy]:
        x = self.mesh.points
        end = x[:, 0] > x[:, 0].max() - 1e-9
        low, high = (np.flatnonzero(end & (np.abs(x[:, 1] - y) < 1e-9)) for y in (0.0, 1.0))
        pairs = np.stack([low, high], axis=1)
        k, rest = np.full(len(pairs), 1e6), np.full(len(pairs), 0.97)
        return [
            *super().energies(device=device),
            SpringEnergy(x, pairs, stiffness=k, rest=rest, device=device),
        ]


def beam(company: str, damping: pl.Damping | None = None, cells=(10, 4, 4)) -> pl.Scene:
    """A cantilever; under `Settle` it begins bent upwards."""
    mesh = pl.meshes.box((4, 1, 1), cells)
    kind = Tied if company == "spring" else pl.Body
    body = kind(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    if damping is not None:
        body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    if company == "wind":
        body.push(wind=(3.0, 0.0, 1.0))
    scene = pl.Scene([body], gravity=(0, -0.5, 0))
    if company in FLOORS:
        scene.add(pl.HalfSpace((0, FLOORS[company], 0), (0, 1, 0)))
    return scene


def two_blocks(cells=(4, 4, 4)) -> pl.Body:
    """A block that falls on another of the same body."""
    one = pl.meshes.box((0.5, 0.5, 0.5), cells)
    points = np.concatenate([one.points, one.points + [0.013, 0.52, 0.017]])
    ((kind, tets),) = one.cells.items()
    mesh = pl.Mesh(points, {kind: np.concatenate([tets, tets + len(one)])})
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3))
    body.fix(points[:, 1] < 1e-9)
    body.velocity = np.where(points[:, 1:2] > 0.51, [0.0, -0.5, 0.0], 0.0)
    body.touch(PenaltyContact(stiffness=1e4, thickness=0.01))
    return body
