"""What a kind of body states about itself, for scene files, checks and steppers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pliant.errors import described
from pliant.given import array_of
from pliant.mesh import Mesh

#: Cells without points between their corners.
LINEAR_CELLS = frozenset({"line2", "tri3", "quad4", "tet4", "hex8"})


class BodyKind:
    """The attributes of a kind of body, and how its points make up nodes.

    A node is what a file selects, pins and pushes: a point of the mesh that the file describes. In most
    bodies a node is one point. A body that makes several points of a node states how many.
    """

    word: ClassVar[str] = ""
    """The field of scene files that makes one; "" if none does."""
    cells: ClassVar[frozenset[str]] = frozenset()
    """The kinds of cells that it can be made of."""
    in_space: ClassVar[bool] = False
    """Whether its mesh is in 3D."""
    of_faces: ClassVar[bool] = False
    """Whether its cells are the faces of a surface file."""
    own_mesh: ClassVar[bool] = False
    """Whether it makes a mesh of its own inside of the one that a file describes."""
    static: ClassVar[bool] = False
    """Whether it is a static model, which has no motion but that which `pl.Settle` gives it."""
    of_conditions: ClassVar[bool] = False
    """Whether all its energies are conditions, which `pl.XPBD` moves."""
    sections: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Parameters that give its cross-section: exactly one of these sets is given."""
    touches: ClassVar[bool] = True
    """Whether contact, obstacles and ties can act on it."""
    points_per_node: ClassVar[int] = 1
    """How many of its points share what acts on a node."""

    def __len__(self) -> int:
        raise NotImplementedError

    @classmethod
    def _require_mesh(cls, given: Any) -> None:
        if not isinstance(given, Mesh):
            raise TypeError(
                f"{cls.__name__}: got mesh of type {type(given).__name__}; expected pl.Mesh"
            )

    @classmethod
    def _require_sheet(cls, mesh: Mesh) -> None:
        if mesh.dim != 3 or not set(mesh.cells) <= cls.cells:
            what = "triangles" if cls.cells == {"tri3"} else "tri or quad cells"
            raise ValueError(
                f"{cls.__name__}: got {mesh!r}; expected {what} in 3D. A sheet of the plane gets there "
                "with pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)"
            )

    @property
    def node_count(self) -> int:
        """How many nodes it has."""
        return len(self) // self.points_per_node

    @property
    def owners(self) -> np.ndarray:
        """The node that each point belongs to, (points,)."""
        return np.arange(len(self)) // self.points_per_node

    def points_at(self, nodes: np.ndarray) -> np.ndarray:
        """The mask of the points that belong to nodes, of a mask over these."""
        chosen = array_of(nodes)
        if chosen.dtype != bool or chosen.shape != (self.node_count,):
            raise ValueError(
                f"points_at: got {described(nodes)}; expected a mask of {self.node_count} nodes"
            )
        return np.asarray(chosen[self.owners])

    def bearers_at(self, nodes: np.ndarray) -> np.ndarray:
        """The mask of the points that share a force on nodes, of a mask over these."""
        return self.points_at(nodes)
