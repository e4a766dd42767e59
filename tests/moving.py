"""Takes that move in known ways, without a solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import pliant as pl
from pliant.mesh.skin import Skin
from pliant.take import ENERGIES, SOLVER, Take, Track

#: Coordinates go through 32-bit floats once; glTF and Blender add two of them.
ROUNDING = 2.0 * float(np.finfo(np.float32).eps)


def moving(mesh: pl.Mesh, name: str, times: np.ndarray, skin: Skin | None = None) -> Track:
    """A track that sways so that no two points move alike."""
    count, dim = mesh.points.shape
    phase = np.arange(count)[:, None] * 0.37 + np.arange(dim)
    sway = 0.2 * np.sin(7.0 * times[:, None, None] + phase)
    return Track(
        name=name,
        mesh=mesh,
        times=times,
        positions=mesh.points + sway,
        velocities=1.4 * np.cos(7.0 * times[:, None, None] + phase),
        count_energies=lambda: np.zeros(len(times), ENERGIES),
        solver=np.zeros(0, SOLVER),
        rests=None,
        masses=np.ones(count),
        components=mesh.components,
        pinned=np.zeros(count, dtype=bool),
        asked={"rest_in": 0.5, "bounces": None, "within": 0.01},
        skin=Skin.bare(mesh) if skin is None else skin,
    )


def textured(mesh: pl.Mesh, *, normals: bool) -> Skin:
    """The boundary shrunk a little and carried by the cells, with texture and normals per face."""
    surface = Skin.bare(mesh).surface
    starts = np.cumsum(surface.sizes) - surface.sizes
    place = np.arange(len(surface.corners)) - np.repeat(starts, surface.sizes)
    face = np.repeat(np.arange(len(surface.sizes)), surface.sizes)
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    # Every second face repeats the texture of the one before: some points are on seams, some not.
    uv = (square[place] + np.stack([face // 2 % 5, face // 10], axis=1)) / 32.0
    a, b, c = (surface.points[surface.corners[starts + k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    middle = surface.points.mean(axis=0)
    surface = replace(
        surface,
        points=middle + 0.9 * (surface.points - middle),
        uv=uv,
        normals=faces[face] if normals else None,
    )
    return Skin.on(mesh, surface)


def moving_take(
    frames: int = 5, fps: float = 30.0, *, bodies: int = 3, normals: bool = True
) -> Take:
    """A textured hex body, a tet body of the same name and a plane one, from time 2 s on."""
    times = 2.0 + np.arange(frames) / fps
    hexes = pl.meshes.box(size=(1, 2, 1), cells=(1, 3, 2), kind="hex")
    solid = pl.meshes.box(size=(2, 1, 1), cells=(2, 1, 1))
    plane = pl.meshes.rectangle(size=(2, 1), cells=(3, 2))
    tracks = [
        moving(hexes, "Körper 1/2", times, textured(hexes, normals=normals)),
        moving(solid, "Körper 1/2", times),
        moving(plane, "plate", times),
    ]
    return Take(tracks[:bodies], dt=1.0 / fps)


def shown(take: Take, body: int, frame: int) -> np.ndarray:
    """What a file has to say of the points of a body."""
    track = take.tracks[body]
    return track.skin.positions(track.positions[frame])


def equal(found: np.ndarray, expected: np.ndarray) -> bool:
    """Whether points are the same but for the rounding of coordinates of their size."""
    if np.shape(found) != np.shape(expected):
        return False
    return bool(np.abs(found - expected).max() <= ROUNDING * np.abs(expected).max())
