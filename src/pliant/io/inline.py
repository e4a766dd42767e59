"""What takes, scenes and meshes show of themselves in a notebook: the page of a take, in the cell."""

from __future__ import annotations

import html
import math

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.mesh import Mesh, Skin
from pliant.take import SOLVER, Take, Track

from .html import page

#: Bytes of positions up to which a take is put into a notebook, whose file has to hold it.
MOST_BYTES = 40e6
_HEIGHTS = {"plays": 560, "still": 400}  # pixels


def inline(take: Take) -> str:
    """A take as an element of a page: nothing is served or fetched, and it plays in the saved file."""
    size = sum(6.0 * math.prod((len(take), len(t.skin.surface.points))) for t in take.tracks)
    if size > MOST_BYTES:
        return (
            f"<p>{html.escape(repr(take))} has {size / 1e6:.0f} MB of positions, too many for a "
            "notebook: take.resampled(fps=10) or take.show()</p>"
        )
    height = _HEIGHTS["plays" if len(take) > 1 else "still"]
    return (
        f'<iframe srcdoc="{html.escape(page(take))}" sandbox="allow-scripts" title="pliant" '
        f'style="width: 100%; height: {height}px; border: 0" loading="lazy"></iframe>'
    )


def inline_scene(
    bodies: list[Deformable], obstacles: list[Obstacle], gravity: np.ndarray, time: float
) -> str:
    """The bodies of a scene where they are now, among its obstacles."""
    if not bodies:
        return "<p>A scene without bodies</p>"
    tracks = [_still(body.name, body.mesh, body.skin, body.positions, time) for body in bodies]
    about = {
        "gravity": gravity.tolist(),
        "obstacles": [o.facts() for o in obstacles if not o.moves],
    }
    return inline(Take(tracks, dt=0.0, about=about))


def inline_mesh(mesh: Mesh) -> str:
    """A mesh with its lines."""
    words = f"{len(mesh)} points, " + ", ".join(f"{len(c)} {k}" for k, c in mesh.cells.items())
    return inline(Take([_still(words, mesh, Skin.bare(mesh), mesh.points, 0.0)], dt=0.0))


def _still(name: str, mesh: Mesh, skin: Skin, x: np.ndarray, time: float) -> Track:
    """A track of one frame."""
    return Track(
        name=name,
        mesh=mesh,
        times=np.array([time]),
        positions=np.asarray(x)[None],
        velocities=np.zeros((1, *mesh.points.shape)),
        count_energies=None,
        solver=np.zeros(0, SOLVER),
        rests=None,
        masses=np.ones(len(mesh)),
        pinned=np.zeros(len(mesh), dtype=bool),
        components=mesh.components,
        asked={},
        skin=skin,
    )
