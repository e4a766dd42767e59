"""Steps whose arrays stay on the device from one frame to the next."""

from __future__ import annotations

from pliant.damping import Damping
from pliant.damping.moment import Moment

from .rest import Rest
from .state import State, Surroundings
from .system import System


def stays(system: System, around: Surroundings, damping: Damping) -> bool:
    """Whether a step needs nothing from the host but a few sums.

    So it is on CUDA for a body whose pins stand still and whose loads do not follow its surface,
    without damping or with a damping that is `resident`. A controlled body must be held: what moves
    rigidly is carried on the host.
    """
    if not (system.resident and damping.resident and around.dead and around.still):
        return False
    return system.rank == 0 if damping.controlled else not system.breaks


def resident_moment(
    system: System, state: State, around: Surroundings, damping: Damping, dt: float
) -> Moment:
    """The start of such a step; on the first one everything goes to the device."""
    load, moving, shift = around.load, False, 0.0
    if damping.needs_rest:
        if state.rest is None:
            state.rest = Rest(system, system.lower(state.x), around.loads)
            state.load = load
        elif state.load is not load:
            moving = state.rest.follow(system.lower(state.x), around.loads)
            shift = state.rest.shift if moving else 0.0
            state.load = load
    state.lift(system)
    x = state.x if damping.controlled else system.vectors.moved(state.x, dt, state.v)
    return Moment(
        mechanics=system,
        time=around.time,
        dt=dt,
        x_old=state.x,
        velocity=state.v,
        x=x,
        drift=state.v,
        load=system.lift(load, keep=True),
        complement=system.still,
        rest=x if state.rest is None else system.lift(state.rest.x, keep=True),
        moving=moving,
        shift=shift,
        memory=state.memory,
        correction=state.correction,
        trend=state.trend,
    )
