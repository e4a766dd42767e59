"""Takes as Wavefront OBJ, one file per frame."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pliant.mesh import Mesh, Skin
from pliant.take import Take, progress_bar

from .atomic import atomic_write
from .registry import writes
from .shown_obstacles import shown_obstacles
from .surfaces import body_paths, frame_path, refuse_wild


@writes(".obj", energies=False)
def save_obj(take: Take, path: Path) -> list[Path]:
    """Write beam_0000.obj, beam_0001.obj ... for "beam.obj"; a take of one frame is beam.obj itself.

    Several bodies: beam-BODY_0000.obj ... of each. Obstacles: beam-sphere.obj, once, or of every
    frame if they move. Metres, axes as simulated, uv and normals if the skin has them; points keep
    the order of `track.skin.surface.points`, or where a body is cut that of the topology of the frame.
    Files of an earlier, longer take are left where they are.
    """
    refuse_wild(take)
    written = []
    with progress_bar(len(take) * len(take.tracks), path.name) as advance:
        for track, target in zip(take.tracks, body_paths(take, path), strict=True):
            for own in track.topologies:
                for frame, x in enumerate(own.positions, own.first):
                    written.append(frame_path(take, target, frame))
                    write_skin(own.skin, own.mesh, x, written[-1])
                    advance()
    for obstacle in shown_obstacles(take):
        target = path.with_name(f"{path.stem}-{obstacle.name}{path.suffix}")
        for frame in range(len(take) if obstacle.moves else 1):
            written.append(frame_path(take, target, frame) if obstacle.moves else target)
            with atomic_write(written[-1]) as part:
                replace(obstacle.surface, points=obstacle.points_at(frame)).write(part)
    return written


def write_skin(skin: Skin, mesh: Mesh, x: np.ndarray, path: Path) -> None:
    """Write what is shown of a body whose mesh is at x (n, d)."""
    surface = replace(skin.surface, points=skin.positions(x), normals=skin.normals(x, mesh.points))
    with atomic_write(path) as part:
        surface.write(part)
