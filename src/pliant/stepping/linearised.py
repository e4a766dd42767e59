"""Backward Euler with one linear solve."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pliant.damping import Damping
from pliant.damping.inertia import Inertia, Quadratic
from pliant.damping.moment import Moment
from pliant.errors import SolverError, is_finite
from pliant.given import shown
from pliant.solvers import Report

from .beginning import plain
from .refusal import refuse_controlled
from .state import State, Surroundings
from .system import System

#: What CG may leave of the step of a free body.
FREE = 1e-10


class LinearisedImplicit:
    """Backward Euler with forces linearised at the start of the step: one linear solve by CG.

        (M - dt D - dt^2 K) dv = dt (f + dt K v),    v <- v + dv,   x <- x + dt v
        K = df/dx,  D = df/dv

    The first step of Newton's method for `Implicit`, and equal to it for Linear material. First
    order; stable at any dt where the forces are linear, and nowhere certain where they are not.
    Where -K is indefinite, so that the matrix is, its projection takes its place: of sheets and nets,
    parts of which are always pressed, in every step. `tolerance`: the share of the right side that
    CG leaves; at most 1e-10 for bodies that no pin holds, whose linear momentum hangs on it. Angular
    momentum drifts with dt.
    With device="cuda" matrices and CG are on the device, the rest of the step on the host.
    Source: [liulecture], mass-spring model; [baraff1998] (6).
    """

    def __init__(self, tolerance: float = 1e-6):
        if not (is_finite(tolerance) and 0.0 < tolerance < 1.0):
            raise ValueError(
                f"LinearisedImplicit: got tolerance={shown(tolerance)}; expected a share between 0 "
                "and 1, e.g. 1e-6"
            )
        self.tolerance = float(tolerance)

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Advance the state by dt."""
        refuse_controlled(self, damping)
        state.lower(system)
        moment = plain(system, state, around, damping, dt)
        if around.resisting:
            inertia, load = _linearised_resistance(system, state, around, damping, moment)
        else:
            inertia, load = damping.inertia(moment), moment.load
        objective = system.objective(inertia, load, system.still)
        start = state.x.copy()
        start[system.pinned] = around.pinned[system.pinned]
        x, report = self._solve(system, objective, system.lift(start), around.time)
        x = system.lower(x)
        state.v = (x - state.x) / dt
        state.x, state.drift, state.correction = x, None, None
        return report

    def _solve(self, system: System, objective: Any, x: Any, time: float) -> tuple[Any, Report]:
        linear, g, spent = system.linear, objective.residual(x), 0
        rtol = min(self.tolerance, FREE) if system.adrift else self.tolerance
        for project in (False, True) if system.filled else (True,):
            linear.assemble(objective, x, project=project)
            p, report = linear.solve(g, rtol=rtol)
            spent += report.iterations
            if report.converged and not report.indefinite:
                x = objective.vectors.moved(x, 1.0, p)
                left = objective.vectors.largest(objective.residual(x))
                return x, Report(1, spent, left, "linearised")
            linear.forget()
        raise SolverError(
            f"the linear system of the step to t = {time:.6g} s was not solved to {rtol:g} "
            f"in {spent} iterations. Use a smaller dt, or the default implicit step"
        )


def _linearised_resistance(
    system: System, state: State, around: Surroundings, damping: Damping, moment: Moment
) -> tuple[Inertia, Any]:
    """Resistance r(v) as r - C (v_new - v), C = -dr/dv: a load, and a term of the inertia."""
    x, v, pattern = state.x, state.v, system.assembly.pattern
    C = sum(r.slope(x, v, around.time) for r in around.resisting)
    load = moment.load + around.resistance(x, v) + np.einsum("nij,nj->ni", C, v)
    blocks = np.zeros((len(pattern), system.dim, system.dim))
    blocks[pattern.diagonal] = C
    inertia = damping.inertia(replace(moment, resisting=lambda d: ()))
    more = Quadratic(blocks, x, 1.0 / moment.dt)
    return replace(inertia, quadratics=(*inertia.quadratics, more)), load
