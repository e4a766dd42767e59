"""Takes as MDD point caches, for Lightwave, Modo, Houdini and Blender's Mesh Cache modifier."""

from __future__ import annotations

import struct
from pathlib import Path

from pliant.take import Take

from .mesh_cache import save_caches
from .registry import writes
from .surfaces import seconds


@writes(".mdd", energies=False)
def save_mdd(take: Take, path: Path) -> list[Path]:
    """Write NAME.mdd, and NAME_0000.obj with the first frame to put it on; NAME-BODY.mdd of several.

    Metres, axes as simulated, with the time of every frame [s]; points keep the order of
    `track.skin.surface.points`. In Blender: import the .obj, add a Mesh Cache modifier of format
    MDD, choose the .mdd.
    """
    return save_caches(take, path, _head, ">f4")


def _head(take: Take, points: int) -> bytes:
    """Frames, points, and the time of every frame; big-endian as all of the file."""
    return struct.pack(">ii", len(take), points) + seconds(take).astype(">f4").tobytes()
