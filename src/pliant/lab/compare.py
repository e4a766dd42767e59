"""Every damping on one case, measured."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from pliant import measure
from pliant.damping.base import Damping
from pliant.deformable import Deformable
from pliant.errors import SolverError
from pliant.io.shown import when_at_rest
from pliant.progress import Show, progress_bar
from pliant.scene import Scene
from pliant.stepping import SymplecticEuler
from pliant.take import Take, Track

from .candidates import WITHIN, Candidate, Mode, NotApplicable, candidates, slowest
from .case import Case
from .flight import Flight, fly

NAN = float("nan")


@dataclass(frozen=True)
class Finding:
    """What one damping did to one body.

    amplitude (frames,): the share of the start shape that is left. rest_time,
    halved, doubled, finer [s]: as run, with half and twice the step, on the finer mesh; inf if it did
    not rest. longest_dt [s]: of symplectic Euler; nan where the damping needs the implicit step.
    cost: processor time per step, as a multiple of that without damping. trouble: why it did not run.
    """

    name: str
    body: str
    how: str
    damping: str = ""
    trouble: str = ""
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    amplitude: np.ndarray = field(default_factory=lambda: np.zeros(0))
    rest_time: float = NAN
    bounces: float = NAN
    halved: float = NAN
    doubled: float = NAN
    finer: float = NAN
    flight: Flight = field(default_factory=Flight)
    shift: float = NAN
    longest_dt: float = NAN
    cost: float = NAN


@dataclass(frozen=True)
class Comparison:
    """All findings on a case."""

    case: Case
    findings: list[Finding]
    modes: dict[str, Mode]

    def of(self, name: str, body: str | None = None) -> Finding:
        """The finding of one damping, on a body or the first one."""
        for f in self.findings:
            if f.name == name and body in (None, f.body):
                return f
        raise KeyError(f"{name!r} is not in this comparison")


@dataclass(frozen=True)
class Run:
    """A take of a case with one damping, or why there is none."""

    take: Take | None
    seconds_per_step: float
    trouble: str


def compare(case: Case, *, only: list[str] | None = None, progress: Show = None) -> Comparison:
    """Run every damping that applies: as it is, with dt halved and doubled, on a finer mesh, flying."""
    scene = case.make(0)
    names = [body.name for body in scene.bodies]
    if len(set(names)) < len(names):
        raise ValueError(
            f"compare: got bodies called {names}; expected names that differ, as in name='left'"
        )
    shapes = {level: _rests(case, level) for level in ((0, 1) if case.refines else (0,))}
    modes = {body.name: slowest(body, scene.gravity, case.wish, case.dt) for body in scene.bodies}
    chosen = [c for c in candidates(case.wish, case.bounces) if not only or c.name in only]
    if not chosen:
        names = [c.name for c in candidates(case.wish, case.bounces)]
        raise ValueError(f"got only={only!r}; expected some of {names}")
    findings: list[Finding] = []
    with progress_bar(6 * len(chosen), "dampings", progress) as advance:
        _run(replace(case, seconds=2 * case.dt), {}, case.dt, 0)  # compiles what must be
        plain = _run(case, {}, case.dt, 0)
        for candidate in chosen:
            findings += _examine(case, candidate, modes, shapes, plain, advance)
    return Comparison(case, _relative_costs(findings), modes)


def _relative_costs(findings: list[Finding]) -> list[Finding]:
    """Costs over that of no damping, if that is among them: measured in the same way."""
    plain = {f.body: f.cost for f in findings if f.name == "none"}
    return [replace(f, cost=f.cost / plain.get(f.body, 1.0)) for f in findings]


def _examine(
    case: Case,
    candidate: Candidate,
    modes: dict[str, Mode],
    shapes: dict[int, dict[str, np.ndarray]],
    plain: Run,
    advance: Callable[[], None],
) -> list[Finding]:
    """One damping, for all bodies of the scene."""
    scene = case.make(0)
    names = [body.name for body in scene.bodies]
    blank = [Finding(candidate.name, name, candidate.how) for name in names]
    try:
        dampings = {b.name: candidate.make(b, modes[b.name]) for b in scene.bodies}
    except (NotApplicable, ValueError) as error:
        for _ in range(6):
            advance()
        return [replace(f, trouble=f"does not apply: {error}") for f in blank]
    runs = []
    for dt, level in ((case.dt, 0), (case.dt / 2, 0), (case.dt * 2, 0), (case.dt, 1)):
        fits = level in shapes
        runs.append(_run(case, dampings, dt, level) if fits else Run(None, NAN, "not refined"))
        advance()
    flights = fly(case, dampings)
    advance()
    found = []
    for f in blank:
        times = [
            _rest_time(run, f.body, shapes.get(level))
            for run, level in zip(runs, (0, 0, 0, 1), strict=True)
        ]
        f = replace(
            f,
            damping=repr(dampings[f.body]),
            trouble=runs[0].trouble,
            rest_time=times[0],
            halved=times[1],
            doubled=times[2],
            finer=times[3],
            flight=flights[f.body],
            longest_dt=_longest(scene, f.body, dampings[f.body]),
            shift=_shift(case, f.body, dampings, shapes[0]),
            cost=runs[0].seconds_per_step / plain.seconds_per_step,
        )
        if runs[0].take is not None:
            track = runs[0].take[f.body]
            signal = _amplitude(track, shapes[0][f.body])
            crossed = measure.crossings(track.times, signal)
            # A bounce is a period, which crosses rest twice.
            f = replace(
                f,
                times=track.times,
                amplitude=signal,
                bounces=0.5 * float((crossed < f.rest_time).sum()),
            )
        found.append(f)
    advance()
    return found


def _run(case: Case, dampings: dict[str, Damping], dt: float, level: int) -> Run:
    scene = case.make(level)
    for body in scene.bodies:
        body.damping = dampings.get(body.name)
    steps = max(1, round(case.seconds / dt))
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # what goes wrong is in the finding
            take = scene.run(seconds=case.seconds, dt=dt, stepper=case.stepper, progress=False)
    except (SolverError, ValueError) as error:
        return Run(None, NAN, str(error))
    return Run(take, (time.process_time() - start) / steps, "")


def _rests(case: Case, level: int) -> dict[str, np.ndarray]:
    scene = case.make(level)
    return {body.name: body.rest_shape(scene.gravity) for body in scene.bodies}


def _rest_time(run: Run, body: str, rests: dict[str, np.ndarray] | None) -> float:
    if run.take is None or rests is None:
        return NAN
    track = run.take[body]
    if track.asked.get("bounces"):  # then the envelope is what was promised
        return when_at_rest(track, track.distance()) or NAN
    return track.rest_time(WITHIN, rests[body])


def _amplitude(track: Track, rest: np.ndarray) -> np.ndarray:
    """The share of the start shape in every frame; 0 for a body that began at rest."""
    u = track.displacements(rest)
    if np.abs(u[0]).max() <= 1e-9 * track.size:
        return np.zeros(len(u))
    return measure.amplitude(u, track.masses)


def _shift(
    case: Case, name: str, dampings: dict[str, Damping], rests: dict[str, np.ndarray]
) -> float:
    """How far ten steps move a body that begins at its rest shape, over its size."""
    scene = case.make(0)
    for body in scene.bodies:
        body.place(rests[body.name])
        body.velocity = 0.0
        body.damping = dampings[body.name]
    try:
        take = scene.run(seconds=10 * case.dt, dt=case.dt, stepper=case.stepper, progress=False)
    except (SolverError, ValueError):
        return NAN
    track = take[name]
    return float(
        np.sqrt((track.displacements(rests[name])[-1] ** 2).sum(axis=1).max()) / track.size
    )


def _longest(scene: Scene, name: str, damping: Damping) -> float:
    body: Deformable = next(b for b in scene.bodies if b.name == name)
    if damping.controlled:
        return NAN
    try:
        return SymplecticEuler().longest_dt(body.system(), damping)
    except (SolverError, ValueError):
        return NAN
