"""A surface of polygons, as it is drawn: with texture coordinates and normals, if it has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pliant.errors import described
from pliant.given import floats, path_of

from .arguments import accept_groups
from .arrays import Floats, Indices
from .errors import MeshError, name_some

if TYPE_CHECKING:
    from .surface_report import SurfaceReport

#: Larger numbers [m, m/s, kg, s] are a mistake: the squares of their squares are no floats.
BEYOND_SENSE = 1e50


@dataclass(frozen=True)
class Surface:
    """Polygons between points [m].

    The corners of all faces stand one after the other in `corners`, as point indices; `sizes` says
    how many each face has. Texture coordinates and normals belong to corners, not to points: a seam
    gives one point several. `groups` maps a name to point indices.
    """

    points: Floats  # (m, 3)
    sizes: Indices  # (faces,)
    corners: Indices  # (k,), k = sum(sizes)
    uv: Floats | None = None  # (k, 2)
    normals: Floats | None = None  # (k, 3)
    groups: Mapping[str, Indices] = field(default_factory=dict)

    def __post_init__(self) -> None:
        points = _floats("points", self.points)
        sizes, corners = _whole("sizes", self.sizes), _whole("corners", self.corners)
        if points.ndim != 2 or points.shape[1] != 3:
            raise MeshError(f"Surface: got points of shape {points.shape}; expected (m, 3) [m]")
        bad = np.flatnonzero(~(np.abs(points) <= BEYOND_SENSE).all(axis=1))
        if len(bad):
            raise MeshError(
                f"Surface: points {name_some(bad)} are not finite, or farther than {BEYOND_SENSE:g} m",
                {"points": bad},
            )
        if not len(sizes) or sizes.min() < 3 or sizes.sum() != len(corners):
            raise MeshError(
                f"Surface: got {len(sizes)} faces and {len(corners)} corners; expected at least one "
                "face, three corners or more in each, and sizes that add up to the corners, as in "
                "pl.Surface.of(points, faces)"
            )
        bad = np.flatnonzero((corners < 0) | (corners >= len(points)))
        if len(bad):
            raise MeshError(
                f"Surface: corner {bad[0]} is point {corners[bad[0]]}; expected 0 to {len(points) - 1}"
            )
        set_ = object.__setattr__  # the class is frozen, and this is its making
        set_(self, "points", points)
        set_(self, "sizes", sizes)
        set_(self, "corners", corners)
        set_(self, "groups", accept_groups(self.groups, len(points)))
        for name, width in (("uv", 2), ("normals", 3)):
            array = getattr(self, name)
            if array is None:
                continue
            array = _floats(name, array)
            if array.shape != (len(corners), width):
                raise MeshError(
                    f"Surface: got {name} of shape {array.shape}; expected one row per corner of a "
                    f"face, ({len(corners)}, {width})"
                )
            set_(self, name, array)

    def __repr__(self) -> str:
        return f"<Surface of {len(self.points)} points and {len(self.sizes)} faces>"

    @classmethod
    def of(cls, points: ArrayLike, faces: Sequence[ArrayLike] | Indices) -> Surface:
        """A surface of faces, each a row of point indices: (t, 3) triangles, or a list of polygons."""
        listed = isinstance(faces, Sequence) and not isinstance(faces, (str, bytes))
        if not (listed or (isinstance(faces, np.ndarray) and faces.ndim)):
            raise MeshError(
                f"Surface.of: got faces of type {type(faces).__name__}; expected rows of at least 3 "
                "point indices, as in pl.Surface.of(points, [[0, 1, 2]])"
            )
        if not len(faces):
            raise MeshError("Surface.of: got no faces; expected rows of at least 3 point indices")
        rows = [_whole(f"face {i}", face) for i, face in enumerate(faces)]
        return cls(
            _floats("points", points), np.array([len(row) for row in rows]), np.concatenate(rows)
        )

    @classmethod
    def read(cls, path: str | Path) -> Surface:
        """Read .obj, .stl or .ply; lengths are taken as metres."""
        from .surface_files import read_surface

        return read_surface(path_of("Surface.read", path))

    def write(self, path: str | Path) -> None:
        """Write .obj: points, polygons, texture coordinates and normals."""
        from .surface_files import write_surface

        write_surface(self, path_of("Surface.write", path))

    def report(self) -> SurfaceReport:
        """Whether it is closed, manifold and oriented, its volume and holes; print it."""
        from .surface_report import report_on

        return report_on(self)

    @property
    def triangles(self) -> Indices:
        """The faces as fans of triangles, (t, 3): places in `corners`, so that uv come along."""
        starts = np.cumsum(self.sizes) - self.sizes
        fans = np.repeat(np.arange(len(self.sizes)), self.sizes - 2)
        first = np.cumsum(self.sizes - 2) - (self.sizes - 2)
        step = np.arange(len(fans)) - first[fans]
        return np.stack([starts[fans], starts[fans] + step + 1, starts[fans] + step + 2], axis=1)

    @property
    def following(self) -> Indices:
        """For each corner the next one around its face, as a place in `corners`."""
        ends = np.cumsum(self.sizes)
        after = np.arange(1, len(self.corners) + 1)
        after[ends - 1] = ends - self.sizes
        return after

    @property
    def lines(self) -> Indices | None:
        """The ends of its lines, (k, 2); None unless every face is a triangle with two points only."""
        if (self.sizes != 3).any():
            return None
        corners = self.corners.reshape(-1, 3)
        return corners[:, :2] if (corners[:, 1] == corners[:, 2]).all() else None

    def welded(self) -> Surface:
        """The same faces with points at exactly the same place made one, and unused ones dropped."""
        points, number, groups = self.places()
        return replace(self, points=points, corners=number[self.corners], groups=groups)

    def places(self) -> tuple[Floats, Indices, dict[str, Indices]]:
        """Places of its corners, each once; the place of each point, or -1; and groups of places."""
        used = np.zeros(len(self.points), dtype=bool)
        used[self.corners] = True
        number = np.full(len(self.points), -1)
        number[used], first = weld(self.points[used])
        groups = {name: np.unique(number[m][number[m] >= 0]) for name, m in self.groups.items()}
        return self.points[used][first], number, groups


def _floats(what: str, given: Any) -> Floats:
    try:
        return floats(given)
    except ValueError:
        raise MeshError(f"Surface: got {what} {described(given)}; expected numbers") from None


def _whole(what: str, given: Any) -> Indices:
    """Whole numbers in a row."""
    try:
        array = np.asarray(given)
        if array.ndim == 1 and array.size == 0:
            return np.empty(0, dtype=np.int64)
        if array.ndim == 1 and array.dtype.kind in "iu" and (array < 2**62).all():
            return array.astype(np.int64)
    except (ValueError, OverflowError):
        pass
    raise MeshError(f"Surface: got {what} {described(given)}; expected whole numbers in a row")


def weld(points: Floats) -> tuple[Indices, Indices]:
    """Number the distinct places in the order they first appear; and where each appears first."""
    points = points + 0.0  # -0.0 and 0.0 are one place
    order = np.lexsort(points.T[::-1])
    fresh = np.ones(len(points), dtype=bool)
    fresh[1:] = (points[order[1:]] != points[order[:-1]]).any(axis=1)
    label = np.empty(len(points), dtype=np.int64)
    label[order] = np.cumsum(fresh) - 1
    first = order[fresh]  # lexsort is stable, so the first of equals is the first given
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[label], np.sort(first)
