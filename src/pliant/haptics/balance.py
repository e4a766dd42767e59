"""Where the forces of a body in large deformation are in balance with a hand, within a tick."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pliant.energies import Assembly
from pliant.reduced import WIDTH, WeighedCells

from .coordinates import Press

Array = np.ndarray
#: A tick has so many gradients at most; what is left is made up in the next one.
MOST = 5
#: A step of the search that is shorter than this share of the body's size has found the balance.
FOUND = 1e-8
#: It goes no farther than this share at once.
LEAP = 0.02
#: Changes shorter than this share of the size tell nothing of the stiffness but rounding.
TINY = 1e-11


class Balance:
    """Coordinates of few weighed cells, at which their forces balance others.

        dW/dq(q) + inertia q + f share row = push,     f: of a press

    A quasi-Newton search: the inverse of d2W/dq2 + inertia is kept from tick to tick and learns from
    every change of the gradient (BFGS), so that none is factored within a tick. The press is a change of
    rank one, and exact. Source: [nocedal1999] (8.16).

    cells: what W is the energy of. at, (r,): where it is stable. size: of the body, in the norm of
    masses.
    """

    def __init__(self, cells: WeighedCells, at: Array, inertia: float, size: float):
        self.cells, self._inertia, self._size = cells, inertia, size
        self._energy: Assembly | None = None
        self._inverse = np.linalg.inv(stiffness_of(cells, at) + inertia * np.eye(len(at)))
        self._sound = np.array(at)

    def solve(self, q: Array, push: Array, press: Press | None, share: Any) -> tuple[Array, float]:
        """The balance next to q, and the force of the press there [N]."""
        known: tuple[Array, Array] | None = None
        longest, f = LEAP * self._size, 0.0
        for _ in range(MOST):
            g = self.elastic(q) + self._inertia * q - push
            if not math.isfinite(g @ g):  # cells are inside out: half of the way back
                q, known = 0.5 * (q + self._sound), None
                continue
            self._sound = q
            if known is not None:
                self._learn(q - known[0], g - known[1])
            known = q, g
            way = -self._inverse @ g
            f, way = self._pressed(q, way, press, share)
            length = math.sqrt(way @ way)
            if length > longest:
                way *= longest / length
            q = q + way
            if length < FOUND * self._size:
                break
        return q, f

    def elastic(self, q: Array) -> Array:
        """dW/dq."""
        if self._energy is None:  # it is not pickled
            self._energy = self.cells.assembly()
        g: Array = self._energy.gradient(q.reshape(-1, WIDTH)).ravel()
        return g

    def _pressed(
        self, q: Array, way: Array, press: Press | None, share: Any
    ) -> tuple[float, Array]:
        """The force of the press where a step of the search will end, and that step under it."""
        if press is None:
            return 0.0, way
        soft = self._inverse @ (share * press.row)
        deep = float(press.row @ (q + way)) - press.height
        if deep <= 0.0:
            return 0.0, way
        f = press.coupling * deep / (1.0 + press.coupling * float(press.row @ soft))
        return f, way - f * soft

    def _learn(self, s: Array, y: Array) -> None:
        """Let the inverse take y to s, the last change of the gradient to that of q."""
        sy = float(s @ y)
        if s @ s < (TINY * self._size) ** 2 or sy <= 1e-8 * math.sqrt((s @ s) * (y @ y)):
            return
        By = self._inverse @ y
        across = np.outer(By, s)
        self._inverse += np.outer(s, s) * ((1.0 + (y @ By) / sy) / sy) - (across + across.T) / sy

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_energy": None}


def stiffness_of(cells: WeighedCells, q: Array) -> Array:
    """d2W/dq2, (r, r)."""
    energy = cells.assembly()
    found = energy.pattern.matrix(energy.blocks(q.reshape(-1, WIDTH), project=False)).toarray()
    return np.asarray(0.5 * (found + found.T))
