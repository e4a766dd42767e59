"""The rest shape of a body, kept up to date while it moves."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from pliant.errors import SolverError, UnstableError

from .statics import Loads
from .system import System

#: A rest shape whose residual forces would move a point by less than this share of the body's size
#: (judged by the diagonal of the stiffness) is still the rest shape.
ACCURACY = 1e-7
#: How far a shape that has become unstable is pushed to find the next, as a share of the body's size.
OFF = 0.01


class Rest:
    """The equilibrium x*, carried along rigidly and solved again only when loads or pins ask it.

    `here` looks for it from x itself and not from the undeformed shape. `shape` is wherever the body
    was when it was followed last, `x` the same as a numpy array. `shift` is how far, in the norm of
    masses, the last change of the shape went. Never changed: to follow a body is another one.
    """

    shift = 0.0

    def __init__(self, system: System, x: np.ndarray, loads: Loads, *, here: bool = False):
        load = loads(x)
        system.hang(load)
        starts = [x] if here else _starts(system, x, load)
        self._hold(system, _first(system, starts, loads))

    @classmethod
    def known(cls, system: System, x: np.ndarray) -> Rest:
        """A rest shape that was found before."""
        rest = cls.__new__(cls)
        rest._hold(system, x)
        return rest

    def _hold(self, system: System, x: np.ndarray) -> None:
        self.shape: Any = x
        bounds = np.full(x.shape, np.inf)
        bounds[system.free] = np.abs(system.stiffness_diagonal(x))
        self._bounds = ACCURACY * system.size * bounds
        self._load: Any = None  # under which it was found to be the rest shape
        self._lowered: Any = x

    @property
    def x(self) -> np.ndarray:
        """The shape [m], (n, d); the same array as long as it does not move."""
        if self._lowered is None:
            self._lowered = self.shape.numpy().copy()
        return self._lowered

    def lowered(self) -> Rest:
        """The same, brought back from a device."""
        return self._with(self.x, None)

    def doubted(self) -> Rest:
        """Something else than pins and loads has changed: it looks again when it follows."""
        return self._with(self.shape, None)

    def beside(self, system: System, x: Any) -> Rest:
        """The same, brought to the device that x is on."""
        if isinstance(self.shape, np.ndarray) and not isinstance(x, np.ndarray):
            return self._with(system.lift(self.shape), None)
        return self

    def followed(self, system: System, x: Any, loads: Loads) -> tuple[Rest, bool]:
        """Moved next to x, with pins as in x; and whether the shape itself had to change.

        On a device pins stand still, and a load that is the same array has not changed.
        """
        at_home = isinstance(x, np.ndarray)
        rest = self.beside(system, x)
        shape, known, shift = rest.shape, None, rest.shift
        if system.rank == 0 and (not at_home or _same_pins(system, shape, x)):
            load = loads(shape)
            if load is rest._load or (at_home and np.array_equal(load, rest._load)):
                return rest, False
            known = load
        else:
            shape = system.align(shape, x)
            if at_home:
                shape = shape.copy()
                shape[system.pinned] = x[system.pinned]
            load = loads(shape)
        g = system.force(shape, load, system.complement(shape))
        v = system.vectors_of(g)
        bounds = self._bounds if at_home else system.lift(self._bounds, keep=True)
        changed = v.exceeds(g, bounds)
        if changed:
            carried = shape
            shape = _stable(system, system.equilibrium(shape, loads)[0], loads)
            shift, known = float(np.sqrt(v.weighted(shape, carried))), None
        new = rest._with(shape, known)
        new.shift = shift
        if shape is not rest.shape:
            new._lowered = shape if at_home else None
        return new, changed

    def _with(self, shape: Any, load: Any) -> Rest:
        """The same with this shape, which was found to be at rest under a load, if any."""
        new = copy(self)
        new.shape, new._load = shape, load
        return new


def _starts(system: System, x: np.ndarray, load: np.ndarray) -> list[np.ndarray]:
    """Where to look from: the undeformed shape if it has less potential to lose, and where it is."""
    shape = system.align(system.undeformed, x).copy()
    shape[system.pinned] = x[system.pinned]
    gain = system.assembly.value(shape) - float(np.vdot(load, shape - x))
    return [shape, x] if gain < system.assembly.value(x) else [x]


def _first(system: System, starts: list[np.ndarray], loads: Loads) -> np.ndarray:
    """The equilibrium from the first start that leads to one.

    What resists only if it is taut, a net or a chain, leads nowhere from its undeformed shape, and a
    slender column, standing straight, to where it would not stay.
    """
    *some, last = starts
    for start in some:
        try:
            return _sound(system, start, loads)
        except SolverError:
            continue
    return _sound(system, last, loads)


def _sound(system: System, start: np.ndarray, loads: Loads) -> np.ndarray:
    """The equilibrium from a start, if a body can rest there."""
    x = system.equilibrium(start, loads)[0]
    system.require_upright(x)
    system.require_stable(x)
    return x


def _stable(system: System, shape: Any, loads: Loads) -> Any:
    """The shape, or where it goes if changing loads have made it unstable, as an arch snaps through.

    It is pushed off by what bends easily, so that Newton does not come back to the ridge.
    """
    try:
        system.require_stable(shape)
    except UnstableError:
        if system.rank or not isinstance(shape, np.ndarray):
            raise
        K = system.stiffness(shape, project=True).tocsc()
        firm = sp.identity(K.shape[0], format="csc") * (1e-9 * K.diagonal().mean())
        soft = splu(K + firm).solve(np.random.default_rng(0).standard_normal(K.shape[0]))
        off = shape.copy()
        off[system.free] += OFF * system.size / np.abs(soft).max() * soft.reshape(-1, system.dim)
        shape = system.equilibrium(off, loads)[0]
        system.require_stable(shape)
    return shape


def _same_pins(system: System, a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a[system.pinned], b[system.pinned])
