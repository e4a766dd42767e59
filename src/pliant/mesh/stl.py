"""STL: loose triangles, binary or ASCII, welded where their corners are exactly equal."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .arrays import Floats
from .errors import MeshError
from .surface import Surface, weld

_STL_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_stl(path: Path) -> Surface:
    """Read the triangles; their normals are left, for they say nothing that the corners do not."""
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    # Binary files may begin with "solid" too, so only their length tells.
    if len(data) == 84 + 50 * count and count:
        triangles = np.frombuffer(data, _STL_RECORD, count, offset=84)["corners"].astype(np.float64)
    elif data.lstrip()[:5].lower() == b"solid":
        triangles = _ascii(data.decode("ascii", errors="replace"), path)
    else:
        raise MeshError(
            f"{path} has {len(data)} bytes and says it has {count} triangles; a binary STL of so "
            f"many has {84 + 50 * count}, and an ASCII one begins with 'solid'"
        )
    bad = np.flatnonzero(~np.isfinite(triangles).all(axis=(1, 2)))
    if len(bad):
        raise MeshError(f"{path}: triangle {bad[0]} has a corner that is not finite")
    number, first = weld(triangles.reshape(-1, 3))
    faces = number.reshape(-1, 3)
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]  # a triangle without area joins nothing
    if not len(faces):
        raise MeshError(f"{path} has no triangle with three different corners")
    points = triangles.reshape(-1, 3)[first]
    return Surface(points, np.full(len(faces), 3), faces.ravel()).welded()


def _ascii(text: str, path: Path) -> Floats:
    corners: list[list[float]] = []
    begun = 0  # corners before the loop that is being read
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.lower().split()
        if not words:
            continue
        if words[0] == "outer":
            begun = len(corners)
        elif words[0] == "vertex":
            try:
                x, y, z = (float(word) for word in words[1:])
            except ValueError:
                raise MeshError(
                    f"{path}, line {number}: {line.strip()[:60]!r}: expected 'vertex x y z'"
                ) from None
            corners.append([x, y, z])
        elif words[0] == "endloop" and len(corners) - begun != 3:
            raise MeshError(
                f"{path}, line {number}: a facet of {len(corners) - begun} corners; expected 3"
            )
    if not corners or len(corners) % 3:
        raise MeshError(f"{path} ends after {len(corners)} corners; expected three per facet")
    return np.array(corners).reshape(-1, 3, 3)
