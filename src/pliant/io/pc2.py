"""Takes as PC2 point caches, for Blender's Mesh Cache modifier, 3ds Max and others."""

from __future__ import annotations

import struct
from pathlib import Path

from pliant.take import Take

from .mesh_cache import save_caches
from .registry import writes


@writes(".pc2", energies=False)
def save_pc2(take: Take, path: Path) -> list[Path]:
    """Write NAME.pc2, and NAME_0000.obj with the first frame to put it on; NAME-BODY.pc2 of several.

    Metres, axes as simulated, one sample per frame from frame 0 on; points keep the order of
    `track.skin.surface.points`. In Blender: import the .obj, add a Mesh Cache modifier, choose the
    .pc2; the scene's frame rate has to be the take's, which the format does not hold.
    """
    return save_caches(take, path, _head, "<f4")


def _head(take: Take, points: int) -> bytes:
    """Name, version, points, first frame, frames per sample, samples."""
    return struct.pack("<12siiffi", b"POINTCACHE2", 1, points, 0.0, 1.0, len(take))
