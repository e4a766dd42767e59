"""Long elements, prepared for steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse.linalg as sla

from pliant.control import Settle
from pliant.problem import Damping, Loads, System
from pliant.solvers import Report

from .line_basis import LineBasis
from .lines import Lines
from .liquid import Liquid
from .load import ReducedLoad
from .oscillators import ModeOscillators, Propagator
from .shape import ReducedShape
from .system import ReducedSystem

Array = np.ndarray
#: Up to this many elements modes are found by a dense solver.
DENSE = 60


class LongElementsSystem(ReducedSystem):
    """A body whose coordinates are the lengthenings of its long elements [m].

    A static model: the load on its coordinates is given as the static answer to it, and `Settle` brings
    all of them there by its law. Without it they are there at once. weight: the forces on points [N],
    (n, 3), of the liquid under a gravity [m/s^2] in the axes of the body.
    """

    inert = False
    basis: LineBasis

    def __init__(
        self,
        *,
        lines: Lines,
        young: float,
        tension: float,
        weight: Callable[[Array], Array],
        **given: Any,
    ):
        System.__init__(self, [], **given)
        self.liquid, self._weight = Liquid(lines, young=young, tension=tension), weight
        x, m = self.undeformed, self.masses
        self._begin(LineBasis.of_lines(x, m, lines.of, lines.shares, lines.sections))

    def load(self, loads: Loads) -> ReducedLoad:
        """What acts on the body, as the static answer to it; made anew when it has changed."""
        body, time, x = loads.body, loads.time, self.undeformed
        fixed = body.constant_load(time, 0.0 * loads.gravity)
        following = [np.asarray(force) for force in body.following_loads(x, time)]
        carried = sum(following[1:], following[0]) if following else None
        known = self._load
        if not (isinstance(known, LiquidLoad) and known.is_under(loads.gravity, fixed, carried)):
            self._load = known = LiquidLoad(self, loads.gravity, fixed, carried)
        return known

    def weight(self, gravity: Array) -> Array:
        """The forces on points [N], (n, 3), under a gravity [m/s^2] in the axes of the body."""
        return self._weight(gravity)

    def propagator(self, damping: Damping, decay: float, dt: float) -> Propagator:
        """The law of `Settle`; without damping elements are at rest at once."""
        if isinstance(damping, Settle):
            return super().propagator(damping, decay, dt)
        still = ModeOscillators(self.basis.eigenvalues, 1.0, 1.0, held=True)
        none = np.zeros(())
        return Propagator(still, dt, none, none, none, none)

    def value(self, x: Any) -> float:
        """The energy [J], of lengthenings or of the nearest ones to positions."""
        return self.liquid.energy(self.shape_at(x).q)

    def equilibrium(self, x: Any, loads: Any, *, locked: bool = True) -> tuple[Any, Report]:
        """The static answer, beside x."""
        frame = self.shape_at(x).frame
        force = np.asarray(loads(self.undeformed)) @ frame.rotation
        q = self.liquid.answer(self.basis.project(force)).lengthening
        return ReducedShape(self.basis, q, frame).expand(), Report(0, 0, 0.0, "converged")

    def modes(self, x: Any, count: int) -> tuple[Array, Array]:
        """The lowest eigenvalues [1/s^2] and modes (count, n, 3) that its masses would have."""
        r = len(self.basis)
        if count >= r:
            raise ValueError(f"got count={count} modes; the body has {r - 1}")
        values, found = self._lowest(count)
        turn = self.shape_at(x).frame.rotation.T
        return values, np.array([self.basis.expand(q) @ turn for q in found.T])

    def _lowest(self, count: int) -> tuple[Array, Array]:
        r, m = len(self.basis), self.basis.weights
        root = np.sqrt(m)
        if r <= max(DENSE, 2 * count + 2):
            inverse = root[:, None] * self.liquid.answers(np.diag(root))
            values, found = np.linalg.eigh(0.5 * (inverse + inverse.T))
            values, found = values[::-1][:count], found[:, ::-1][:, :count]
        else:
            inverse = sla.LinearOperator(
                (r, r), matvec=lambda u: root * self.liquid.answer(root * u.ravel()).lengthening
            )
            values, found = sla.eigsh(inverse, k=count, v0=np.ones(r))
            values, found = values[::-1], found[:, ::-1]
        return 1.0 / values, found / root[:, None]

    def stiffness_diagonal(self, x: Array) -> Array:
        """The diagonal of the stiffness of free points, (k, 3) [N/m], each as its element has it."""
        of, own = self.basis.of[self.free], self.liquid.stiffness.diagonal()
        return np.asarray(np.where(of >= 0, own[of], 0.0))


class LiquidLoad(ReducedLoad):
    """The forces on long elements, as what they do at rest.

    fixed: forces [N] on points whose directions stay in space, (n, 3), without weight; carried: those
    that turn with the body. The pressure of the liquid's weight is normal to its surface.
    """

    basis: LineBasis

    def __init__(
        self, system: LongElementsSystem, gravity: Array, fixed: Array, carried: Array | None
    ):
        super().__init__(system.basis, fixed, carried)
        self._system, self.gravity = system, gravity

    def is_under(self, gravity: Array, fixed: Array, carried: Array | None) -> bool:
        """Whether it is made of these."""
        return np.array_equal(gravity, self.gravity) and self.is_of(fixed, carried)

    def forces(self, rotation: Array) -> Array:
        """All forces on points in the axes of the body [N], (n, 3)."""
        force: Array = self._system.weight(rotation.T @ self.gravity) + self.fixed @ rotation
        return force if self.carried is None else force + self.carried

    def on(self, rotation: Array, *, turned: bool) -> Array:
        """The static answer of a body that is turned [m], (r,)."""
        return self._turned(rotation) if turned else self._unturned

    def potential(self, shape: ReducedShape) -> float:
        """The potential of the forces [J]: less their work on the straight way from X."""
        turn = shape.frame.rotation
        way = shape.expand() - self.basis.points
        return -float(np.vdot(self.forces(turn) @ turn.T, way))

    def _turned(self, rotation: Array) -> Array:
        force = self.basis.project(self.forces(rotation))
        dl: Array = self._system.liquid.answer(force).lengthening
        return dl

    @cached_property
    def _unturned(self) -> Array:
        return self._turned(np.eye(3))
