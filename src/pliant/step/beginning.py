"""Where a step begins, for arrays of the host and of a device."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.errors import SolverError
from pliant.problem import BodyProblem, Loads, Rest, State, StepContext, System, flows

from .carried import carried_resistance
from .pushing import apart
from .swinging import carried_along, hanging, on_hinges, swings_limply


def stays(problem: BodyProblem, loads: Loads) -> bool:
    """Whether a step can be made on the device, so that only a few sums come back to the host.

    On CUDA it can, for bodies with and without pins, and with every damping that leaves arrays to
    `context` (`Damping.resident`). It cannot where Python functions of the user are called: for driven
    pins, and for wind that depends on places. Such steps begin on the host and are minimised on the
    device. A load that changes in time is copied to the device whenever it changes.
    """
    return host_reason(problem, loads) is None


def host_reason(problem: BodyProblem, loads: Loads) -> str | None:
    """Why the steps of a body begin on the host although a device was asked for, or None."""
    if not problem.system.resident:
        return "couples points that are no neighbours"
    if not problem.damping.resident:
        return f"has {problem.damping!r}, which works on the host"
    if not loads.resident:
        return "meets wind that is a function of places"
    carried = problem.damping.controlled and problem.system.rank
    if carried and not loads.constant:
        return "can move freely under loads that follow its surface"
    return None if loads.pins_fixed else "has pins that are driven"


def plain(problem: BodyProblem, state: State, loads: Loads, dt: float) -> StepContext:
    """The start of a step whose inertia is not controlled: the body moves on with its velocity."""
    system = problem.system
    space = system.spaces.of(state.x)
    x = space.moved(state.x, dt, state.v)
    if system.infinite_when_inverted and not math.isfinite(system.value(x)):
        # Moving on would invert a cell: start the search from the old shape.
        x = space.copy(state.x)
    if space.on_host:
        x[system.pinned] = loads.pinned[system.pinned]
    load, ahead = loads.within(space), x
    x = apart(system, state.x, ahead, load, loads.time, dt)
    return StepContext(
        mechanics=system,
        time=loads.time,
        dt=dt,
        x_old=state.x,
        velocity=state.v,
        x=x,
        drift=state.v,
        load=load,
        complement=system.unrestricted,
        rest=x,
        moving=False,
        correction=state.guess.correction,
        trend=state.guess.trend,
        curve=state.guess.curve,
        ahead=None if x is ahead else ahead,
        resisting=lambda d: loads.dissipation(d, space.mixed, system.device),
    )


@dataclass(frozen=True)
class Carried:
    """A body that was carried rigidly to the end of a step.

    x, drift: positions and velocities of deformation there. load [N] includes `extra`: the centrifugal
    load and the resistance of the air. complement: the deformations.
    """

    x: Any
    drift: Any
    load: Any
    extra: Any
    complement: Any
    rest: Rest | None


def controlled(
    problem: BodyProblem, state: State, loads: Loads, dt: float
) -> tuple[StepContext, Rest | None]:
    """The start of a controlled step: carried rigidly, with the deformation's own velocity."""
    system, limp = problem.system, problem.damping.swings_limply(state.control)
    # The spin of a limp body acts on where its points are, and not on a shape that it is led to.
    carried = _carry(system, replace(state, rest=None) if limp else state, loads, dt)
    x, rest, correction = carried.x, carried.rest, state.guess.correction
    if correction is not None and x is not state.x:  # it turns with the body
        correction = system.spaces.of(x).mixed(dt, carried.drift, 0.0, carried.drift)
    shape, moving, new, before = x, False, False, None
    if limp:
        assert state.rest is not None
        rest = carried_along(system, state.rest, x)
        shape = rest.shape
    elif problem.damping.needs_rest:
        new, last = rest is None, rest
        rest, moving, limp = _followed(system, carried, loads, flows(state.history))
        if moving and system.rank > 0 and last is not None and loads.steady(dt):
            before = system.align(last.beside(system, x).shape, x)
        # If it has not changed it was laid next to x already.
        shape = system.align(rest.shape, x) if new or moving else rest.shape
    context = StepContext(
        mechanics=system,
        time=loads.time,
        dt=dt,
        x_old=state.x,
        velocity=state.v,
        x=x,
        drift=carried.drift,
        load=carried.load,
        complement=carried.complement,
        rest=shape,
        moving=moving,
        shift=rest.shift if moving and rest is not None else 0.0,
        rest_stays=not (new or moving),
        turning=before is not None,
        rest_before=before,
        loads_follow=not loads.constant,
        load_at_rest=_load_at_rest(system, rest, loads),
        correction=correction,
        trend=state.guess.trend,
        curve=state.guess.curve,
        flow=flows(state.history),
        limp=limp,
    )
    return context, rest


