"""Scenes with contact, and what is measured in them."""

from __future__ import annotations

import numpy as np

import pliant as pl
from pliant.contact import crossing_bodies

BOX = pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2))


def floor(**how):
    return pl.HalfSpace((0, 0, 0), (0, 0, 1), name="floor", **how)


def box(*at, young=1e6, velocity=(0, 0, 0), mesh=BOX, **how):
    """A soft box with a corner at a place."""
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3), density=1000.0, **how)
    body.place(mesh.points + np.array(at or (0, 0, 0)))
    body.velocity = velocity
    return body


def on_floor(*bodies, gravity=(0, 0, -9.81), obstacles=(), **how):
    """A scene of bodies that fall on a floor."""
    scene = pl.Scene(list(bodies), gravity=gravity, contact=pl.Contact(**how))
    scene.add(floor(), *obstacles)
    return scene


def island(scene):
    return scene.problem("cpu").islands[0].system


def stacked(scene, name):
    return np.concatenate([getattr(body.state, name) for body in scene.bodies])


def energy(scene):
    """Kinetic, elastic, of the barrier and of gravity [J]."""
    system, x, v = island(scene), stacked(scene, "x"), stacked(scene, "v")
    moving = 0.5 * float(system.masses @ (v**2).sum(axis=1))
    return moving + system.value(x) - float(system.masses @ (x @ scene.gravity))


def crossings(scene, take):
    """The bodies that cross in any frame of a take."""
    system = island(scene)
    tracks = [track.positions for track in take.tracks]
    found = set()
    for frames in zip(*tracks, strict=True):
        x = system.assembly.array(np.concatenate(frames))
        found |= set(crossing_bodies(system.contact, x))
    return found


def momentum(scene):
    return sum((b.masses[:, None] * b.state.v).sum(axis=0) for b in scene.bodies)
