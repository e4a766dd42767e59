"""Bodies and starts at which bounces on cue were weak, and how well they keep their time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import pliant as pl

from .shapes import bend


@dataclass(frozen=True)
class Kept:
    """Measured over asked: the rest time, by the envelope of bounces, and their period."""

    rest: float
    period: float


def kept(body: Any, wish: pl.Settle, *, pull: float = 0.0, dt: float = 1 / 60) -> Kept:
    """Let a body go under gravity [m/s^2] along -y and watch."""
    body.damping = wish
    gravity = np.zeros(body.dim)
    gravity[1] = -pull
    scene = pl.Scene([body], gravity=gravity, contact=False)
    take = scene.run(seconds=1.6 * wish.rest_in, dt=dt, progress=False)
    period = take.ring().period * wish.bounces / wish.rest_in if wish.bounces else 1.0
    return Kept(take.rest_time() / wish.rest_in, period)


def clamped(body: pl.Body) -> pl.Body:
    """Held on the left."""
    body.fix(body.mesh.points[:, 0] < 1e-9)
    return body


def bar(young: float, material: Any = pl.StableNeoHookean) -> pl.Body:
    """A level bar of 4 x 1 m. With 3.2e6, 1.17e6 and 5.7e5 Pa it sags by 0.2, 0.5 and 0.8 lengths."""
    mesh = pl.meshes.rectangle((4, 1), (12, 3))
    return clamped(pl.Body(mesh, material(young=young, poisson=0.4)))


def limp(sag: float, thick: float) -> pl.Body:
    """A level bar that would sag by so many lengths if beams bent in proportion to loads."""
    young = 1000 * 9.81 * 4**4 * 12 / (8 * thick**2 * 4 * sag)
    mesh = pl.meshes.rectangle((4, thick), (32, 2) if thick < 0.5 else (12, 3))
    return clamped(pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4)))


def turek_hron() -> pl.Body:
    """The flag of CSM3, without its cylinder [turek2006]."""
    mesh = pl.meshes.rectangle((0.35, 0.02), (35, 2))
    return clamped(pl.Body(mesh, pl.StVenantKirchhoff(young=1.4e6, poisson=0.4)))


def arch(height: float) -> pl.Body:
    """An arch 0.6 m high over 4 m, held at both ends; its start is `height` times as high."""
    mesh = pl.meshes.rectangle((4, 0.15), (40, 2), kind="quad")
    rise = np.outer(0.6 * np.sin(np.pi * mesh.points[:, 0] / 4), [0, 1])
    body = pl.Body(
        pl.Mesh(mesh.points + rise, dict(mesh.cells)),
        pl.StableNeoHookean(young=1e6, poisson=0.3),
    )
    ends = (mesh.points[:, 0] < 1e-9) | (mesh.points[:, 0] > 4 - 1e-9)
    body.fix(ends)
    body.place(mesh.points + height * rise)
    return body


def cored(contrast: float, young: float = 1e5, cells: tuple[int, int] = (16, 4)) -> pl.Body:
    """A bar with a block inside that is so many times as stiff."""
    mesh = pl.meshes.rectangle((4, 1), cells)
    x, y = mesh.points[next(iter(mesh.cells.values()))].mean(axis=1).T
    stiff = (np.abs(x - 2) < 0.6) & (np.abs(y - 0.5) < 0.3)
    moduli = np.where(stiff, contrast * young, young)
    return clamped(pl.Body(mesh, pl.StableNeoHookean(young=moduli, poisson=0.4)))


def bent(body: pl.Body, degrees: float) -> pl.Body:
    """Started as an arc."""
    body.place(bend(body.mesh.points, degrees))
    return body


def chain(kind: str, seed: int) -> Any:
    """A taut chain, stretched by 4 %, let go from random waves along and across it."""
    rng = np.random.default_rng(seed)
    x = np.stack([np.linspace(0, 1, 11), np.zeros(11)], axis=1)
    links = np.stack([np.arange(10), np.arange(1, 11)], axis=1)
    mesh = pl.Mesh(x, {"line": links})
    body: Any
    if kind == "springs":
        body = pl.Springs(mesh, stiffness=2e3, pairs=links, mass=0.05)
    else:
        body = pl.ImpactRods(mesh, young=1e6, area=1e-4, density=100.0, collision=0.0)
    body.fix([0, 10])
    waves = np.sin(np.pi * np.outer(np.arange(1, 5), x[:, 0])) / np.arange(1, 5)[:, None]
    size = 0.1 * rng.uniform(-1, 1, (4, 2))
    body.place(x * [1.04, 1] + waves.T @ size)
    return body


def tumbling(share: float, young: float = 1e5) -> pl.Body:
    """A free bar, bent by 60 degrees, that tumbles at this share of its lowest natural frequency."""
    mesh = pl.meshes.box((4, 1, 1), (10, 2, 2))
    body = bent(pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4)), 60.0)
    lowest = float(np.sqrt(body.system().modes(mesh.points, 1)[0][0]))
    axis = np.array([0.3, 0.5, 1.0])
    spin = share * lowest * axis / np.linalg.norm(axis)
    body.velocity = np.cross(
        spin, body.positions - body.masses @ body.positions / body.masses.sum()
    )
    return body
