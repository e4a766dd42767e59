"""What hangs by a point or a line and swings on, when its swing bends it too much to be led."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.control import PerBody
from pliant.errors import SolverError
from pliant.mesh import in_space
from pliant.problem import Loads, Part, Rest, State, System

#: A body is limp if its load, across it, would bend it by this share of its size, rms.
#: A bar that sags by a fifth of its length when it is clamped reaches a tenth of that on a hinge.
LIMP = 0.005
#: It hangs if the load has less than this share of its largest leverage: within some 12 degrees.
HANGS = 0.2


def on_hinges(system: System) -> bool:
    """Whether a part swings on about its pins, and none is free."""
    return system.rank > 0 and not (system.has_free_part or system.damps_swing)


def swings_limply(system: System, state: State, loads: Loads) -> bool:
    """Whether a body on hinges is on its way through shapes far from that of its mesh.

    The rest shape of such a body is that in a frame which turns with it. What is limp folds there when
    it swings up, one step after the other in another way: nothing can be led to it.
    """
    load, v = in_space(loads.within(system.spaces.host)), in_space(system.to_host(state.v))
    x = system.to_host(state.x)
    if all(_hangs(part, x, v, load) for part in system.parts):
        return False
    pull = float(np.linalg.norm(load, axis=1).sum() / system.masses.sum())
    return _sag(system) * pull > LIMP


def _sag_of(system: System) -> float:
    """The size of the shape to which 1 m/s^2 bends it, in the worst direction, over its own, rms.

    The body turns under that as fast as its hinge lets it. What nothing resists is held just enough.
    """
    x, d = system.undeformed, system.dim
    stiffness = system.restriction.matrix(system.assembly.blocks(x, project=True))
    least = 1e-9 * float(np.abs(stiffness.diagonal()).mean())
    firm = sp.identity(stiffness.shape[0], format="bsr") * least
    matrix = sp.bsr_matrix(stiffness + firm, blocksize=(d, d))
    complement = system.complement(x)
    flat, largest = complement.flat(system.free), 0.0
    for way in np.eye(d):
        load = complement.project_force(system.masses[:, None] * way)
        linear = system.kept_factor(x)
        found, report = linear.solve(matrix, load[system.free].ravel(), rtol=1e-3, complement=flat)
        if not report.converged:
            return np.inf
        u = np.zeros_like(x)
        u[system.free] = found.reshape(-1, d)
        largest = max(largest, float(np.sqrt(system.spaces.host.weighted(u, np.zeros_like(u)))))
    return largest / system.span


_sag = PerBody(_sag_of)


def _hangs(part: Part, x: np.ndarray, v: np.ndarray, load: np.ndarray) -> bool:
    """Whether the load, (n, 3), holds a part about where it is: it pulls it down, and hardly turns it.

    Nor does the part turn so fast that it would be carried further.
    """
    r, f, axes = in_space(x[part.points]) - part.centre(x), load[part.points], part.axes(x)
    lever = float((np.linalg.norm(r, axis=1) * np.linalg.norm(f, axis=1)).sum())
    if lever == 0.0 or not axes.size:
        return True
    turning = axes.T @ np.cross(r, f).sum(axis=0)
    holding = np.vdot(f, r) - np.einsum("ik,ik->k", axes, (f.T @ r) @ axes)
    second = (part.masses[:, None] * r).T @ r
    inertia = axes.T @ (np.trace(second) * np.eye(3) - second) @ axes
    momentum = axes.T @ (part.masses[:, None] * np.cross(r, v[part.points])).sum(axis=0)
    kinetic = 0.5 * float(momentum @ np.linalg.lstsq(inertia, momentum, rcond=None)[0])
    return bool(
        np.linalg.norm(turning) <= HANGS * lever
        and (holding >= -HANGS * lever).all()
        and kinetic <= 0.5 * HANGS**2 * lever
    )


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
