"""The rest shape of a body, kept up to date while it moves."""

from __future__ import annotations

import numpy as np

from .statics import Loads
from .system import System

#: A rest shape whose residual forces would move a point by less than this share of the body's size
#: (judged by the diagonal of the stiffness) is still the rest shape.
ACCURACY = 1e-7


class Rest:
    """The equilibrium x*, carried along rigidly and solved again only when loads or pins ask it.

    `here` looks for it from x itself and not from the undeformed shape. `shift` is how far, in the
    norm of masses, the last change of the shape went.
    """

    shift = 0.0

    def __init__(self, system: System, x: np.ndarray, loads: Loads, *, here: bool = False):
        self._system = system
        self.x, _ = system.equilibrium(x if here else self._nearer(x, loads(x)), loads)
        system.require_upright(self.x)
        system.require_stable(self.x)
        self._scale = ACCURACY * system.size * np.abs(system.stiffness_diagonal(self.x))
        self._load: np.ndarray | None = None  # under which it was found to be the rest shape

    def _nearer(self, x: np.ndarray, load: np.ndarray) -> np.ndarray:
        """The start or the undeformed shape, whichever has less potential to lose."""
        system = self._system
        shape = system.align(system.undeformed, x).copy()
        shape[system.pinned] = x[system.pinned]
        gain = system.assembly.value(shape) - float(np.vdot(load, shape - x))
        return shape if gain < system.assembly.value(x) else x

    def follow(self, x: np.ndarray, loads: Loads) -> bool:
        """Move next to x, with pins as in x; return whether the shape itself had to change."""
        system = self._system
        if system.rank == 0 and np.array_equal(self.x[system.pinned], x[system.pinned]):
            shape, load = self.x, loads(self.x)
            if self._load is not None and np.array_equal(load, self._load):
                return False
            self._load = load
        else:
            self._load = None
            shape = system.align(self.x, x).copy()
            shape[system.pinned] = x[system.pinned]
        g = (system.assembly.gradient(shape) - loads(shape))[system.free].ravel()
        g = system.complement(shape).project_force(g).reshape(-1, system.dim)
        changed = bool((np.abs(g) > self._scale).any())
        if changed:
            carried = shape
            shape, _ = system.equilibrium(shape, loads)
            system.require_stable(shape)
            apart = ((shape - carried) ** 2).sum(axis=1)
            self.shift = float(np.sqrt(system.masses @ apart))
            self._load = None
        self.x = shape
        return changed
