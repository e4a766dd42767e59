"""Numbers of contacts among some bodies of a scene, and among all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .bristles import Bristles
from .contact_keys import EDGE, ContactKeys


class PartKeys:
    """Translates the numbers of contacts of a part of a surface to those of all of it, and back.

    numbers: those of the bodies of the part (`ContactSurface.part`). States of bodies have the numbers
    of the whole, so that bristles do not depend on who else makes the step together with a body.
    """

    def __init__(self, part: ContactKeys, whole: ContactKeys, numbers: Sequence[int]):
        self._part, self._whole = part, whole
        given = [i for i, body in enumerate(whole.surface.bodies) if body.given]
        kept = [*numbers, *given]
        count = len(whole.surface.bodies)
        others = np.array([*kept, *range(count, whole.others)], dtype=np.int64)
        points = np.flatnonzero(np.isin(whole.surface.body, kept))
        edges = whole.edge(points[part.surface.edges])
        #: Of points, of edges, and of bodies and planes with edges behind them: in the whole, and back.
        self._out = (points, edges, np.concatenate([others, whole.others + edges]))
        sizes = (len(whole.surface.body), len(whole.sorted), whole.others + len(whole.sorted))
        self._back = tuple(_inverse(i, n) for i, n in zip(self._out, sizes, strict=True))

    def outwards(self, bristles: Bristles) -> Bristles:
        """Bristles by the numbers of the whole."""
        return _translated(bristles, self._part, self._whole, self._out)

    def inwards(self, bristles: Bristles) -> Bristles:
        """Bristles by the numbers of the part. Contacts with bodies that are not in it are left out."""
        return _translated(bristles, self._whole, self._part, self._back)


def _inverse(numbers: np.ndarray, count: int) -> np.ndarray:
    """Where each number stands, and -1 for those that do not."""
    out = np.full(count, -1, dtype=np.int64)
    out[numbers] = np.arange(len(numbers))
    return out


def _translated(
    bristles: Bristles, old: ContactKeys, new: ContactKeys, tables: Sequence[np.ndarray]
) -> Bristles:
    points, edges, others = tables
    first, other, label = old.parts(bristles.keys)
    of_edge = label >= EDGE
    moved = first.copy()
    moved[of_edge], moved[~of_edge] = edges[first[of_edge]], points[first[~of_edge]]
    other = others[other]
    known = (moved >= 0) & (other >= 0)
    keys, bends = new.made_of(moved, other, label)[known], bristles.bends[known]
    order = np.argsort(keys, kind="stable")
    return Bristles(keys[order], bends[order])
