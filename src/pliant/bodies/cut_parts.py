"""The parts that a body was cut into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from pliant.mesh import Mesh, MeshChange
from pliant.problem import State

if TYPE_CHECKING:
    from .cuttable import Cuttable


@dataclass(frozen=True, eq=False)
class CutParts:
    """Parts of a body, and what it was when they had its state.

    state, changes: of the body then: when it has others, its parts are made anew. changed: the change of
    its mesh that selects the points and cells of each part.
    """

    state: State
    changes: int
    bodies: tuple[Cuttable, ...]
    changed: tuple[MeshChange, ...]

    def points(self, part: int) -> np.ndarray:
        """The numbers of the points of a part in the body."""
        return np.asarray(self.changed[part].points.indices)


def groups_of_points(components: np.ndarray, pinned: np.ndarray) -> list[np.ndarray]:
    """The points of each part, by number, in the order of their first.

    What pins hold altogether does not move: it belongs to the first part that does.
    """
    moves = np.bincount(components, ~pinned) > 0
    first = int(np.argmax(moves))
    label = np.where(moves, np.arange(len(moves)), first)[components]
    return [np.flatnonzero(label == part) for part in np.unique(label)]


def selection(mesh: Mesh, points: np.ndarray) -> MeshChange:
    """The mesh of some of the points of another, and of all cells between them."""
    number = np.full(len(mesh), -1)
    number[points] = np.arange(len(points))
    ((kind, cells),) = mesh.cells.items()
    own = np.flatnonzero(number[cells[:, 0]] >= 0)
    part = mesh.with_parts(mesh.points[points], {kind: number[cells[own]]}, {})
    weights = csr_array(
        (np.ones(len(points)), points, np.arange(len(points) + 1)), shape=(len(points), len(mesh))
    )
    return MeshChange(part, weights, own)


def together(states: Sequence[State], parts: CutParts) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of all points of the body when its parts have some states."""
    n = sum(len(change.mesh) for change in parts.changed)
    x = np.empty((n, states[0].x.shape[1]))
    v = np.empty_like(x)
    for k, state in enumerate(states):
        x[parts.points(k)], v[parts.points(k)] = state.x, state.v
    return x, v
