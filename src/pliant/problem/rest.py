"""The rest shape of a body, kept up to date while it moves."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from pliant.backend import computing, to_host
from pliant.errors import SolverError, UnstableError

from .statics import Force
from .system import System

log = logging.getLogger("pliant")

#: A rest shape whose residual forces would move a point by less than this share of the body's size
#: (judged by the diagonal of the stiffness) is still the rest shape.
ACCURACY = 1e-7
#: How far a shape that has become unstable is pushed to find the next, as a share of the body's size.
OFF = 0.01


@dataclass(frozen=True, eq=False)
class Rest:
    """The equilibrium x*. It is carried along rigidly, and solved again when loads or pins change.

    shape: x*, placed next to where the body was last, on the host or on a device. bounds: the residual
    forces [N] that it may have, (n, d). load, matter: those under which it was found to be the rest
    shape, or None. flow: how often the body had flowed then. shift: how far, in the norm of
    masses, the last change of the shape went.
    """

    shape: Any
    bounds: np.ndarray
    load: Any = None
    matter: Any = None
    shift: float = 0.0
    flow: int = 0

    @classmethod
    @computing
    def find(
        cls,
        system: System,
        x: np.ndarray,
        loads: Force,
        *,
        matter: Any = None,
        flow: int = 0,
        here: bool = False,
    ) -> Rest:
        """The equilibrium of a body at x. `here`: from x itself, not from the undeformed shape.

        One that is unstable is refused. A body that tears goes to the stable one beside it, and stays
        where it is while none is found.
        """
        load = loads(x)
        system.set_hinge_direction(load)
        starts = [x] if here else _starts(system, x, load)
        try:
            shape = _first(system, starts, loads)
        except SolverError as error:
            shape = _unknown(system, x, error)
        bounds = np.full(x.shape, np.inf)
        bounds[system.free] = np.abs(system.stiffness_diagonal(shape))
        return cls(shape, ACCURACY * system.size * bounds, matter=matter, flow=flow)

    @cached_property
    def x(self) -> np.ndarray:
        """The shape [m], (n, d); the same array as long as it does not move."""
        return to_host(self.shape)

    def to_host(self) -> Rest:
        """The same with numpy arrays."""
        return replace(self, shape=self.x, load=None)

    def beside(self, system: System, x: Any) -> Rest:
        """The same with arrays where x lives."""
        space = system.spaces.of(x)
        if system.spaces.of(self.shape) is space:
            return self
        return replace(self, shape=space.asarray(self.shape), load=None)

    def followed(
        self, system: System, x: Any, loads: Force, matter: Any = None, flow: int = 0
    ) -> tuple[Rest, bool]:
        """The rest shape moved next to x, with pins as in x; and whether the shape had to change.

        On a device pins do not move, and a load that is the same array is taken as unchanged.
        """
        v, rest = system.spaces.of(x), self.beside(system, x)
        on_host = v.on_host
        shape, known, shift = rest.shape, None, rest.shift
        if system.rank == 0 and (not on_host or _same_pins(system, shape, x)):
            load = loads(shape)
            same = load is rest.load or (on_host and np.array_equal(load, rest.load))
            if same and flow == rest.flow and _same_matter(matter, rest.matter):
                return rest, False
            known = load
        else:
            shape = system.align(shape, x)
            if on_host:
                shape = shape.copy()
                shape[system.pinned] = x[system.pinned]
            load = loads(shape)
        g = system.force(shape, load, system.complement(shape))
        changed = v.exceeds(g, v.asarray(self.bounds, keep=True))
        if changed:
            carried = shape
            try:
                shape = _stable(system, _equilibrium(system, shape, loads), loads)
            except SolverError as error:
                shape = _unknown(system, carried, error)
            shift, known = float(np.sqrt(v.weighted(shape, carried))), None
        new = replace(rest, shape=shape, load=known, matter=matter, flow=flow, shift=shift)
        return new, changed


def _starts(system: System, x: np.ndarray, load: np.ndarray) -> list[np.ndarray]:
    """Where searches start: the undeformed shape if its potential is lower, and where the body is."""
    shape = system.align(system.undeformed, x).copy()
    shape[system.pinned] = x[system.pinned]
    gain = system.assembly.value(shape) - float(np.vdot(load, shape - x))
    return [shape, x] if gain < system.assembly.value(x) else [x]


def _first(system: System, starts: list[np.ndarray], loads: Force) -> np.ndarray:
    """The equilibrium from the first start that leads to one.

    A net or a chain resists only when it is taut, and from its undeformed shape the search fails. From a
    slender column that stands straight it leads to an unstable equilibrium.
    """
    *some, last = starts
    for start in some:
        try:
            return _sound(system, start, loads)
        except SolverError:
            continue
    return _sound(system, last, loads)


def _sound(system: System, start: np.ndarray, loads: Force) -> np.ndarray:
    """The equilibrium from a start, if a body can rest there."""
    x: np.ndarray = _equilibrium(system, start, loads)
    system.require_upright(x)
    if system.tears:
        return np.asarray(_stable(system, x, loads))
    system.require_stable(x)
    return x


def _equilibrium(system: System, start: Any, loads: Force) -> Any:
    """The equilibrium from a start, or from beside it if a body tears and the search does not end.

    What hangs together by a torn face hardly resists, and searches for where it lies creep.
    """
    try:
        return system.equilibrium(start, loads)[0]
    except SolverError:
        if not system.tears:
            raise
        return system.equilibrium(_beside(system, start), loads)[0]


def _unknown(system: System, shape: Any, error: SolverError) -> Any:
    """The shape to aim at where none was found at which a body rests; refused unless it tears."""
    if not system.tears:
        raise error
    log.warning("no rest shape is known of what tears, it is sought again: %s", error)
    return shape


def _stable(system: System, shape: Any, loads: Force) -> Any:
    """The shape; or, if changing loads have made it unstable, the one it goes to, as an arch snaps.

    The shape is pushed along its softest mode, so that Newton does not return to the unstable one.
    """
    try:
        system.require_stable(shape)
    except UnstableError:
        if system.rank:
            raise
        shape = system.equilibrium(_beside(system, shape), loads)[0]
        system.require_stable(shape)
    return shape


def _beside(system: System, x: Any) -> Any:
    """Positions off x along its softest deformation."""
    x_host = system.to_host(x)
    K = system.stiffness(x_host, project=True).tocsc()
    firm = sp.identity(K.shape[0], format="csc") * (1e-9 * K.diagonal().mean())
    soft = splu(K + firm).solve(np.random.default_rng(0).standard_normal(K.shape[0]))
    off = np.zeros(x_host.shape)
    off[system.free] = soft.reshape(-1, system.dim)
    off = system.complement(x_host).project(off)
    off *= OFF * system.size / np.abs(off).max()
    return system.spaces.of(x).asarray(x_host + off)


def _same_pins(system: System, a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a[system.pinned], b[system.pinned])


def _same_matter(a: Any, b: Any) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
