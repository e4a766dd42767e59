"""Bodies as VTK wants them: unstructured grids with fields on their points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import Mesh, in_space
from pliant.take import Topology, Track, flowing_cells

#: VTK's number of each kind of cell; its node order is ours.
VTK_TYPES = {
    "vertex": 1,
    "line2": 3,
    "tri3": 5,
    "quad4": 9,
    "tet4": 10,
    "hex8": 12,
    "line3": 21,
    "tri6": 22,
    "quad8": 23,
    "tet10": 24,
    "hex20": 25,
    "quad9": 28,
}


@dataclass(frozen=True)
class Cells:
    """Cells of all kinds, one after the other."""

    connectivity: np.ndarray  # point indices
    ends: np.ndarray  # (cells,): where each cell ends in connectivity
    types: np.ndarray  # (cells,)

    @classmethod
    def of(cls, mesh: Mesh) -> Cells:
        """The cells of a mesh."""
        lengths = [np.full(len(nodes), nodes.shape[1]) for nodes in mesh.cells.values()]
        types = [np.full(len(nodes), VTK_TYPES[kind]) for kind, nodes in mesh.cells.items()]
        return cls(
            np.concatenate([nodes.ravel() for nodes in mesh.cells.values()]).astype(np.int64),
            np.cumsum(np.concatenate(lengths)).astype(np.int64),
            np.concatenate(types).astype(np.uint8),
        )


class VtkGrid:
    """The whole mesh of a body, not its skin: points [m] and fields, in the frames that have this mesh.

    Fields: velocity [m/s] and displacement from the mesh as it was made [m], (n, 3); distance_to_rest
    [m], (n,), without rigid motion, if the body has a rest shape; pinned, (n,). Of cells: plastic, the
    equivalent plastic strain, (cells,), if the body can flow.
    """

    def __init__(self, track: Track, own: Topology):
        self.track, self.name, self.own = track, track.name, own
        self.cells = Cells.of(own.mesh)
        self.frames = range(own.first, own.first + len(own.positions))
        self._in_last = own.in_last

    @classmethod
    def of(cls, track: Track) -> list[VtkGrid]:
        """Those of a body, one for each mesh that it has."""
        return [cls(track, own) for own in track.topologies]

    def points(self, frame: int) -> np.ndarray:
        """Positions [m], (n, 3)."""
        return in_space(self.own.positions[frame - self.own.first])

    def fields(self, frame: int) -> dict[str, np.ndarray]:
        """The fields of a frame by name."""
        own, row = self.own, frame - self.own.first
        fields: dict[str, np.ndarray] = {
            "velocity": in_space(own.velocities[row]),
            "displacement": in_space(own.positions[row] - own.mesh.points),
            "pinned": own.pinned.astype(np.uint8),
        }
        if self.track.rests is not None:
            u = self.track.displacement(frame)
            fields["distance_to_rest"] = np.linalg.norm(u, axis=1)[self._in_last]
        return fields

    def cell_fields(self, frame: int) -> dict[str, np.ndarray]:
        """The fields on cells of a frame by name; zero on cells that are of another dimension."""
        plastic, mesh = self.own.plastic, self.own.mesh
        known = {} if plastic is None else flowing_cells(mesh, plastic.shape[1])
        if plastic is None or not known:
            return {}
        found, values, first = [], plastic[frame - self.own.first], 0
        for kind, cells in mesh.cells.items():
            count = len(cells) if kind in known else 0
            found.append(values[first : first + count] if count else np.zeros(len(cells)))
            first += count
        return {"plastic": np.concatenate(found)}
