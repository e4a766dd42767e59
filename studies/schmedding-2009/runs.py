"""One run of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pliant as pl
from pliant.control import Damping

from .scenes import GRAVITY, RELEASE, Case


@dataclass(frozen=True)
class Run:
    """What happened in every step until the end, or until it blew up.

    Frames are at about even times; of a run that blew up, the last one is its end.
    """

    dt: float
    stable: bool
    energy: np.ndarray  # potential, without weight [J], (steps + 1,)
    lowest: np.ndarray  # of the points to be damped [m]
    momentum: np.ndarray  # of what flies [kg m/s], (steps + 1, 3)
    spin: np.ndarray  # its angular momentum about its centre [kg m^2/s], (steps + 1, 3)
    times: np.ndarray  # of frames [s]
    x: np.ndarray  # [m], (frames, n, 3)

    @property
    def clock(self) -> np.ndarray:
        """The times of steps [s]."""
        return self.dt * np.arange(len(self.energy))


def simulate(
    case: Case,
    damping: Damping | None,
    dt: float,
    *,
    bound: float = np.inf,
    frames: int = 0,
) -> Run:
    """Run a scene with symplectic Euler, until its potential energy passes a bound [J]."""
    case.begin(damping)
    body, stepper = case.body, pl.SymplecticEuler()
    steps = max(1, round(case.seconds / dt))
    wanted = np.unique(np.linspace(0, steps, frames).round().astype(int)) if frames else ()
    kept, seen, stable = [], [], True
    for k in range(steps + 1):
        if k:
            try:
                case.scene.step(dt, stepper=stepper)
            except pl.SolverError:  # points have left
                stable = False
                break
        x, v = body.state.x, body.state.v
        seen.append(_look(case, x, v))
        if k in wanted:
            kept.append((k * dt, x.copy()))
        if not seen[-1][0] <= bound:  # nan, too
            stable = False
            break
    if frames and not stable:
        kept.append((k * dt, body.state.x.copy()))
    columns = [np.array(c) for c in zip(*seen, strict=True)]
    times, xs = zip(*kept, strict=True) if kept else ((), ())
    return Run(dt, stable, *columns, np.array(times), np.array(xs))


def _look(case: Case, x: np.ndarray, v: np.ndarray) -> tuple:
    system, free = case.body.system(), case.flying
    with np.errstate(over="ignore", invalid="ignore"):
        m = system.masses[:, None]
        energy = system.assembly.value(x)
        m, u, r = m[free], v[free], x[free] - (m[free] * x[free]).sum(axis=0) / m[free].sum()
        return energy, x[case.main, 1].min(), (m * u).sum(axis=0), (m * np.cross(r, u)).sum(axis=0)


def fallen(case: Case, run: Run) -> float:
    """The momentum gained downwards after the hand let go, over m g t: 1 if it falls freely."""
    after = run.momentum[run.clock >= RELEASE, 1]
    weight = -GRAVITY[1] * case.body.masses[case.flying].sum()
    return float((after[0] - after[-1]) / (weight * run.dt * max(1, len(after) - 1)))


def sunk(run: Run, reference: Run) -> float:
    """How far what is damped sank below where it began, over the undamped run."""
    depth, full = (r.lowest[0] - r.lowest.min() for r in (run, reference))
    return float(depth / full)
