"""Position-based dynamics with compliance."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated
from weakref import WeakKeyDictionary

import numpy as np

from pliant.backend import DeviceSpace
from pliant.control import Damping
from pliant.declared import Declared, Quantity, accept
from pliant.energies import ConditionEnergy, Energy, OfConditions, size_of
from pliant.errors import Advice, SolverError, prefixed, shown
from pliant.problem import BodyProblem, Inertia, Loads, State, System
from pliant.solvers import Report

from .beginning import plain
from .carried import lone_resistance
from .refusal import refuse_controlled
from .xpbd_obstacles import pushed, put_outside
from .xpbd_sweeps import Sweeps

#: Sweeps between two looks at how far the points still move.
LOOK = 5
#: The share of the body's size that is rounding.
ROUNDING = 1e-14
#: The least share of the turn of its gradient that a condition follows in a visit.
LEAST = 1 / 64


class XPBD(Declared):
    """Position-based dynamics: conditions are put right one after another, over and over.

        y = x + dt v + dt^2 M^-1 load,     then for every condition C of stiffness k, in sweeps:
        lambda <- lambda - (C + lambda/k) / (dC dt^2 M^-1 dC^T + 1/k),   x = y + dt^2 M^-1 sum lambda dC

    and v_new = (x_new - x)/dt. lambda [J]: the multiplier, -k C when all is done, which begins at zero
    and is kept over the sweeps; the compliance 1/k is that of the energies k/2 C^2, so that stiffness
    depends neither on dt nor on the number of sweeps, once these are enough to solve the step. Sweeps
    visit conditions by colours that share no point. For pl.Springs (linear ones), pl.Cloth and
    pl.ConstraintBody.

        scene.run(seconds=1, stepper=pl.XPBD(200, substeps=4))

    iterations: the most sweeps of a (sub)step. substeps: parts of dt, each with its own sweeps.
    tolerance: a step is solved when what is left, by the rate at which sweeps get smaller, is no more
    than this share of what the conditions have moved points in it; SolverError if `iterations` do not
    get there. None: exactly `iterations` sweeps, whatever they leave, which is in
    take.solver["residual"]. relaxation: from 1 to below 2, of conditions that pull; near 1.9 long stiff
    chains need 20 times fewer sweeps, cloth gains little. For steps that are solved: a few sweeps of it
    with tolerance=None may blow up where those of 1 are only soft.

    Solved, it is the step of pl.Implicit, backward Euler: of first order, stable at any dt, linear
    momentum kept to rounding, angular momentum drifting with dt. The impulses turn with their
    gradients; those of [macklin2016] keep the direction they were given in, and so miss backward Euler
    however many sweeps are made, by the turn of the gradients in a step (1 mm for a swinging chain of
    1 m after 0.2 s at dt = 1/60). Sweeps needed grow with stiffness dt^2/mass and with the square of the
    number of conditions across: not for stiff or fine bodies, where pl.Implicit is faster. A sheet that
    is pushed together so fast that it folds within one step may be refused as not solved: use substeps.
    Obstacles push points that are near them, with friction; points that sweeps leave inside are put on
    the surface, and lose their velocity inwards. Only points are kept out.
    Dampings: None, pl.Rayleigh(mass=), pl.ConditionDamping, and those of velocities.
    Source: [macklin2016] (8), (17), (18).
    """

    def __init__(
        self,
        iterations: Annotated[
            int, Quantity("most sweeps of a substep", at_least=1, most=1_000_000, whole=True)
        ] = 1000,
        *,
        substeps: Annotated[
            int,
            Quantity(
                "parts of a step, each with its own sweeps", at_least=1, most=1_000_000, whole=True
            ),
        ] = 1,
        tolerance: Annotated[
            float | None,
            Quantity(
                "share of the way that a step may leave; none: as many sweeps as iterations says",
                "-",
                above=0.0,
                below=1.0,
                none="none",
                says="a share between 0 and 1, e.g. 1e-3, or None for exactly as many iterations as "
                "are given",
            ),
        ] = 1e-3,
        relaxation: Annotated[
            float,
            Quantity(
                "over-relaxation of conditions that pull; 1.9 for chains",
                "-",
                at_least=1.0,
                below=2.0,
                says="1 or more and below 2, where sweeps get smaller",
            ),
        ] = 1.0,
    ):
        self.iterations, self.substeps = accept(self, iterations=iterations, substeps=substeps)
        self.tolerance, self.relaxation = accept(self, tolerance=tolerance, relaxation=relaxation)
        self._sweeps: WeakKeyDictionary[System, Sweeps] = WeakKeyDictionary()

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        refuse_controlled(
            self, problem.damping, "pl.ConditionDamping(...) or pl.Rayleigh(mass=...)"
        )
        sweeps = self._prepared(problem.system)
        state = state.to_host(problem.system)
        total, start, h = Report(0, 0, 0.0, ""), loads.time - dt, dt / self.substeps
        for part in range(1, self.substeps + 1):
            now = loads if self.substeps == 1 else loads.at(start + part * h)
            state, report = self._substep(problem, sweeps, state, now.where(state.x), h)
            total.iterations += report.iterations
            total.residual = max(total.residual, report.residual)
            total.reason = report.reason
        return state, total

    def _substep(
        self, problem: BodyProblem, sweeps: Sweeps, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        system, damping = problem.system, problem.damping
        context = plain(problem, state, loads, dt)
        # Air resists each point on its own, before conditions act.
        load = context.load + lone_resistance(system, state, loads, context.load, dt)
        context = replace(context, load=load, resisting=lambda d: ())
        inertia = damping.inertia(context)
        w = np.where(system.free, 1.0 / (inertia.weight * system.masses), 0.0)
        y = inertia.anchor + w[:, None] * context.load
        if problem.obstacles:  # which push points before conditions bind them
            y = pushed(problem.obstacles, size_of(system.undeformed), state.x, y, dt)
        y[system.pinned] = loads.pinned[system.pinned]
        sweeps.begin(y, w, _viscous(inertia, damping, len(sweeps.visits)))
        done, reason = self._sweep(sweeps, system.size, loads.time)
        x = sweeps.x
        force = system.to_host(
            system.objective(inertia, context.load, system.unrestricted).residual(
                system.to_device(x)
            )
        )
        v = (x - state.x) / dt
        if problem.obstacles:
            x, v = put_outside(system, problem.obstacles, x, v)
        new = replace(state, x=x, v=v, drift=None, guess=state.guess.without_motion())
        return new, Report(done, 0, float(np.abs(force).max()), reason)

    def _sweep(self, sweeps: Sweeps, size: float, time: float) -> tuple[int, str]:
        """Sweep until the step is solved. Returns the number of sweeps and the reason to stop."""
        done, share, last, rate, left = 0, 1.0, math.inf, 1.0, math.inf
        sweeps.turn(share, self.relaxation)
        while done < self.iterations:
            count = min(LOOK, self.iterations - done)
            change = sweeps.run(count)
            done += count
            if change > last and share > LEAST:  # impulses that turn at once may overshoot in turns
                share *= 0.5
                sweeps.turn(share, self.relaxation)
            # Sweeps get smaller by a factor. At first it is that of the fastest errors.
            before, rate = rate, (change / last) ** (1.0 / count) if 0.0 < last < math.inf else 1.0
            slow = max(before, rate)
            left, last = change * slow / (1.0 - slow) if slow < 1.0 else math.inf, change
            if self.tolerance is None:
                continue
            if change <= ROUNDING * size:
                return done, "rounding"
            if left <= self.tolerance * sweeps.moved():
                return done, "converged"
        if not math.isfinite(last):
            raise SolverError(f"the step to t = {time:.6g} s failed: positions are not finite")
        if self.tolerance is None:
            return done, "iterations"
        share = left / max(sweeps.moved(), ROUNDING * size)
        what = f"points would still move by about {share:.2g} of their way, not {self.tolerance:g}"
        if math.isinf(left):
            what = "sweeps do not get smaller, as where a body folds within a step"
        raise SolverError(
            Advice(
                f"the step to t = {time:.6g} s was not solved in {done} sweeps: {what}. Use more "
                "substeps, more iterations or a larger tolerance; ",
                "relaxation=1.9 for long chains; tolerance=None to take what the sweeps give; or "
                "pl.Implicit()",
                'relaxation = 1.9 for long chains; or stepper = "Implicit"',
            )
        )

    def _prepared(self, system: System) -> Sweeps:
        if system not in self._sweeps:
            energies = [_conditions(e) for e in system.assembly.energies]
            vectors = DeviceSpace(system.masses, system.dim, device=system.device)
            self._sweeps[system] = Sweeps(energies, vectors)
        return self._sweeps[system]


def _conditions(energy: Energy) -> ConditionEnergy:
    """An energy as conditions, or an error that says what to use."""
    use = "; for this body use scene.run(...) without stepper=, or another stepper"
    field = '; for this body use stepper = "Implicit", or another'
    if not isinstance(energy, OfConditions):
        raise ValueError(
            Advice(
                f"XPBD: got a body with {type(energy).__name__}, which is no sum of k/2 C^2 of "
                "conditions C; expected ",
                f"pl.Springs, pl.Cloth or pl.ConstraintBody{use}",
                f"springs, cloth or preserving{field}",
            )
        )
    try:
        return energy.as_conditions()
    except ValueError as error:
        said = prefixed("XPBD: ", error)
        raise ValueError(Advice("", f"{said}{use}", f"{said.in_scene}{field}")) from None


def _viscous(inertia: Inertia, damping: Damping, count: int) -> list[ConditionEnergy]:
    """What a damping of conditions adds to each energy; other viscosities are refused."""
    found = [e for e in inertia.energies if isinstance(e, ConditionEnergy)]
    if inertia.quadratics or len(found) != len(inertia.energies) or len(found) not in (0, count):
        raise ValueError(
            Advice(
                f"XPBD: got {shown(damping)}, whose viscosity is no sum over conditions; expected ",
                "pl.ConditionDamping(rate=...), whose rate [s] is like the stiffness of pl.Rayleigh, "
                "or pl.Rayleigh(mass=...)",
                'damping = { model = "ConditionDamping", rate = ... }, whose rate [s] is like the '
                'stiffness of "Rayleigh", or "Rayleigh" with mass',
            )
        )
    return found
