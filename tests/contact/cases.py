"""Scenes of contact whose answers are known."""

from __future__ import annotations

import numpy as np

import pliant as pl
from tests.contact.in_scenes import box, floor


def shaken(body, seed, size=1e-6):
    """The body with noise [m] from a seed; None: without."""
    if seed is not None:
        noise = np.random.default_rng(seed).standard_normal(body.positions.shape)
        body.place(body.positions + size * noise)
    return body


def turn(angle):
    """The matrix that turns rows about y: x goes towards z by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def solid(mesh, points, young, seed=None, *, poisson=0.3, density=1000.0, **how):
    """A body of a mesh that is placed elsewhere."""
    material = pl.StableNeoHookean(young=young, poisson=poisson)
    body = pl.Body(pl.Mesh(points, mesh.cells), material, density=density, **how)
    return shaken(body, seed)


def scene_of(bodies, *obstacles, gravity=(0, 0, -9.81), **how):
    scene = pl.Scene(bodies, gravity=gravity, contact=pl.Contact(**how))
    scene.add(*obstacles)
    return scene


#: Length and thickness of the ladder [m].
LADDER = 0.5, 0.02


def ladder(friction, degrees, seed=None, young=1e7):
    """A plank that leans against a wall, at an angle over the floor."""
    length, thick = LADDER
    mesh = pl.meshes.box((length, 0.05, thick), (10, 1, 1))
    up = (mesh.points - [0, 0, thick]) @ turn(np.radians(180.0 - degrees))
    up -= [up[:, 0].min() - 2e-4, 0, up[:, 2].min() - 2e-4]
    body = solid(mesh, up, young, seed, name="ladder")
    wall = pl.HalfSpace((0, 0, 0), (1, 0, 0), name="wall")
    return scene_of([body], floor(), wall, friction=friction)


def holding_friction(degrees):
    """The least friction [-] with which the ladder stays.

    tan a (mu + t/(2 L) (1 + mu^2)) = (1 - mu^2)/2: it touches with its lower side, over which its
    middle is half its thickness t high.
    """
    length, thick = LADDER
    tan, slim = np.tan(np.radians(degrees)), thick / (2 * length)
    return max(np.roots([0.5 + tan * slim, tan, tan * slim - 0.5]))


def tower(count, seed=None, young=1e7):
    """Boxes of 3^3 cells on each other, a little askew.

    Ten of them with E = 1e6 Pa buckle under their own weight: a column of 1.4 m does.
    """
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (3, 3, 3))
    boxes = []
    for k in range(count):
        at = 0.004 * (k % 3), 0.003 * (k % 2), 0.2002 * k
        body = box(*at, mesh=mesh, young=young, name=f"{k}")
        boxes.append(shaken(body, None if seed is None else 100 * seed + k))
    for body in boxes:
        body.damping = pl.Rayleigh(mass=5.0)  # or it sways for seconds
    return scene_of(boxes, floor(), friction=0.3)


def arch(friction, seed=None, stones=25, thick=0.2, young=1e9):
    """Stones of a half circle of radius 1 m, between two that are held."""
    mesh, ends = pl.meshes.box((1, 0.3, 1), (1, 1, 1)), np.linspace(0.0, np.pi, stones + 1)
    bodies = []
    for k in range(stones):
        a, slit = mesh.points, 1.5e-4
        angle = (ends[k] + slit) * (1 - a[:, 0]) + (ends[k + 1] - slit) * a[:, 0]
        radius = 1.0 + thick * (a[:, 2] - 0.5)
        points = np.stack([-radius * np.cos(angle), a[:, 1], radius * np.sin(angle)], axis=1)
        stone = solid(
            mesh,
            points,
            young,
            None if seed is None else 100 * seed + k,
            name=f"{k}",
            density=2000.0,
        )
        bodies.append(stone)
    return scene_of(bodies, floor(), friction=friction)


def cards(friction, seed=None, young=1e9, degrees=65.0):
    """Two pairs of cards that lean on each other, a card over them, and a pair on top."""
    long, thick = 0.2, 0.004
    mesh = pl.meshes.box((long, 0.12, thick), (3, 2, 1))
    flat, points = mesh.points - [0, 0, 0], []
    left = flat @ turn(np.radians(degrees))
    left -= [left[:, 0].max(), 0, left[:, 2].min()]
    gap = 2e-4
    pair = [left - [gap / 2, 0, -gap], left * [-1, 1, 1] + [gap / 2, 0, gap]]
    high = pair[0][:, 2].max()
    for shift in (-0.1, 0.1):
        points += [side + [shift, 0, 0] for side in pair]
    wide = pl.meshes.box((0.3, 0.12, thick), (4, 2, 1))
    points.append(wide.points - [0.15, 0, -high - gap])
    points += [side + [0, 0, high + gap + thick] for side in pair]
    mirrored = {"tet4": mesh.cells["tet4"][:, [1, 0, 2, 3]]}
    kinds = [mesh, pl.Mesh(mesh.points * [-1, 1, 1], mirrored)]
    meshes = [*kinds, *kinds, wide, *kinds]
    bodies = [
        solid(m, x, young, None if seed is None else 100 * seed + k, name=f"card {k}")
        for k, (m, x) in enumerate(zip(meshes, points, strict=True))
    ]
    return scene_of(bodies, floor(), friction=friction)
