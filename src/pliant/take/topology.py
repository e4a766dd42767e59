"""What a body is while its mesh stays, and its frames at the points of its last mesh."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from pliant.elements import by_name
from pliant.mesh import Mesh, MeshChange, Skin

from .frames import Frames, LazyFrames
from .sewing import closed


@dataclass(frozen=True, eq=False, kw_only=True)
class Topology:
    """A body from frame `first` on, until the first frame of the next topology.

    positions, velocities: its own frames, (k, n, d), with the points of its own mesh; rests, plastic:
    of these frames, if known. change: what made this mesh of the one before; None of the first. later:
    what all that come make of it, with their cuts closed; None of the last. `later.points` is the
    matrix, (points of the last mesh, points of this one), that sews a frame.
    """

    first: int
    mesh: Mesh
    skin: Skin
    masses: np.ndarray
    pinned: np.ndarray
    components: np.ndarray
    positions: Frames
    velocities: Frames
    rests: Sequence[np.ndarray] | None = None
    plastic: np.ndarray | None = None
    change: MeshChange | None = None
    later: MeshChange | None = None

    def sewn(self, values: np.ndarray) -> np.ndarray:
        """Values at its points, (n, ...), at the points of the last mesh."""
        return values if self.later is None else self.later.carried(values)

    @property
    def in_last(self) -> np.ndarray:
        """Of each of its points one of the last mesh that is at the same place until it is cut, (n,)."""
        found = np.arange(len(self.mesh))
        if self.later is not None:
            of_last, own = _by_weight(self.later.points)
            found[own] = of_last
        return found

    @property
    def part_of_last(self) -> np.ndarray:
        """The connected part that each point of the last mesh is in while this one stays, (n,)."""
        if self.later is None:
            return self.components
        of_last, own = _by_weight(self.later.points)
        found = np.zeros(self.later.points.shape[0], dtype=np.int64)
        found[of_last] = self.components[own]
        return found

    def loaded(self) -> Topology:
        """The same with its frames in memory."""
        rests = None if self.rests is None else list(self.rests)
        x, v = np.asarray(self.positions), np.asarray(self.velocities)
        return replace(self, positions=x, velocities=v, rests=rests)


def _by_weight(points: csr_array) -> tuple[np.ndarray, np.ndarray]:
    """New points and the old ones that are their parents, the heaviest last, which then stays."""
    matrix = points.tocoo()
    order = np.argsort(matrix.data, kind="stable")
    return matrix.row[order], matrix.col[order]


def as_one(changes: Sequence[MeshChange]) -> MeshChange:
    """Changes one after the other, as one."""
    whole = changes[0]
    for change in changes[1:]:
        whole = whole.then(change)
    return whole


def in_order(topologies: Sequence[Topology]) -> tuple[Topology, ...]:
    """Topologies that know what later changes make of them."""
    found: list[Topology] = []
    later: MeshChange | None = None
    for each in reversed(topologies):
        found.append(replace(each, later=later))
        if each.change is not None:
            sewn = closed(each.change)
            later = sewn if later is None else sewn.then(later)
    return tuple(reversed(found))


def at_frame(topologies: Sequence[Topology], frame: int) -> Topology:
    """The one that a frame has."""
    return topologies[bisect_right([each.first for each in topologies], frame) - 1]


def sewn_frames(
    topologies: Sequence[Topology], frames_of: Callable[[Topology], Frames]
) -> LazyFrames:
    """The frames of all topologies one after the other, at the points of the last mesh.

    A point that a cut will make is where its parents put it: the mesh is sewn until it is cut.
    """
    last = topologies[-1]
    shape = (last.first + len(last.positions), *last.mesh.points.shape)

    def frame(number: int) -> np.ndarray:
        own = at_frame(topologies, number)
        return own.sewn(np.asarray(frames_of(own)[number - own.first]))

    return LazyFrames(shape, frame)


def sewn_rests(topologies: Sequence[Topology]) -> Sequence[np.ndarray] | None:
    """The rest shape of every frame; the nearest that is known where a topology has none."""
    known = [each for each in topologies if each.rests is not None]
    if not known:
        return None

    last = topologies[-1]
    shape = (last.first + len(last.positions), *last.mesh.points.shape)

    def frame(number: int) -> np.ndarray:
        own = at_frame(topologies, number)
        place = number - own.first
        if own.rests is None:
            after = [each for each in known if each.first > number]
            own, place = (after[0], 0) if after else (known[-1], -1)
        assert own.rests is not None
        return own.sewn(np.asarray(own.rests[place]))

    return LazyFrames(shape, frame)


def sewn_plastic(topologies: Sequence[Topology]) -> np.ndarray | None:
    """The plastic strain of the cells of the last mesh: each has that of the cell it is a piece of.

    Of other terms than cells, such as bends, nothing is known before the last change: NaN.
    """
    last = topologies[-1]
    if last.plastic is None:
        return None
    found = np.full((last.first + len(last.positions), last.plastic.shape[1]), np.nan)
    for each in topologies:
        if each.plastic is None:
            continue
        rows = slice(each.first, each.first + len(each.positions))
        if each.later is None:
            found[rows] = each.plastic
            continue
        pieces = _flowing(last.mesh, last.plastic.shape[1])
        own = _flowing(each.mesh, each.plastic.shape[1])
        if pieces.any() and own.any():
            number = np.cumsum(own) - 1
            found[rows] = each.plastic[:, number[each.later.cells[pieces]]]
    return found


def flowing_cells(mesh: Mesh, terms: int) -> dict[str, np.ndarray]:
    """The cells that `terms` values of plastic strain are of, by kind; none if they are of no cells."""
    cells = {k: c for k, c in mesh.cells.items() if by_name(k).dim == mesh.cell_dim}
    return cells if sum(map(len, cells.values())) == terms else {}


def _flowing(mesh: Mesh, terms: int) -> np.ndarray:
    """Mask of those among all cells."""
    kinds = flowing_cells(mesh, terms)
    return np.concatenate([np.full(len(c), k in kinds) for k, c in mesh.cells.items()])


def track_fields(topologies: Sequence[Topology]) -> dict[str, Any]:
    """What a track has of a body with these topologies: its mesh, its frames, and more."""
    each = in_order(topologies)
    last = each[-1]
    found: dict[str, Any] = {"mesh": last.mesh, "skin": last.skin, "masses": last.masses}
    found |= {"pinned": last.pinned, "components": last.components}
    if len(each) == 1:
        whole = {"positions": last.positions, "velocities": last.velocities}
        return found | whole | {"rests": last.rests, "plastic": last.plastic}
    return found | {
        "positions": sewn_frames(each, lambda own: own.positions),
        "velocities": sewn_frames(each, lambda own: own.velocities),
        "rests": sewn_rests(each),
        "plastic": sewn_plastic(each),
        "several": each,
    }
