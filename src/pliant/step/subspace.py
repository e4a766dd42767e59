"""The step of a reduced body in large deformation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.energies import Resisting
from pliant.problem import BodyProblem, Loads, Rest, State, Stepper
from pliant.reduced import (
    ReducedShape,
    ReducedVelocity,
    SubspaceControl,
    SubspaceSystem,
    arrived,
    carried,
    load_on,
)
from pliant.solvers import Report


@dataclass(frozen=True, eq=False)
class CoordinateLoads:
    """The loads on a body, as its coordinates feel them: `Loaded` for their system.

    now: those at the end of the step [N/sqrt(kg)], (r,). driven: the coordinates there of groups of
    pins that are driven against each other, which are pins of that system.
    """

    system: SubspaceSystem
    loads: Loads
    velocity: ReducedVelocity
    now: np.ndarray
    driven: np.ndarray

    loads_constant = loads_resident = True
    resisting: Sequence[Resisting] = ()

    def prepare(self, time: float) -> None:
        """Nothing of it changes with time but loads."""

    def pin_positions(self, time: float, x: np.ndarray) -> np.ndarray:
        """Driven coordinates at the end of the step, the last ones; others as in x."""
        if not len(self.driven):
            return x
        y: np.ndarray = x.copy()
        y[self.system.inner.pinned] = self.system.coordinates(self.driven)
        return y

    @property
    def pins_fixed(self) -> bool:
        """Whether no coordinate is driven."""
        return self.loads.pins_fixed or not len(self.driven)

    def constant_load(self, time: float, gravity: np.ndarray) -> np.ndarray:
        """The load on the coordinates [N/sqrt(kg)], (r/3, 3)."""
        found: np.ndarray = self.now
        if time != self.loads.time:
            load = self.system.load(self.loads.at(time))
            found = load_on(load, self.velocity, self.velocity.at.frame)
        return self.system.coordinates(found)

    def loads_at(self, x: np.ndarray, time: float, gravity: np.ndarray) -> np.ndarray:
        """The same, in an array of its own."""
        return np.array(self.constant_load(time, gravity))

    def following_loads(self, x: np.ndarray, time: float) -> list[np.ndarray]:
        """None: loads are those on the rest shape."""
        return []


class SubspaceStep:
    """Moves coordinates as `Implicit` moves points: they are the points of a body of their own."""

    def __init__(self, implicit: Stepper):
        self._implicit = implicit

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        system, damping = problem.system, problem.damping
        assert isinstance(system, SubspaceSystem)
        state = system.taken_up(state)
        shape, velocity, known = state.x, state.v, state.control
        if isinstance(known, SubspaceControl) and known.is_at(shape, velocity):
            inner = known.inner
        else:
            inner = State(system.coordinates(shape.q), system.coordinates(velocity.p))
        frame, inertial, driven = carried(system, velocity, damping, loads, dt)
        load = system.load(loads)
        now = load_on(load, velocity, frame)
        pushed = now if inertial is None else now + inertial
        own = CoordinateLoads(system, loads, velocity, pushed, driven)
        system.inner.recall(None)  # a factor of so few is made anew, so that nothing is remembered
        acting = Loads(own, inner.x, loads.time, loads.gravity)
        coordinates = BodyProblem(problem.name, system.inner, damping)
        new, report = self._implicit.step(coordinates, inner, acting, dt)
        after = new.x.ravel(), new.v.ravel()
        moved = arrived(state, load, after, frame, damping, dt)
        rest = _rest(moved.x, inner.rest, new.rest, state.rest)
        return replace(moved, control=SubspaceControl(new), rest=rest), report


def _rest(
    at: ReducedShape, before: Rest | None, now: Rest | None, known: Rest | None
) -> Rest | None:
    """The rest shape of the points; the same one while that of the coordinates stays."""
    if now is None:
        return None
    same = known is not None and before is not None and before.shape is now.shape
    if same and (at.basis.free or known.shape.frame is at.frame):  # type: ignore[union-attr]
        return known
    return Rest(ReducedShape(at.basis, now.x.ravel(), at.frame), np.zeros(0))
