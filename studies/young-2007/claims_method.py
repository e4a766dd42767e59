"""What chapters 2, 3 and 5 of the thesis claim about its method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if, power

from .claims import eigenvalues
from .examples import rest_time, trapezoid
from .ours import ours
from .runs import Runs
from .triangles import green_strain
from .velocity_method import VelocityMethod


def method_claims(runs: Runs) -> list[Claim]:
    """Chapters 2, 3 and 5: what the method does."""
    example = trapezoid()
    rests = {}
    for dt in (0.0025, 0.01, 0.1, 0.25, 1.0):
        frames = ours(replace(example, dt=dt, seconds=6.0), 1.0)
        rests[dt] = rest_time(dt * np.arange(len(frames)), example.d1(frames))

    free = replace(example, fixed=np.zeros(12, bool))
    x, arm = free.start, free.start - free.start.mean(axis=0)
    v = np.array([0.3, -0.2]) + 0.5 * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    before, method = _momentum(x, v), VelocityMethod(free, 1.0, 0.01)
    for _ in range(100):
        x, v = method.step(x, v)
    drift = np.abs(_momentum(x, v) - before).max()

    turned = np.array([[[0.0, -1.0], [1.0, 0.0]]])
    u = turned[0] - np.eye(2)
    printed = 0.5 * (u + u.T + u * u.T)  # (3.1): the last term entry by entry, no sum
    loss = 0.5 * np.log1p(1.0 * 0.01 * eigenvalues(example)[0]) / 0.01
    descent = runs.progress["steepest descent"]
    same = np.abs(
        runs.thesis["Example 1", 1.0, None].positions - runs.minimum["Example 1", 1.0].positions
    ).max()
    return [
        Claim(
            "2.1.1",
            "The size of the time step does not affect the rate at which the system rests.",
            "In the limit. Example 1, τ = 1, rests at "
            + ", ".join(f"{t:.2f} s (Δt = {dt:g})" for dt, t in rests.items())
            + ": the step is backward Euler, whose rate is ln(1 + τλΔt)/Δt.",
            Verdict.PARTLY,
        ),
        Claim(
            "4.1",
            "The method can take large time steps.",
            f"Example 1 at Δt = 1 s, a hundred times the thesis's: stable, at rest after "
            f"{rests[1.0]:.1f} s in place of {rests[0.01]:.1f} s.",
            holds_if(np.isfinite(rests[1.0])),
        ),
        Claim(
            "2.2.3",
            "Momentum is conserved and ballistic motion is possible.",
            f"A free, spinning body after 100 steps: linear and angular momentum changed by "
            f"{power(drift)}.",
            holds_if(drift < 1e-11),
        ),
        Claim(
            "(3.1)",
            "Green strain by components.",
            "The quadratic term must be ∂u<sub>k</sub>/∂x<sub>i</sub> "
            f"∂u<sub>k</sub>/∂x<sub>j</sub>. A quarter turn has strain {np.abs(printed).max():.1f} "
            f"by (3.1) as printed and {np.abs(green_strain(turned)).max():.0f} by (3.2), which the "
            "method uses.",
            Verdict.MISPRINT,
        ),
        Claim(
            "3.2.1",
            "Steepest descent with halving and doubling works.",
            f"In Example 1: {runs.iterations_per_step:.0f} iterations a step, and after 5 s the "
            f"positions agree with Newton's method to {power(same)}. In Example 2 one step is "
            f"still {100 * descent.excess[-1]:.2g} % above the minimum after "
            f"{descent.iterations[-1]} iterations and {1e3 * descent.position_error:.1f} mm off; "
            "see Figure B.",
            Verdict.PARTLY,
        ),
        Claim(
            "5.1.1, (5.4)",
            "With κ = 1 the system is no longer damped.",
            "It is backward Euler with stiffness multiplied by τ/Δt: amplitudes then fall by "
            f"(1 + τλΔt)<sup>−1/2</sup> a step ({loss:.2f} per second for the slowest mode of "
            "Example 1), and the frequency depends on Δt. κ above 1 can undo the loss.",
            Verdict.FAILS,
        ),
    ]


def _momentum(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Linear and angular momentum of unit masses."""
    return np.array([*v.sum(axis=0), np.sum(x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])])
