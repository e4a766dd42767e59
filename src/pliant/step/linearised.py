"""Backward Euler with one linear solve."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from pliant.declared import Declared, Quantity, accept
from pliant.errors import SolverError
from pliant.problem import BodyProblem, Inertia, Loads, Quadratic, State, StepContext, System
from pliant.solvers import Report

from .beginning import plain, stays
from .implicit import Implicit
from .refusal import refuse_controlled

#: What CG may leave of the step of a free body.
FREE = 1e-10


class LinearisedImplicit(Declared):
    """Backward Euler with forces linearised at the start of the step: one linear solve by CG.

        (M - dt D - dt^2 K) dv = dt (f + dt K v),    v <- v + dv,   x <- x + dt v
        K = df/dx,  D = df/dv

    The first step of Newton's method for `Implicit`, and equal to it for Linear material. First
    order; stable at any dt where the forces are linear, and nowhere certain where they are not.
    Where -K is indefinite, so that the matrix is, its projection takes its place: of sheets and nets,
    parts of which are always pressed, in every step. `tolerance`: the share of the right side that
    CG leaves; at most 1e-10 for bodies that no pin holds, whose linear momentum hangs on it. Angular
    momentum drifts with dt.
    Steps of bodies that touch something are those of `Implicit`: a push that begins where something
    is met has no linear part there.
    With device="cuda" the step is made on the device unless pins are driven or the air resists.
    Source: [liulecture], mass-spring model; [baraff1998] (6).
    """

    def __init__(
        self,
        tolerance: Annotated[
            float,
            Quantity(
                "share of the right side that CG leaves",
                "-",
                above=0.0,
                below=1.0,
                says="a share between 0 and 1, e.g. 1e-6",
            ),
        ] = 1e-6,
    ):
        (self.tolerance,) = accept(self, tolerance=tolerance)

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        system, damping = problem.system, problem.damping
        refuse_controlled(self, damping)
        if system.contact is not None:
            return Implicit(self.tolerance).step(problem, state, loads, dt)
        stay = stays(problem, loads) and not loads.resisting
        state = state.to_device(system) if stay else state.to_host(system)
        loads = loads.where(state.x)
        context = plain(problem, state, loads, dt)
        if loads.resisting:
            inertia, load = _linearised_resistance(problem, state, loads, context)
        else:
            inertia, load = damping.inertia(context), context.load
        objective = system.objective(inertia, load, system.unrestricted)
        space = system.spaces.of(state.x)
        start = space.copy(state.x)
        if space.on_host:
            start[system.pinned] = loads.pinned[system.pinned]
        found, report = self._solve(system, objective, system.to_device(start), loads.time)
        x = space.asarray(found)
        v = space.mixed(1.0 / dt, x, -1.0 / dt, state.x)
        guess = replace(state.guess, correction=None)
        return replace(state, x=x, v=v, drift=None, guess=guess), report

    def _solve(self, system: System, objective: Any, x: Any, time: float) -> tuple[Any, Report]:
        linear, g, spent = system.linear, objective.residual(x), 0
        rtol = min(self.tolerance, FREE) if system.has_free_part else self.tolerance
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
    problem: BodyProblem, state: State, loads: Loads, context: StepContext
) -> tuple[Inertia, Any]:
    """Resistance r(v) as r - C (v_new - v), C = -dr/dv: a load, and a term of the inertia."""
    system = problem.system
    x, v, pattern = state.x, state.v, system.assembly.pattern
    C = sum(r.slope(x, v, loads.time) for r in loads.resisting)
    load = context.load + loads.resistance(x, v) + np.einsum("nij,nj->ni", C, v)
    blocks = np.zeros((len(pattern), system.dim, system.dim))
    blocks[pattern.diagonal] = C
    inertia = problem.damping.inertia(replace(context, resisting=lambda d: ()))
    more = Quadratic(blocks, x, 1.0 / context.dt)
    return replace(inertia, quadratics=(*inertia.quadratics, more)), load
