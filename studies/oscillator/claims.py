"""What the three sources say of time steps, and what the library's steppers do."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np

import pliant as pl

from . import runs, theory
from .body import Case, swing
from .report import Claim, Verdict, holds_if, power

#: The constants of [amayazordan]: 1 kg, K = 1000, B = 70, steps of a millisecond.
SPRING = Case(zeta=0.0, mass=1.0, k=1000.0)
DAMPED_SPRING = Case(zeta=70.0 / (2.0 * np.sqrt(1000.0)), mass=1.0, k=1000.0)
DT = 0.001


def lecture_claims() -> list[Claim]:
    """Of the lecture with the oscillator."""
    one, full = (
        swing(runs.DAMPED, runs.STEPPERS[name], 0.05, 60)
        for name in ("LinearisedImplicit", "Implicit")
    )
    apart = np.abs(one.x - full.x).max() / runs.DAMPED.start
    errors = [runs.errors(n, steps=(100, 200, 400)).order for n in ("ExplicitEuler", "Implicit")]
    return [
        Claim(
            "mass-spring model",
            "Linearised, implicit Euler needs one sparse linear system a step.",
            "For a linear spring that is backward Euler itself: the two differ by "
            f"{power(apart)} of the start over 60 steps.",
            holds_if(apart < 1e-9),
        ),
        Claim(
            "mass-spring model",
            "Explicit Euler and implicit Euler are both numerical solutions of the spring's equation.",
            f"Both approach it, with the first order of dt: fitted {errors[0]:.2f} and "
            f"{errors[1]:.2f}. At one dt they err to opposite sides, one gains and one loses energy.",
            holds_if(all(abs(e - 1.0) < 0.1 for e in errors)),
        ),
    ]


def overview_claims() -> list[Claim]:
    """Of the lecture on deformable modelling."""
    euler, rk4 = (
        runs.errors(n, steps=(s,)).errors[0]
        for n, s in (("ExplicitEuler", 800), ("RungeKutta4", 200))
    )
    stiff = Case(zeta=0.0, k=100.0 * runs.FREE.k)
    soft_dt, stiff_dt = (runs.limit("SymplecticEuler", c) / c.omega for c in (runs.FREE, stiff))
    cost = _time_per_step("Implicit", 1 / 60) / _time_per_step("SymplecticEuler", 1e-4)
    return [
        Claim(
            "mass-spring systems",
            "More accurate explicit methods such as Runge-Kutta may be used (speed against accuracy).",
            f"For the same 800 evaluations of force in a period explicit Euler errs by {power(euler)} "
            f"of the start, Runge-Kutta 4 by {power(rk4)}. Here there is nothing to trade.",
            holds_if(rk4 < euler),
        ),
        Claim(
            "implicit integration",
            "Implicit steps are provably more stable and can be larger, but each costs much more.",
            "None of the four implicit steppers has a limit. On a beam of 1,000 points a step of 1/60 s "
            f"by backward Euler takes {cost:.0f} times as long as one of 0.1 ms by symplectic Euler (on "
            "the machine that made this page).",
            holds_if(cost > 2.0 and runs.limit("Implicit", runs.FREE) == np.inf),
        ),
        Claim(
            "evaluation of mass-springs",
            "Large spring constants make the system unstable and require small time steps.",
            f"The longest step of symplectic Euler is {1e3 * soft_dt:.1f} ms, with a spring a hundred "
            f"times as stiff {1e3 * stiff_dt:.2f} ms: as 1/√k.",
            holds_if(abs(soft_dt / stiff_dt - 10.0) < 0.1),
        ),
    ]


def mesh_claims() -> list[Claim]:
    """Of the spring meshes of Amaya and Zordan, with their constants."""
    tenth = {n: _energy(n, SPRING, 10.0, DT) for n in ("ExplicitEuler", "SymplecticEuler")}
    halves = [np.log(_energy("ExplicitEuler", SPRING, 1.0, dt)) for dt in (DT, DT / 2, DT / 4)]
    damped = swing(DAMPED_SPRING, runs.STEPPERS["ExplicitEuler"], DT, 500)
    allowed = theory.limit("ExplicitEuler", DAMPED_SPRING.zeta) / DAMPED_SPRING.omega
    errors = {n: runs.errors(n, runs.FREE, (400,)).errors[0] for n in runs.EXPLICIT}
    mean, new = (
        errors[n] / errors["ExplicitEuler"] for n in ("AverageVelocity", "SymplecticEuler")
    )
    return [
        Claim(
            "2",
            "Without damping the simulation blows up (1 kg, K = 1000, dt = 1 ms).",
            "Not with the step that is printed, new velocity first. It is symplectic Euler: one such "
            f"spring has {tenth['SymplecticEuler']:.2f} of its energy after 10 s. With the old "
            f"velocity, explicit Euler, it has {tenth['ExplicitEuler']:.0f} times its energy: that fits "
            "the report.",
            holds_if(tenth["SymplecticEuler"] > 2.0),
        ),
        Claim(
            "2",
            "Numerical problems shrink with the time step.",
            "The energy that explicit Euler gains in a second goes with dt: its logarithm is "
            + ", ".join(f"{h:.3f}" for h in halves)
            + " at 1, 1/2 and 1/4 ms. It does not vanish at any dt.",
            holds_if(all(abs(a / b - 2.0) < 0.01 for a, b in pairwise(halves))),
        ),
        Claim(
            "2",
            "With damping, B = 70, the simulation is stable.",
            f"B is {DAMPED_SPRING.zeta:.2f} of critical for one such spring. Even explicit Euler ends "
            f"at {power(abs(damped.x[-1]) / SPRING.start)} of the start after half a second, and would "
            f"be stable up to {1e3 * allowed:.0f} ms.",
            holds_if(
                bool(abs(damped.x[-1]) < 0.1 * SPRING.start and (np.diff(damped.x) <= 0.0).all())
            ),
        ),
        Claim(
            "3",
            "Position by the average of old and new velocity reduces the error significantly.",
            f"It is {mean:.2f} of explicit Euler's, and of the same first order, since the velocity "
            "is. Energy still grows at every dt, by half as much; with the new velocity alone, which "
            f"they had before, it does not, and the error is {new:.2f} of "
            "explicit Euler's.",
            Verdict.PARTLY if 0.4 < mean < 0.6 else holds_if(mean <= 0.4),
        ),
    ]


def _energy(name: str, case: Case, seconds: float, dt: float) -> float:
    return float(swing(case, runs.STEPPERS[name], dt, round(seconds / dt)).energy[-1])


def _time_per_step(name: str, dt: float) -> float:
    mesh = pl.meshes.rectangle((4, 1), (99, 9))
    beam = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3))
    beam.fix(mesh.points[:, 0] < 1e-9)
    scene, stepper = pl.Scene(beam, gravity=(0, -9.81)), type(runs.STEPPERS[name])()
    scene.step(dt, stepper=stepper)  # kernels are compiled and factors made
    times = []
    for _ in range(10):
        begun = time.perf_counter()
        scene.step(dt, stepper=stepper)
        times.append(time.perf_counter() - begun)
    return float(np.median(times))
