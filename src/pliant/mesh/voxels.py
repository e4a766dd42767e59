"""A closed surface filled with boxes of one size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pliant.resources import require_memory

from .arrays import Floats, Indices
from .errors import MeshError
from .mesh import Mesh
from .surface import Surface

#: Rays pass so far beside the middle of a box, as shares of its sides: none meets an edge.
BESIDE = (1.1e-6, 1.7e-6)
#: Bytes that are needed for each box of the grid.
PER_BOX = 40
#: The corners of a box in VTK order.
CORNERS = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
)


@dataclass(frozen=True, eq=False)
class Voxels:
    """Boxes of a grid, of which `full` (nx, ny, nz) are inside of a surface.

    origin [m], (3,): the lowest corner of the grid. sides [m], (3,): of each box.
    """

    full: np.ndarray
    origin: Floats
    sides: Floats

    @classmethod
    def inside(cls, surface: Surface, spacing: float) -> Voxels:
        """The boxes whose middle is in a closed surface.

        The grid fills the box around the surface: its sides are divided evenly, into pieces of about
        `spacing` [m].
        """
        low = surface.points[surface.corners].min(axis=0)
        extent = surface.points[surface.corners].max(axis=0) - low
        counts = np.maximum(1.0, np.round(extent / spacing))
        where = f"a grid of {' x '.join(f'{n:g}' for n in counts)} boxes"
        require_memory(where, PER_BOX * float(counts.prod()), f"spacing={4.0 * spacing:g} or more")
        sides = extent / counts
        full = _full(surface, low, sides, counts.astype(int))
        _require_one_piece(full, spacing)
        return cls(full, low, sides)

    @cached_property
    def numbers(self) -> Indices:
        """The number of each point of the grid in the mesh, (nx + 1, ny + 1, nz + 1); -1: unused."""
        used = np.zeros(np.array(self.full.shape) + 1, dtype=bool)
        boxes = np.argwhere(self.full)
        for corner in CORNERS:
            used[tuple((boxes + corner).T)] = True
        out = np.full(used.shape, -1)
        out[used] = np.arange(used.sum())
        return out

    @cached_property
    def mesh(self) -> Mesh:
        """The boxes as hexahedra."""
        points = self.origin + self.sides * np.argwhere(self.numbers >= 0)
        boxes = np.argwhere(self.full)
        cells = np.stack([self.numbers[tuple((boxes + c).T)] for c in CORNERS], axis=1)
        return Mesh(points, {"hex8": cells})


def _full(surface: Surface, low: Floats, sides: Floats, counts: Indices) -> np.ndarray:
    """Which boxes have their middle inside: a ray upwards leaves the surface an odd number of times."""
    corners = (surface.points[surface.corners[surface.triangles]] - low) / sides - 0.5
    corners[..., :2] -= BESIDE
    # Columns of the grid in the shadow of each triangle.
    begin = np.maximum(np.ceil(corners[..., :2].min(axis=1)).astype(int), 0)
    end = np.minimum(np.floor(corners[..., :2].max(axis=1)).astype(int) + 1, counts[:2])
    wide = np.maximum(end - begin, 0)
    shadows = wide.prod(axis=1)
    which = np.repeat(np.arange(len(corners)), shadows)
    place = np.arange(len(which)) - np.repeat(np.cumsum(shadows) - shadows, shadows)
    i, j = begin[which, 0] + place // wide[which, 1], begin[which, 1] + place % wide[which, 1]
    a, b, c = (corners[which, k] - np.stack([i, j, 0 * i], axis=1) for k in range(3))
    areas = np.stack([_across(b, c), _across(c, a), _across(a, b)], axis=1)
    whole = areas.sum(axis=1)
    met = ((areas > 0.0).all(axis=1) | (areas < 0.0).all(axis=1)) & (whole != 0.0)
    areas, whole = areas[met], whole[met]
    height = (areas[:, 0] * a[met, 2] + areas[:, 1] * b[met, 2] + areas[:, 2] * c[met, 2]) / whole
    first = np.clip(np.ceil(height), 0, counts[2]).astype(int)  # the first middle above
    crossed = np.zeros((*counts[:2], counts[2] + 1), dtype=np.int64)
    np.add.at(crossed, (i[met], j[met], first), 1)
    out: np.ndarray = np.cumsum(crossed, axis=2)[:, :, :-1] % 2 == 1
    return out


def _across(u: Floats, v: Floats) -> Floats:
    """Twice the signed area that two arms span in the plane of x and y."""
    out: Floats = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    return out


def _require_one_piece(full: np.ndarray, spacing: float) -> None:
    """Refuse boxes that do not hang together by their faces."""
    from scipy.ndimage import label  # which most meshes do not need

    pieces = label(full)[1]
    if pieces != 1:
        told = "no box is" if pieces == 0 else f"boxes in {pieces} pieces are"
        raise MeshError(
            f"{told} inside of the surface; expected one piece: spacing={0.5 * spacing:g} or less, or a "
            "surface whose parts are joined"
        )