def _carry(system: System, state: State, loads: Loads, dt: float) -> Carried:
    """Move the body rigidly by its momentum and its pins."""
    v, parts = system.spaces.of(state.x), system.rigid
    load = loads.within(v)
    drift, complement, extra = state.drift, system.unrestricted, None
    if loads.resisting and system.rank:  # on the host: such loads are not constant
        extra = carried_resistance(system, state, loads, load, dt)
        load = load + extra
    stands = loads.pins_fixed and drift is not None
    if system.rank == 0 and (stands or not v.on_host):  # nothing is carried
        drift = state.v if drift is None else drift
        return Carried(state.x, drift, load, extra, complement, state.rest)
    pinned = loads.pinned if v.on_host else None
    moments = parts.moments(state.x, state.v, load, dt)
    carries = parts.carries(moments, state.x, pinned, dt)
    if system.rank:
        complement = parts.complement(state.x, moments)
    if drift is None:
        drift = state.v
        if v.on_host and drift.any():  # a body that was given no velocity moves with its pins
            drift = _off_pins(system, state.x, drift, carries, dt)
        drift = parts.deformation(complement, drift)
    x, drift = parts.positions(state.x, carries, pinned), parts.vectors(drift, carries)
    rest = state.rest
    if any(carry.spin.any() for carry in carries):
        if rest is not None:
            rest = rest.beside(system, x)
        shape = state.x if rest is None else rest.shape
        outward = parts.centrifugal(parts.align(shape, x), carries)
        load = v.moved(load, 1.0, outward)
        extra = outward if extra is None else extra + outward
    if system.rank and not system.has_free_part:
        # What turns the body about its hinge has done so. It is taken away where the body is now: the
        # complement belongs to where it was, since momentum is told there.
        load = parts.complement(x).project_force(v.copy(load))
    return Carried(x, drift, load, extra, complement, rest)


def _follow(system: System, carried: Carried, loads: Loads, flow: int) -> tuple[Rest, bool]:
    """The rest shape, moved next to the carried body; and whether it has changed."""
    x, extra = carried.x, carried.extra

    def force(y: np.ndarray) -> np.ndarray:
        return loads.on(y) if extra is None else loads.on(y) + system.to_host(extra)

    if carried.rest is None:
        with system.arrested():
            found = Rest.find(system, system.to_host(x), force, matter=loads.matter, flow=flow)
        return found.beside(system, x), False
    space = system.spaces.of(x)

    def given(y: Any) -> Any:
        load = loads.within(space, y)
        return load if extra is None else space.moved(load, 1.0, extra)

    with system.arrested():
        return carried.rest.followed(system, x, given, loads.matter, flow)


def _followed(
    system: System, carried: Carried, loads: Loads, flow: int
) -> tuple[Rest, bool, bool]:
    """As of `_follow`, and whether the body swings too limply for that; then where it would hang."""
    if not on_hinges(system):
        return *_follow(system, carried, loads, flow), False
    try:
        rest, moving = _follow(system, carried, loads, flow)
    except SolverError:
        rest, moving = None, False
    if rest is None or swings_limply(system, carried.x, rest, loads):
        return hanging(system, carried.x, loads).beside(system, carried.x), False, True
    return rest, moving, False


def _load_at_rest(system: System, rest: Rest | None, loads: Loads) -> Any:
    """The loads on the rest shape of a body that pins hold, where they are not those at x."""
    if rest is None or loads.constant or system.rank:
        return None
    return (
        loads.within(system.spaces.of(rest.shape), rest.shape) if rest.load is None else rest.load
    )


def _off_pins(system: System, x: np.ndarray, v: np.ndarray, carries: Any, dt: float) -> np.ndarray:
    """A velocity relative to that of the pins."""
    v = v.copy()
    for part, carry in zip(system.parts, carries, strict=True):
        if not part.translates:
            v[part.points] -= carry.pin_velocity(x[part.points], dt)
    return v
