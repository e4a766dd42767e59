"""Bodies as VTK wants them: unstructured grids with fields on their points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import Mesh, in_space
from pliant.take import Track

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
    """The whole mesh of a body, not its skin: points [m] and fields, frame by frame.

    Fields: velocity [m/s] and displacement from the mesh as it was made [m], (n, 3); distance_to_rest
    [m], (n,), without rigid motion, if the body has a rest shape; pinned, (n,). Of cells: plastic, the
    equivalent plastic strain, (cells,), if the body can flow.
    """

    def __init__(self, track: Track):
        self.track, self.name = track, track.name
        self.cells = Cells.of(track.mesh)

    def points(self, frame: int) -> np.ndarray:
        """Positions [m], (n, 3)."""
        return in_space(self.track.position_frames[frame])

    def fields(self, frame: int) -> dict[str, np.ndarray]:
        """The fields of a frame by name."""
        track = self.track
        fields: dict[str, np.ndarray] = {
            "velocity": in_space(track.velocity_frames[frame]),
            "displacement": in_space(track.position_frames[frame] - track.mesh.points),
            "pinned": track.pinned.astype(np.uint8),
        }
        if track.rests is not None:
            fields["distance_to_rest"] = np.linalg.norm(track.displacement(frame), axis=1)
        return fields

    def cell_fields(self, frame: int) -> dict[str, np.ndarray]:
        """The fields on cells of a frame by name; zero on cells that are of another dimension."""
        track, known = self.track, self.track.flowing_cells
        if track.plastic is None or not known:
            return {}
        found, values, first = [], track.plastic[frame], 0
        for kind, cells in track.mesh.cells.items():
            count = len(cells) if kind in known else 0
            found.append(values[first : first + count] if count else np.zeros(len(cells)))
            first += count
        return {"plastic": np.concatenate(found)}
