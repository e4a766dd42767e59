"""The step of a reduced body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.control import Release, Settle, decay_rate
from pliant.problem import BodyProblem, Damping, Guess, Loads, Rest, State
from pliant.solvers import Report

from .control import ReducedControl
from .frame import BodyFrame
from .laws import drag_of
from .leading import inertial_load, led
from .load import ReducedLoad
from .shape import ReducedShape, ReducedVelocity
from .system import ReducedSystem
from .turning import centrifugal, moved

Array = np.ndarray
#: A load that moves the rest shape by less than this share of the body's size has not changed.
SAME = 1e-9
#: A departure of nothing counts as so much [s^2] of its velocity.
TINY = 1e-12


class ReducedStep:
    """Moves every coordinate exactly, and the frame by its momentum.

        q'' + loss q' + pull (q - g/lambda) = 0

    There is nothing to minimise: coordinates of linear modes do not act on each other, so that the
    motion over a step of any length is known. Newton's method would give backward Euler's
    approximation of it.
    """

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        system, damping = problem.system, problem.damping
        assert isinstance(system, ReducedSystem)
        state = system.taken_up(state)
        shape, velocity = state.x, state.v
        q, p = shape.q, velocity.p
        load, basis = system.load(loads), system.basis
        frame, inertial, driven = carried(system, velocity, damping, loads, dt)
        end = load_on(load, velocity, frame)
        known = state.control if isinstance(state.control, ReducedControl) else None
        if known is not None:
            begin = known.load
        else:
            before = system.load(loads.at(loads.time - dt))
            begin = load_on(before, velocity, shape.frame)
        if basis.driven:  # their rest is where they are
            end = np.append(end[: basis.own], driven * basis.eigenvalues[basis.own :])
        control = ReducedControl(end)
        if isinstance(damping, Settle):
            control = _control(system, damping, known, end, q, p, dt)
        elif inertial is not None:
            begin, end = begin + inertial, end + inertial
        after = system.propagator(damping, control.decay, dt)(q, p, begin, end)
        if basis.driven:
            after[0][basis.own :], after[1][basis.own :] = driven, (driven - q[basis.own :]) / dt
        new = arrived(state, load, after, frame, damping, dt)
        rest = None
        if damping.needs_rest:
            rest = _rest(system, state.rest, control.load, new.x.frame)
        return replace(new, control=control, rest=rest), Report(0, 0, 0.0, "converged")


def load_on(load: ReducedLoad, velocity: ReducedVelocity, frame: BodyFrame) -> Array:
    """The load on each coordinate of a body in a frame, with what spinning adds."""
    g = load.on(frame.rotation, turned=frame.turned)
    if frame.spin.any():
        g = g + centrifugal(velocity.basis, velocity.omega)
    return g


def carried(
    system: ReducedSystem, velocity: ReducedVelocity, damping: Damping, loads: Loads, dt: float
) -> tuple[BodyFrame, Array | None, Array]:
    """The frame of a body at the end of a step, if pins lead it, the load that comes of it, and the
    driven coordinates.

    `Settle` acts on what moves against the pins: then there is no load. The frame of others is the
    present.
    """
    frame, basis = velocity.at.frame, system.basis
    before = velocity.at.q[basis.own :]
    if basis.free or loads.pins_fixed:
        return frame, None, before
    new, driven = led(basis, system.pinned, frame, loads, dt)
    if isinstance(damping, Settle) or not system.inert:
        return new, None, driven
    inertial = inertial_load(basis, frame, new, dt)
    if basis.driven:
        faster = (driven - before) / dt - velocity.p[basis.own :]
        inertial[: basis.own] -= basis.coupling @ faster / dt
    return new, inertial, driven


def arrived(
    state: State,
    load: ReducedLoad,
    after: tuple[Array, Array],
    frame: BodyFrame,
    damping: Damping,
    dt: float,
) -> State:
    """The state at the end of a step after which coordinates are `after`; frame: of what is not free."""
    at, p = state.x, state.v.p
    if at.basis.free:
        push, drag = load.push(at), drag_of(damping)
        frame = moved(at.basis, at.frame, (at.q, p), after, push, drag=drag, dt=dt)
    shape = ReducedShape(at.basis, after[0], frame)
    return replace(state, x=shape, v=ReducedVelocity(shape, after[1]), guess=Guess())


def _control(
    system: ReducedSystem,
    settle: Settle,
    known: ReducedControl | None,
    load: Array,
    q: Array,
    p: Array,
    dt: float,
) -> ReducedControl:
    """The law of the step: it begins anew when the load has changed, or has stopped to change."""
    changed = known is not None and not _same(system, load, known.load)
    if known is not None and not (changed or known.changed):
        return replace(known, load=load)
    if changed and known is not None and known.changed:  # it follows, as if let go at rest
        return ReducedControl(load, _decay(settle, Release(), 0.0), True, True)
    if known is not None and not changed and not known.follows:
        return replace(known, load=load, changed=False)
    own, inner = slice(system.basis.own), system.basis.inner
    u, p = (q - load / system.basis.eigenvalues)[own], p[own]
    release = Release(inner(u, u), inner(u, p), inner(p, p))
    # What has followed was let go when the load changed last: at the start of the last step.
    late = dt if known is not None and known.follows else 0.0
    return ReducedControl(load, _decay(settle, release, late), changed)


def _decay(settle: Settle, release: Release, late: float) -> float:
    """The decay of the law [1/s] for a body that was let go so long ago [s]."""
    left = max(settle.rest_in - late, 0.5 * settle.rest_in)
    if release.uu == 0.0:
        release = Release() if release.vv == 0.0 else replace(release, uu=TINY * release.vv)
    return decay_rate(left, settle.bounces, settle.within, release)


def _same(system: ReducedSystem, a: Array, b: Array) -> bool:
    """Whether two loads have the same rest shape."""
    if a is b:
        return True
    apart = ((a - b) / system.basis.eigenvalues)[: system.basis.own]
    return bool(np.sqrt(system.basis.inner(apart, apart)) <= SAME * system.span)


def _rest(system: ReducedSystem, known: Rest | None, load: Array, frame: BodyFrame) -> Rest:
    """The rest shape; the same one while the load stays."""
    goal = load / system.basis.eigenvalues
    before = None if known is None else known.shape
    led = not system.basis.free and before is not None and before.frame is not frame
    if isinstance(before, ReducedShape) and np.array_equal(before.q, goal) and not led:
        return known  # type: ignore[return-value]
    return Rest(ReducedShape(system.basis, goal, frame), np.zeros(0))
