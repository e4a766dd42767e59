"""What a scene says of its bodies before and after a run."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pliant.bodies import Deformable
from pliant.errors import warn_user
from pliant.problem import Loads, Problem
from pliant.reduced import ReducedShape, ReducedSystem, SubspaceSystem
from pliant.step import Implicit, LinearisedImplicit, host_reason

log = logging.getLogger("pliant")

#: Pins that turn by more [rad] against others can leave few columns off by a tenth of the way.
FAR = 0.5 * np.pi


def tell_travel(problem: Problem, loads: Sequence[Loads], contact: str | None) -> None:
    """Say before a run on a device which bodies will not stay there; contact: why that does not."""
    islands = problem.islands if problem.meeting is None else [problem.meeting.island]
    tied = {i: island.system for island in islands for i in island.numbers}
    for i, (body, acting) in enumerate(zip(problem.bodies, loads, strict=True)):
        reason = host_reason(body, acting)
        if i in tied and not tied[i].resident:
            why = "is tied to another body"
            if tied[i].contact is not None:
                why = (
                    f"has contact, and {contact or 'a body couples points that are no neighbours'}"
                )
            log.warning("%s %s: it is stepped on the CPU", body.name, why)
        elif reason is not None:
            log.warning("%s %s: its steps begin on the host", body.name, reason)
        elif isinstance(problem.stepper, LinearisedImplicit) and acting.resisting:
            log.warning("%s: the air is linearised, and its steps begin, on the host", body.name)
        elif not isinstance(problem.stepper, (Implicit, LinearisedImplicit)):
            name = type(problem.stepper).__name__
            log.warning("%s: steps of pl.%s begin on the host", body.name, name)


def warn_of_shapes(bodies: Sequence[Deformable], problem: Problem) -> None:
    """Warn of bodies that have ended with cells inside out, or too far for linear modes."""
    for body, system in zip(bodies, problem.systems, strict=True):
        if isinstance(system, ReducedSystem):
            _warn_of_swelling(body, system)
        bad = system.inverted(body.state.x)
        if len(bad):
            warn_user(
                f"{body.name} ended with {len(bad)} cells inside out (first {bad[:10]}); do not "
                "trust its shape there. Use pl.StableNeoHookean(...), or a mesh with better "
                "cells: mesh.quality() names the worst",
            )


def _warn_of_swelling(body: Deformable, system: ReducedSystem) -> None:
    shape, rest = body.state.x, body.state.rest
    seen = [shape] if rest is None else [shape, rest.shape]
    ways = [system.basis.way(s.q) for s in seen if isinstance(s, ReducedShape)]
    if isinstance(system, SubspaceSystem):
        angle = max(
            (system.driven_turn(s) for s in seen if isinstance(s, ReducedShape)), default=0.0
        )
        if angle > FAR * (1.0 + 1e-9):
            warn_user(
                f"{body.name} ended with pins turned by {np.degrees(angle):.0f} degrees against others, "
                "which its few columns do not hold: expected 90 or fewer. body.report() has its error; "
                "use the full body for its true shape"
            )
    share = max(ways, default=0.0) / system.size
    if share > system.large:
        why = "its few columns do not hold: use the full body for its true shape"
        if not system.inert:
            why = "is too far for a linear model: expected less load, or stiffer matter"
        warn_user(f"{body.name} ended {100.0 * share:.0f} % of its size from its mesh, which {why}")
