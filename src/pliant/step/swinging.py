"""What hangs by a point or a line and swings on, when its swing bends it too much to be led."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pliant.errors import SolverError
from pliant.mesh import in_space
from pliant.problem import Loads, Part, Rest, System

#: A body is limp if the shape to which its swing bends it is this share of its size from the mesh, rms.
#: A bar that sags by a fifth of its length when it is clamped reaches a tenth of that on a hinge.
LIMP = 0.005
#: It hangs if the load has less than this share of its largest leverage: within some 12 degrees.
HANGS = 0.2


def on_hinges(system: System) -> bool:
    """Whether a part can swing about its pins, and none is free."""
    return system.rank > 0 and not system.has_free_part


def swings_limply(system: System, x: Any, rest: Rest, loads: Loads) -> bool:
    """Whether a body on hinges is on its way through shapes far from that of its mesh.

    The rest shape of such a body is that in a frame which turns with it. What is limp folds there when it
    swings up, one step after the other in another way: nothing can be led to it.
    """
    load = in_space(loads.within(system.spaces.host))
    if all(_hangs(part, system.to_host(x), load) for part in system.parts):
        return False
    space = system.spaces.of(x)
    shape = rest.beside(system, x).shape
    mesh = system.align(space.asarray(system.undeformed, keep=True), shape)
    return bool(space.weighted(shape, mesh) > (LIMP * system.span) ** 2)


def _hangs(part: Part, x: np.ndarray, load: np.ndarray) -> bool:
    """Whether the load, (n, 3), holds a part about where it is: it hardly turns it, and pulls it down."""
    r, f = in_space(x[part.points]) - part.centre(x), load[part.points]
    least = HANGS * float((np.linalg.norm(r, axis=1) * np.linalg.norm(f, axis=1)).sum())
    axes = part.axes(x)
    turning = axes.T @ np.cross(r, f).sum(axis=0)
    holding = np.vdot(f, r) - np.einsum("ik,ik->k", axes, (f.T @ r) @ axes)
    return bool(np.linalg.norm(turning) <= least and (holding >= -least).all())


def hanging(system: System, x: Any, loads: Loads) -> Rest:
    """Where a body on hinges would hang at last: what a limp one is compared with in takes.

    If no search from here leads there it is the shape of the mesh. Loads are looked at anew if it is to
    be followed again.
    """
    start = system.to_host(x)
    try:
        with system.arrested():
            shape = system.equilibrium(start, loads.on, locked=False)[0]
    except SolverError:
        shape = system.align(system.undeformed, start)
    return Rest(shape, np.zeros_like(start))


def carried_along(system: System, rest: Rest, x: Any) -> Rest:
    """The same laid next to the body."""
    return replace(rest, shape=system.align(rest.beside(system, x).shape, x), load=None)
