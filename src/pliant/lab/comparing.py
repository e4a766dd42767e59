"""Every damping on one case, measured."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from math import nan

import numpy as np

from pliant.control import Damping, NotApplicable, Trial
from pliant.errors import SolverError
from pliant.scene import Scene
from pliant.step import SymplecticEuler
from pliant.take import Show, Take, progress_bar

from .candidates import Mode, candidates, settled, slowest
from .case import Case
from .finding import Comparison, Finding, Interrupted
from .flight import Flown, flown, fly
from .trial import NOT_RUN, Run, run, seen
from .wish import Wish, wishes

Rests = dict[str, np.ndarray]
#: What is run of every damping: the case, with half and twice the step, finer, flying, and the rest.
PARTS = 6


def compare(case: Case, *, only: list[str] | None = None, progress: Show = None) -> Comparison:
    """Run every damping that applies: as it is, with dt halved and doubled, on a finer mesh, flying.

    If it is interrupted it raises `Interrupted`, which has what was found so far.
    """
    scene = case.make(0)
    names = [body.name for body in scene.bodies]
    if len(set(names)) < len(names):
        raise ValueError(
            f"compare: got bodies called {names}; expected names that differ, as in name='left'"
        )
    asked = wishes(case, scene)
    all_names = [c.name for c in candidates(list(asked.values()))]
    chosen = [c for c in candidates(list(asked.values())) if not only or c.name in only]
    if unknown := [name for name in only or [] if name not in all_names]:
        raise ValueError(f"got only={unknown!r}; expected some of {all_names}")
    findings: list[Finding] = []
    modes: dict[str, Mode] = {}
    levels = (0, 1) if case.refines else (0,)
    try:
        with progress_bar(PARTS * len(chosen) + len(levels), "dampings", progress) as advance:
            settling: dict[str, Damping] = {name: settled(wish) for name, wish in asked.items()}
            for dampings in ({}, settling):  # compiles what must be, which is no cost of a step
                run(replace(case, seconds=2 * case.dt), dampings, case.dt, 0)
            ends, rests = {}, {}
            for level in levels:
                ends[level] = run(case, settling, case.dt, level)
                rests[level] = _rests(case, level, ends[level].take)
                advance()
            for body in scene.bodies:
                modes[body.name] = slowest(body, rests[0][body.name], asked[body.name], case.dt)
            free = flown(case, {})
            for candidate in chosen:
                findings += _examine(case, candidate, modes, rests, ends, free, advance)
    except KeyboardInterrupt:
        raise Interrupted(Comparison(case, _relative_costs(findings), modes)) from None
    return Comparison(case, _relative_costs(findings), modes)


def _rests(case: Case, level: int, take: Take | None) -> Rests:
    """The shapes in which bodies come to rest: those that `Settle` reached, if it could be run."""
    if take is not None and len(take.times) > 1:
        found = {track.name: track.rest for track in take.tracks}
        if all(rest is not None for rest in found.values()):
            return {name: np.asarray(rest) for name, rest in found.items()}
    scene = case.make(level)
    return {body.name: body.rest_shape(scene.gravity) for body in scene.bodies}


def _relative_costs(findings: list[Finding]) -> list[Finding]:
    """Costs over that of no damping, if that is among them: measured in the same way."""
    plain = {f.body: f.cost for f in findings if f.name == "none"}
    return [replace(f, cost=f.cost / plain.get(f.body, 1.0)) for f in findings]


def _examine(
    case: Case,
    candidate: Trial,
    modes: dict[str, Mode],
    rests: dict[int, Rests],
    ends: dict[int, Run],
    free: dict[str, Flown] | None,
    advance: Callable[[], None],
) -> list[Finding]:
    """One damping, for all bodies of the scene."""
    scene = case.make(0)
    blank = [Finding(candidate.name, body.name, candidate.how) for body in scene.bodies]
    dampings, refused = {}, {}
    for body in scene.bodies:
        try:
            dampings[body.name] = candidate.make(body, modes[body.name])
        except (NotApplicable, ValueError) as error:
            refused[body.name] = f"does not apply: {error}"
    if not dampings:
        for _ in range(PARTS):
            advance()
        return [replace(f, trouble=refused[f.body]) for f in blank]
    known = ends if candidate.name == "Settle" else {}  # has been run for its rest shapes
    runs = _runs(case, dampings, rests, known, advance)
    flights = fly(case, dampings, free)
    advance()
    shifts = _shifts(case, dampings, rests[0])
    found = []
    for f in blank:
        if f.body in refused:
            found.append(replace(f, trouble=refused[f.body]))
            continue
        wish: Wish = modes[f.body].wish
        first, *others = [seen(r, f.body, wish, shapes[f.body], case.measure) for r, shapes in runs]
        found.append(
            replace(
                f,
                damping=repr(dampings[f.body]),
                trouble=first.trouble,
                times=np.zeros(0) if first.times is None else first.times,
                amplitude=np.zeros(0) if first.amplitude is None else first.amplitude,
                rest_time=first.rest_time,
                bounces=first.bounces,
                halved=others[0].rest_time,
                doubled=others[1].rest_time,
                finer=others[2].rest_time,
                flight=flights[f.body],
                longest_dt=_longest(scene, f.body, dampings[f.body]),
                shift=shifts[f.body],
                cost=runs[0][0].seconds_per_step,
            )
        )
    advance()
    return found


def _runs(
    case: Case,
    dampings: dict[str, Damping],
    rests: dict[int, Rests],
    known: dict[int, Run],
    advance: Callable[[], None],
) -> list[tuple[Run, Rests]]:
    """The case as it is, with half and twice the step, and finer; `known`: by level, as it is."""
    runs = []
    for dt, level in ((case.dt, 0), (case.dt / 2, 0), (case.dt * 2, 0), (case.dt, 1)):
        if level not in rests:
            runs.append((NOT_RUN, rests[0]))
        elif known and dt == case.dt:
            runs.append((known[level], rests[level]))
        else:
            runs.append((run(case, dampings, dt, level), rests[level]))
        advance()
    return runs


def _shifts(case: Case, dampings: dict[str, Damping], rests: Rests) -> dict[str, float]:
    """The distance that bodies move in ten steps from their rest shapes, over their sizes."""
    scene = case.make(0)
    scene.time = case.seconds  # pins and loads are where they come to rest
    for body in scene.bodies:
        body.place(rests[body.name])
        body.velocity = 0.0
        body.drop_keys()  # or they would take the place of this one
        body.damping = dampings.get(body.name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            take = scene.run(seconds=10 * case.dt, dt=case.dt, stepper=case.stepper, progress=False)
    except (SolverError, ValueError):
        return {body.name: nan for body in scene.bodies}
    moved = {t.name: t.displacements(rests[t.name])[-1] / t.size for t in take.tracks}
    return {name: float(np.sqrt((u**2).sum(axis=1).max())) for name, u in moved.items()}


def _longest(scene: Scene, name: str, damping: Damping) -> float:
    body = next(b for b in scene.bodies if b.name == name)
    if damping.controlled:
        return nan
    try:
        return SymplecticEuler().longest_dt(body.system(), damping)
    except (SolverError, ValueError):
        return nan
