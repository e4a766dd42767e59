"""How the skin of a body of long elements answers to a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.compliance import Compliance, point_normals
from pliant.mesh import Skin
from pliant.reduced import LongElementsSystem

Array = np.ndarray
#: The skin of a point gives way by itself, by this share of what it does in the mean: a fine surface has
#: more points than there are elements, and their forces would have no answer.
OWN = 0.01
#: So many points tell the mean.
ASKED = 32


class SkinCompliance(Compliance):
    """The compliance of the surface that the boxes carry.

        u = W K^-1 W^T f,     W = S U

    S: a point of the surface is a weighted mean of points of the boxes; U: these follow the elements,
    turned as the pins of the body are; K^-1: with the volume kept. x [m], (n, 3): the points of the
    boxes while nothing touches the body.
    """

    def __init__(self, system: LongElementsSystem, skin: Skin, x: Array):
        place = skin.positions(x)
        surface = replace(skin.surface, points=place, normals=None)
        outward = np.sign(skin.surface.welded().report().volume)
        self._system, self._x = system, x
        self._turn = system.shape_at(x).frame.rotation
        turned = sp.kron(sp.identity(len(x)), self._turn) @ system.basis.columns
        self._follows = _spread(skin, len(x)) @ turned
        moves = np.asarray(abs(self._follows).sum(axis=1)).reshape(-1, 3)
        held: Array = (moves == 0.0).all(axis=1)
        super().__init__(place, outward * point_normals(surface), held, surface)
        free = np.flatnonzero(~held)[:: max(1, int((~held).sum()) // ASKED)]
        own = self._answers(free)[free].reshape(3 * len(free), -1)
        self._own = OWN * float(np.trace(own)) / max(len(own), 1)

    def solve(self, nodes: Sequence[int]) -> Array:
        """What points of the surface move by for unit forces on some [m/N], (n, 3, k, 3)."""
        out = self._answers(np.asarray(nodes))
        for k, node in enumerate(nodes):
            out[node, :, k] += self._own * np.eye(3)
        return out

    def whole(self, nodes: Array, forces: Array) -> Array:
        """Where the points of the boxes are [m], (n, 3)."""
        onto = self._follows[_rows(nodes)].T @ forces.ravel()
        dl = self._system.liquid.answer(onto).lengthening
        out: Array = self._x + self._system.basis.expand(dl) @ self._turn.T
        return out

    def _answers(self, nodes: Array) -> Array:
        onto = self._follows[_rows(nodes)].T.toarray()
        found: Array = self._follows @ self._system.liquid.answers(onto)
        return np.reshape(found, (-1, 3, len(nodes), 3))


def _rows(nodes: Array) -> Array:
    return (3 * np.asarray(nodes)[:, None] + np.arange(3)).ravel()


def _spread(skin: Skin, count: int) -> Any:
    """The weights of a skin for each axis, (3 m, 3 n)."""
    m, c = skin.nodes.shape
    rows = np.repeat(np.arange(m), c)
    weights = sp.csr_matrix((skin.weights.ravel(), (rows, skin.nodes.ravel())), shape=(m, count))
    return sp.kron(weights, sp.identity(3), format="csr")
