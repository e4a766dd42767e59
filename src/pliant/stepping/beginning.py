"""Where a step begins, for arrays of the host and of a device."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pliant.damping import Damping
from pliant.damping.moment import Moment

from .carried import carried_resistance
from .rest import Rest
from .state import State, Surroundings
from .system import System


def stays(system: System, around: Surroundings, damping: Damping) -> bool:
    """Whether a step can be made on the device, with nothing from the host but a few sums.

    So it is on CUDA for bodies held, hinged or free, with every damping that leaves arrays to
    `moment` (`Damping.resident`). What is the user's Python is not: pins driven by a function, loads
    that follow the surface. Their steps begin on the host, and are minimised on the device. A load
    that changes in time is sent whenever it does.
    """
    alone = around.dead and around.still and not around.resisting
    return system.resident and damping.resident and alone


def plain(
    system: System, state: State, around: Surroundings, damping: Damping, dt: float
) -> Moment:
    """The start of a step whose inertia is not controlled: flying on."""
    on_host = isinstance(state.x, np.ndarray)
    x = system.vectors_of(state.x).moved(state.x, dt, state.v)
    if system.breaks and not math.isfinite(system.value(x)):
        # Flying on would invert a cell: start the search from the old shape.
        x = state.x.copy() if on_host else state.x
    if on_host:
        x[system.pinned] = around.pinned[system.pinned]
    return Moment(
        mechanics=system,
        time=around.time,
        dt=dt,
        x_old=state.x,
        velocity=state.v,
        x=x,
        drift=state.v,
        load=around.load if on_host else system.lift(around.load, keep=True),
        complement=system.still,
        rest=x,
        moving=False,
        memory=state.memory,
        correction=state.correction,
        trend=state.trend,
        resisting=lambda d: around.dissipation(d, system.host.mixed, system.device),
    )


def controlled(
    system: System, state: State, around: Surroundings, damping: Damping, dt: float
) -> Moment:
    """The start of a controlled step: carried rigidly, with the deformation's own velocity."""
    on_host = isinstance(state.x, np.ndarray)
    v, parts = system.vectors_of(state.x), system.parts_of(state.x)
    load = around.load if on_host else system.lift(around.load, keep=True)
    x, drift, complement, extra = state.x, state.drift, system.still, None
    correction = state.correction
    if around.resisting and system.rank:  # on the host: such loads are not dead
        extra = carried_resistance(system, state, around, load, dt)
        load = load + extra
    if not on_host and system.rank == 0:  # nothing is carried
        drift = state.v if drift is None else drift
    else:
        pinned = around.pinned if on_host else None
        moments = parts.moments(state.x, state.v, load, dt)
        carries = parts.carries(moments, state.x, pinned, dt)
        if system.rank:
            complement = parts.complement(state.x, moments)
        if drift is None:
            drift = state.v
            if on_host and drift.any():  # a body that was given no velocity moves with its pins
                drift = _off_pins(system, state.x, drift, carries, dt)
            drift = parts.deformation(complement, drift)
        x, drift = parts.positions(state.x, carries, pinned), parts.vectors(drift, carries)
        if correction is not None:
            correction = v.mixed(dt, drift, 0.0, drift)
        if any(carry.spin.any() for carry in carries):
            if state.rest is not None:
                state.rest = state.rest.beside(system, x)
            shape = state.x if state.rest is None else state.rest.shape
            outward = parts.centrifugal(parts.align(shape, x), carries)
            load = v.moved(load, 1.0, outward)
            extra = outward if extra is None else extra + outward
    rest, moving = x, False
    if damping.needs_rest:
        new = state.rest is None
        moving = _follow(system, state, around, x, load, extra)
        assert state.rest is not None
        state.rest = state.rest.beside(system, x)
        rest = state.rest.shape
        if new or moving:  # else it was laid next to x already
            rest = system.align(rest, x)
    return Moment(
        mechanics=system,
        time=around.time,
        dt=dt,
        x_old=state.x,
        velocity=state.v,
        x=x,
        drift=drift,
        load=load,
        complement=complement,
        rest=rest,
        moving=moving,
        shift=state.rest.shift if moving and state.rest is not None else 0.0,
        memory=state.memory,
        correction=correction,
        trend=state.trend,
    )


def _follow(
    system: System, state: State, around: Surroundings, x: Any, load: Any, extra: Any
) -> bool:
    """Bring the rest shape next to x, or find it; return whether it has changed.

    load: at the start of the step, with the load `extra` of spinning and of the air.
    """

    def loads(y: np.ndarray) -> np.ndarray:
        return around.loads(y) if extra is None else around.loads(y) + system.lower(extra)

    if state.rest is None:
        state.rest = Rest(system, system.lower(x), loads)
        return False
    given = loads if isinstance(x, np.ndarray) else lambda y: load
    state.rest, changed = state.rest.followed(system, x, given)
    return changed


def _off_pins(system: System, x: np.ndarray, v: np.ndarray, carries: Any, dt: float) -> np.ndarray:
    """A velocity relative to that of the pins."""
    v = v.copy()
    for part, carry in zip(system.parts, carries, strict=True):
        if not part.translates:
            v[part.points] -= carry.pin_velocity(x[part.points], dt)
    return v
