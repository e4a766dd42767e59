"""What a surface is like: closed or with holes, manifold, oriented, and how large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Floats, Indices
from .surface import Surface, weld
from .topology import connected


@dataclass(frozen=True)
class Hole:
    """A chain of edges that have a face on one side only, and the box around it [m]."""

    edges: int
    low: tuple[float, float, float]
    high: tuple[float, float, float]

    def __str__(self) -> str:
        low, high = (", ".join(f"{v:.4g}" for v in end) for end in (self.low, self.high))
        return f"{self.edges} open edges from ({low}) to ({high})"


@dataclass(frozen=True)
class SurfaceReport:
    """Counts and checks of a surface, as `surface.report()` makes them."""

    points: int
    faces: int
    shells: int  # connected parts
    holes: tuple[Hole, ...]  # longest first
    branching_edges: int  # edges with three faces or more
    flipped_edges: int  # edges whose two faces run the same way along them
    duplicates: int  # points at the place of another; `surface.welded()` makes them one
    area: float  # [m^2]
    volume: float  # [m^3], signed: negative if normals point inward; of closed surfaces

    @property
    def open_edges(self) -> int:
        """The number of edges with a face on one side only."""
        return sum(hole.edges for hole in self.holes)

    @property
    def openings(self) -> str:
        """Open edges and holes in words."""
        return f"{self.open_edges} open edges in {_count(len(self.holes), 'hole')}"

    @property
    def closed(self) -> bool:
        """Whether water would stay in: no edge has a face on one side only."""
        return not self.holes

    @property
    def manifold(self) -> bool:
        """Whether no edge has more than two faces."""
        return not self.branching_edges

    @property
    def oriented(self) -> bool:
        """Whether neighbouring faces agree on which side is out."""
        return not self.flipped_edges

    def __str__(self) -> str:
        counts = f"{self.points} points, {self.faces} faces, {_count(self.shells, 'shell')}"
        lines = [f"{counts}, area {self.area:.6g} m^2"]
        if self.closed:
            inward = " (negative: its faces point inward)" if self.volume < 0 else ""
            lines.append(f"closed, volume {self.volume:.6g} m^3{inward}")
        else:
            lines.append(f"not closed: {self.openings}")
            lines += [f"  {hole}" for hole in self.holes[:5]]
            if len(self.holes) > 5:
                lines.append(f"  and {len(self.holes) - 5} smaller ones")
        if not self.manifold:
            lines.append(f"three faces or more at {_count(self.branching_edges, 'edge')}")
        if not self.oriented:
            lines.append(
                f"faces disagree on which side is out at {_count(self.flipped_edges, 'edge')}"
            )
        if self.duplicates:
            lines.append(
                f"{self.duplicates} points are at the place of another: surface.welded() joins them"
            )
        return "\n".join(lines)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def report_on(surface: Surface) -> SurfaceReport:
    """Check a surface."""
    tail, head = surface.corners, surface.corners[surface.following]
    real = tail != head
    tail, head = tail[real], head[real]
    low, high = np.minimum(tail, head), np.maximum(tail, head)
    keys, edge, count = np.unique(
        low * len(surface.points) + high, return_inverse=True, return_counts=True
    )
    ways = np.bincount(edge, np.where(tail < head, 1, -1), minlength=len(keys))
    labels = connected(tail, head, len(surface.points))
    a, b, c = (surface.points[surface.corners[i]] for i in surface.triangles.T)
    middle = (surface.points.min(axis=0) + surface.points.max(axis=0)) / 2
    area = np.cross(b - a, c - a)
    return SurfaceReport(
        points=len(surface.points),
        faces=len(surface.sizes),
        shells=len(np.unique(labels[surface.corners])),
        holes=_holes(surface.points, keys[count == 1]),
        branching_edges=int((count > 2).sum()),
        flipped_edges=int(((count == 2) & (ways != 0)).sum()),
        duplicates=len(surface.points) - len(weld(surface.points)[1]),
        area=float(np.linalg.norm(area, axis=1).sum() / 2),
        volume=float(np.einsum("ti,ti->", a - middle, area) / 6),
    )


def _holes(points: Floats, keys: Indices) -> tuple[Hole, ...]:
    if not len(keys):
        return ()
    first, other = keys // len(points), keys % len(points)
    labels = connected(first, other, len(points))[first]
    holes = []
    for label in np.unique(labels):
        chosen = labels == label
        ends = points[np.concatenate([first[chosen], other[chosen]])]
        low, high = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
        holes.append(Hole(int(chosen.sum()), tuple(low), tuple(high)))
    return tuple(sorted(holes, key=lambda hole: -hole.edges))
