"""Scenes with contact, and what is measured in them."""

from __future__ import annotations

import numpy as np

import pliant as pl
from pliant.contact import crossing_bodies
from pliant.contact.closest import EDGE_EDGE

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
    return scene.problem("cpu").meeting.island.system


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


def pushes(scene):
    """The forces [N] up on the first of two bodies, or of a body and a plane, by their numbers."""
    system, found = island(scene), {}
    contact, x = system.contact, system.assembly.array(stacked(scene, "x"))
    surface, bodies = contact.surface, len(contact.surface.bodies)
    pairs = contact.near(x)[1]
    touch, stencils = pairs.touch(contact.placed(x)), pairs.stencils.numpy()
    kinds = pairs.kinds.numpy()
    for s, kind, f, n in zip(stencils, kinds, touch.forces, touch.normals, strict=True):
        other = s[2] if kind == EDGE_EDGE else s[1]
        second = bodies - 2 - s[1] if s[1] < -1 else surface.body[other]
        key, up = (int(surface.body[s[0]]), int(second)), f * n[2]
        if key[0] > key[1]:
            key, up = key[::-1], -up
        found[key] = found.get(key, 0.0) + up
    return found
