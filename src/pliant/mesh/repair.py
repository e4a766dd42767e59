"""Refuse an unfit mesh, or repair what can be repaired and say what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.errors import Advice

from .arrays import Flags, Floats, Indices
from .checks import Found, degenerate, folded, inverted, repeated, twins
from .errors import MeshError, name_cells, name_some
from .kinds import KINDS
from .topology import Cells, referenced


@dataclass(frozen=True)
class Sound:
    """A mesh that passed every check; `kept[i]` is the given index of point i."""

    points: Floats
    cells: dict[str, Indices]
    groups: dict[str, Indices]
    kept: Indices
    repairs: tuple[str, ...]


@dataclass
class _Judge:
    """Refuses at the first fault, or keeps a sentence about each one repaired."""

    repair: bool
    call: str
    field: str
    sentences: list[str]

    def fault(self, given: str, expected: str, remedy: str, done: str, bad: Found) -> None:
        if not self.repair:
            field = f". Fix: {self.field} {remedy}" if self.field else ""
            call = f". Fix: {self.call} {remedy}"
            raise MeshError(Advice(f"{given}; expected {expected}", call, field), bad)
        self.sentences.append(done)


def make_sound(
    points: Floats,
    cells: Cells,
    groups: Mapping[str, Indices],
    *,
    repair: bool,
    call: str,
    field: str = "",
    drop_unreferenced: bool = False,
    touching: bool = False,
) -> Sound:
    """Check a mesh in the order of repair: merge, drop flat and repeated, reorder, drop unused.

    Points keep their given numbers until the end, so every message speaks of the given mesh.
    A flat cell dropped from the inside, not the hull, leaves a seam: the faces on its two sides
    need not match, and `boundary` then shows them. call, field: what asks for repair in Python, and in
    a scene file where it can. touching: points may have the same position, as the sides of a tear do.
    """
    judge = _Judge(repair, call, field, [])
    used = referenced(cells, len(points))
    twin = np.arange(len(points))
    if not touching:
        twin, cells = _merged(judge, points, used, cells)
    cells = _without_degenerate(judge, points, cells)
    cells = _without_repeated(judge, len(points), cells)
    cells = _upright(judge, points, cells)
    _refuse_folded(points, cells)
    bad = np.flatnonzero(~used)
    if len(bad) and not drop_unreferenced:
        judge.fault(
            f"{len(bad)} of {len(points)} points belong to no cell: points {name_some(bad)}",
            "every point in a cell, for without one it has no mass and no stiffness",
            "drops them",
            f"dropped {len(bad)} points of no cell: points {name_some(bad)}",
            {"points": bad},
        )
    still = referenced(cells, len(points))
    lost = np.flatnonzero(used & (twin == np.arange(len(points))) & ~still)
    if len(lost):
        judge.sentences.append(f"dropped points left without a cell: points {name_some(lost)}")
    kept = np.flatnonzero(still)
    number = np.full(len(points), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    renamed = {name: np.unique(number[twin[members]]) for name, members in groups.items()}
    return Sound(
        points=points[kept],
        cells={kind: number[nodes] for kind, nodes in cells.items()},
        groups={name: members[members >= 0] for name, members in renamed.items()},
        kept=kept,
        repairs=tuple(judge.sentences),
    )


def _merged(judge: _Judge, points: Floats, used: Flags, cells: Cells) -> tuple[Indices, Cells]:
    """For each point the one that stands for all at its position, and cells of those only."""
    twin = twins(points, used)
    bad = np.flatnonzero(twin != np.arange(len(points)))
    if not len(bad):
        return twin, cells
    pairs = f"points {name_some(bad)} repeat points {name_some(twin[bad])}"
    judge.fault(
        f"{len(bad)} points have the position of another point: {pairs}",
        "one point per position",
        "merges them",
        f"merged {len(bad)} duplicate points: {pairs}",
        {"points": bad},
    )
    return twin, {kind: twin[nodes] for kind, nodes in cells.items()}


def _without_degenerate(judge: _Judge, points: Floats, cells: Cells) -> Cells:
    found = degenerate(points, cells)
    if not found:
        return cells
    judge.fault(
        f"{_count(found, cells)} are degenerate (a repeated point, or no size for their "
        f"edges): {name_cells(found)}",
        "cells of positive size",
        "drops them",
        f"dropped degenerate {name_cells(found)}",
        found,
    )
    left = _without(cells, found)
    if not left:
        raise MeshError("every cell is degenerate; nothing is left to repair", found)
    return left


def _without_repeated(judge: _Judge, count: int, cells: Cells) -> Cells:
    found = repeated(count, cells)
    if not found:
        return cells
    judge.fault(
        f"{_count(found, cells)} have the points of another cell: {name_cells(found)}",
        "every cell once, for twice it would weigh and resist twice",
        "drops them",
        f"dropped repeated {name_cells(found)}",
        found,
    )
    return _without(cells, found)


def _upright(judge: _Judge, points: Floats, cells: Cells) -> Cells:
    found = inverted(points, cells)
    if not found:
        return cells
    judge.fault(
        f"{_count(found, cells)} are inverted (negative size): {name_cells(found)}",
        "counter-clockwise corners in 2D, right-handed ones in 3D",
        "reorders them",
        f"reordered inverted {name_cells(found)}",
        found,
    )
    return _mirrored(cells, found)


def _refuse_folded(points: Floats, cells: Cells) -> None:
    found = folded(points, cells)
    if found:
        raise MeshError(
            f"{_count(found, cells)} fold over at a corner: {name_cells(found)}; expected convex "
            "quads and hexes. Fix: move their points, or split them into triangles or tetrahedra "
            "(which repair cannot choose for you)",
            found,
        )


def _count(found: Found, cells: Cells) -> str:
    bad, all_ = (sum(len(v) for v in d.values()) for d in (found, cells))
    return f"{bad} of {all_} cells"


def _without(cells: Cells, found: Found) -> dict[str, Indices]:
    none = np.empty(0, dtype=np.int64)
    left = {kind: np.delete(n, found.get(kind, none), axis=0) for kind, n in cells.items()}
    return {kind: nodes for kind, nodes in left.items() if len(nodes)}


def _mirrored(cells: Cells, found: Found) -> dict[str, Indices]:
    turned = {kind: nodes.copy() for kind, nodes in cells.items()}
    for kind, bad in found.items():
        turned[kind][bad] = turned[kind][bad][:, np.array(KINDS[kind].mirror)]
    return turned
