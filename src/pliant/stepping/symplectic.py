"""Symplectic Euler."""

from __future__ import annotations

import numpy as np

from pliant.damping import Damping
from pliant.damping.inertia import Inertia
from pliant.damping.moment import Moment
from pliant.errors import SolverError
from pliant.solvers import Report

from .state import NOTHING, State, Surroundings
from .system import System


class SymplecticEuler:
    """The explicit step on the same energies: velocity first, then position.

        v <- v + dt M^-1 (load - grad PE(x)),    x <- x + dt v

    A dissipation acts on the velocity after the elastic force, as in [young2007] (4.3)-(4.9). First
    order, keeps energy bounded; stable while dt < 2/omega of the fastest mode, which for stiff or
    fine bodies is microseconds. Controlled damping needs the implicit step.
    """

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Advance the state by dt."""
        if damping.controlled:
            raise ValueError(
                f"got {type(damping).__name__} with SymplecticEuler; it changes the inertia of an "
                "implicit step. Use scene.run(...) without stepper=, or damping=pl.StrainRate(...)"
            )
        masses, free = system.masses[:, None], system.free[:, None]
        force = around.load - system.assembly.gradient(state.x)
        v = np.where(free, state.v + dt * force / masses, 0.0)
        v = v + dt * np.where(free, self._loss(system, state, around, damping, v, dt) / masses, 0.0)
        x = state.x + dt * v
        x[system.pinned] = around.pinned[system.pinned]
        if not np.isfinite(x).all():
            raise SolverError(
                f"the explicit step blew up at t = {around.time:.6g} s: dt={dt:g} s is longer than "
                "the fastest vibration allows. Use a smaller dt, or the default implicit step"
            )
        state.v = (x - state.x) / dt
        state.x = x
        return NOTHING

    def _loss(
        self,
        system: System,
        state: State,
        around: Surroundings,
        damping: Damping,
        v: np.ndarray,
        dt: float,
    ) -> np.ndarray:
        """The dissipative force at the velocity v."""
        moment = Moment(
            mechanics=system,
            time=around.time,
            dt=dt,
            x_old=state.x,
            velocity=v,
            x=state.x,
            drift=v,
            load=around.load,
            complement=system.still,
            rest=state.x,
            moving=False,
            memory=state.memory,
        )
        loss = damping.dissipation(moment)
        force = -loss.drag * system.masses[:, None] * v
        if loss.energies or loss.quadratics:
            inertia = Inertia(0.0, state.x, loss.energies, loss.quadratics)
            whole = system.objective(inertia, around.load, system.still)
            bare = system.objective(Inertia(0.0, state.x), around.load, system.still)
            x = state.x + dt * v
            y = system.lift(x)
            force -= system.lower(whole.residual(y)) - system.lower(bare.residual(y))
        return force
