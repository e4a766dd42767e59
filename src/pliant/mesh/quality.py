"""How good the cells of a mesh are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Floats, Indices
from .kinds import KINDS
from .measures import corner_determinants, corner_frames, edge_lengths, measure

if TYPE_CHECKING:
    from .mesh import Mesh


@dataclass(frozen=True)
class MeshQuality:
    """Counts, sizes and shapes of a mesh, as `mesh.quality()` reports them."""

    points: int
    cells: dict[str, int]  # kind -> number of cells
    edge_min: float  # [m]
    edge_mean: float
    edge_max: float
    worst: float  # shape quality: 1 equilateral, 0 flat
    mean: float
    worst_cells: tuple[tuple[str, int], ...]  # (kind, index), worst first, at most ten
    volume: float  # [m^3], [m^2] for plane and surface meshes, [m] for lines
    components: int

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.cells.items())
        kind, index = self.worst_cells[0]
        top = max(KINDS[name].dim for name in self.cells)
        size, unit = {1: ("length", "m"), 2: ("area", "m^2"), 3: ("volume", "m^3")}[top]
        parts = "1 component" if self.components == 1 else f"{self.components} components"
        return (
            f"{self.points} points, {kinds}, {size} {self.volume:.6g} {unit}, {parts}\n"
            f"edges {self.edge_min:.4g} to {self.edge_max:.4g} m, mean {self.edge_mean:.4g} m\n"
            f"shape quality worst {self.worst:.3f} ({kind} cell {index}), mean {self.mean:.3f}"
        )


def shape_quality(points: Floats, kind: str, cells: Indices) -> Floats:
    """Mean-ratio quality of each cell: 1 for the equilateral cell, 0 for a flat one.

    tri: 4 sqrt(3) A / sum l^2;  tet: 12 (3 V)^(2/3) / sum l^2;
    quad and hex: the worst corner's d det^(2/d) / sum of its squared edges.
    Quadratic kinds are judged by their corners, lines are always 1.
    Source: Knupp, SIAM J. Sci. Comput. 23 (2001), algebraic mesh quality metrics.
    """
    shape = KINDS[kind].shape
    if shape == "line":
        return np.ones(len(cells))
    if shape in ("quad", "hex"):
        frames = corner_frames(points, kind, cells)
        d = frames.shape[2]
        # A straight corner may round to a negative determinant, which has no fractional power.
        determinants = np.maximum(corner_determinants(frames), 0.0)
        corners = d * determinants ** (2 / d) / (frames**2).sum(axis=(2, 3))
        return np.asarray(corners.min(axis=1))
    squares = (edge_lengths(points, kind, cells) ** 2).sum(axis=1)
    size = measure(points, kind, cells)
    filled = 4 * np.sqrt(3) * size if shape == "tri" else 12 * (3 * size) ** (2 / 3)
    return np.asarray(filled / squares)


def quality_of(mesh: Mesh) -> MeshQuality:
    """Measure a mesh."""
    by_kind = {k: shape_quality(mesh.points, k, nodes) for k, nodes in mesh.cells.items()}
    every = np.concatenate(list(by_kind.values()))
    owner = np.repeat(np.arange(len(by_kind)), [len(v) for v in by_kind.values()])
    local = np.concatenate([np.arange(len(v)) for v in by_kind.values()])
    kinds = list(by_kind)
    worst = np.argsort(every, kind="stable")[:10]
    ends = mesh.points[mesh.edges]
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    return MeshQuality(
        points=len(mesh),
        cells={kind: len(nodes) for kind, nodes in mesh.cells.items()},
        edge_min=float(lengths.min()),
        edge_mean=float(lengths.mean()),
        edge_max=float(lengths.max()),
        worst=float(every.min()),
        mean=float(every.mean()),
        worst_cells=tuple((kinds[owner[i]], int(local[i])) for i in worst),
        volume=mesh.volume,
        components=int(mesh.components.max()) + 1,
    )
