"""What a damping sees at the start of a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pliant.backend import Space
from pliant.energies import Energy, PointDrag

from .difference import Difference
from .inertia import Inertia
from .system import System


class RestProducts(NamedTuple):
    """What the start of a step says about the way to the rest shape.

    gradient: of the whole potential, with the rigid motions projected out [N]. distance: to `rest`,
    in the norm of masses. work: of the forces on the straight way there [J]. norm: of the gradient.
    """

    gradient: Any
    distance: float
    work: float
    norm: float


def _nothing(d: Difference) -> Sequence[Energy]:
    return ()


@dataclass(frozen=True, eq=False)
class StepContext:
    """The start of one step of one body.

    `x_old`, `velocity`: the state. `x`: the old shape carried rigidly to the new time, with pins
    where they will be. `drift`: the velocity of deformation, turned with the body. `rest`: the
    equilibrium, placed next to x; `moving`: whether it has changed since the last step, and `shift`
    by how much in the norm of masses; `rest_stays`: it is known to be that of the last step;
    `turning`: it has changed only because the body turns, swinging
    or spinning, while nothing outside of it has changed, and
    `rest_before` is what the rest shape was, carried to x. `loads_follow`:
    whether loads depend on where the body is, and `load_at_rest`: what they are at `rest` then, if that
    is known. `correction`: how far the last step ended
    from its own x; `trend`: how that differs from a repetition of the one before; `curve`: how the
    trend differs from the last one. `flow`: how often the body has flowed. `ahead`: where
    velocities lead, if something is in the way to it; x is then where that is met. `scheme`: how the
    step tells rates, if it is not backward Euler. `limp`: it swings on a hinge, and that bends it so far
    that it is not led to `rest`, which is where it would hang.
    """

    mechanics: System
    time: float
    dt: float
    x_old: Any
    velocity: Any
    x: Any
    drift: Any
    load: Any
    complement: Any
    rest: Any
    moving: bool
    shift: float = 0.0
    rest_stays: bool = False
    turning: bool = False
    rest_before: Any = None
    loads_follow: bool = False
    load_at_rest: Any = None
    correction: Any = None
    trend: Any = None
    curve: Any = None
    ahead: Any = None
    scheme: Difference | None = None
    flow: int = 0
    limp: bool = False
    resisting: Callable[[Difference], Sequence[Energy]] = _nothing  # what resists from outside
    _last: list[tuple[Any, float]] = field(default_factory=list, init=False)  # see `distance`
    _squares: list[tuple[Any, Any, float]] = field(default_factory=list, init=False)

    @cached_property
    def vectors(self) -> Space:
        """Arithmetic for the arrays of this context, wherever they live."""
        return self.mechanics.spaces.of(self.x)

    @cached_property
    def difference(self) -> Difference:
        """How velocity and acceleration at the end of the step follow from the positions there."""
        if self.scheme is not None:
            return self.scheme
        return Difference.backward_euler(self.x_old, self.velocity, self.dt, self.vectors)

    def distance(self, x: Any) -> float:
        """Mass-weighted distance |x - x*|_M to the rest shape, rigid motion removed."""
        for known, distance in self._last:  # one at most: it is asked several times in a row
            if known is x:
                return distance
        distance = math.sqrt(self.squared(x, self.mechanics.align(self.rest, x)))
        self._last[:] = [(x, distance)]
        return distance

    def tell_distance(self, x: Any, d: float) -> None:
        """Set what `distance(x)` returns, for tied bodies: they move rigidly as one."""
        self._last[:] = [(x, d)]

    def tell_gradient(self, gradient: Any) -> None:
        """Set the gradient at the start of the step [N], for tied bodies: others pull on them."""
        self.__dict__["rest_products"] = self._products_of(gradient)

    def moved(self, x: Any) -> float:
        """Mass-weighted length of the way from the start of the step to x."""
        return math.sqrt(self.squared(x, self.x))

    def squared(self, x: Any, y: Any) -> float:
        """|x - y|^2 in the norm of masses. Each is computed once: a device must be waited for."""
        if x is y:
            return 0.0
        for a, b, known in self._squares:
            if (a is x and b is y) or (a is y and b is x):
                return known
        square = self.vectors.weighted(x, y)
        self._squares.append((x, y, square))
        return square

    def tell_square(self, x: Any, y: Any, square: float) -> None:
        """Set what `squared(x, y)` returns, where that is known."""
        self._squares.append((x, y, square))

    def measure(self, x: Any) -> None:
        """Look once for both `moved(x)` and `distance(x)`."""
        if not self.mechanics.rank:  # else the rest shape is yet to be laid next to x
            way, left = self.vectors.weighted_both(x, self.x, self.rest)
            self.tell_square(x, self.x, way)
            self.tell_square(x, self.rest, left)

    @cached_property
    def rest_products(self) -> RestProducts:
        """How far the body is from `rest` at the start of the step, and what pulls it there."""
        return self._products_of(self.mechanics.force(self.x, self.load, self.complement))

    def _products_of(self, gradient: Any) -> RestProducts:
        squared, work, size = self.vectors.rest_products(self.x, self.rest, gradient)
        return RestProducts(gradient, math.sqrt(squared), work, math.sqrt(size))

    def load_share(self) -> float:
        """What loads change by on the way to `rest`, as a share of the work on it; inf: not known.

        sum_i |(x - x*)_i . (f(x) - f(x*))_i| / work
        """
        if not self.loads_follow:
            return 0.0
        work = self.rest_products.work
        if self.load_at_rest is None or not work > 0.0:
            return math.inf
        host = self.mechanics.to_host
        way = host(self.x) - host(self.rest)
        change = host(self.load) - host(self.load_at_rest)
        return float(np.abs(np.einsum("nd,nd->n", way, change)).sum()) / work

    def force_norm(self) -> float:
        """The norm of the forces over masses, sqrt(sum f^2/m)."""
        return self.vectors.force_norm(self.rest_products.gradient)

    def gradient_of(self, inertia: Inertia) -> float | None:
        """The norm of the gradient that a step with this inertia begins with, if it is known.

        For a controlled step that is the force at x. For a free one it is the force that was out of
        balance at the end of the last step,  weight M correction.
        """
        # Drag on points was in balance at the end of the last step, too.
        if inertia.quadratics or not all(isinstance(e, PointDrag) for e in inertia.energies):
            return None
        if inertia.anchor is self.x:
            return self.rest_products.norm if "rest_products" in self.__dict__ else None
        if self.correction is None or not inertia.extrapolation or self.mechanics.rank:
            return None
        return inertia.weight * self.vectors.momentum(self.correction)

    def towards_rest(self, share: float) -> Any:
        """The shape that has this share of the departure left."""
        return self.vectors.mixed(1.0 - share, self.rest, share, self.x)

    @property
    def predicted(self) -> Any:
        """Where the body would be if no force acted on it in the step."""
        return self.x if self.ahead is None else self.ahead

    def extrapolated(self, share: float) -> Any:
        """The shape moved on by a share of its drift, x + share dt drift."""
        return self.vectors.moved(self.x, share * self.dt, self.drift)

    def inside_out(self) -> bool:
        """Whether any cell is inside out."""
        y = self.mechanics.assembly.array(self.x)
        return any(solid.any_inverted(y) for solid in self.mechanics.solids)

    def stiffness_scale(self) -> float:
        """An eigenvalue of the right order [1/s^2], for a body that is already at rest."""
        mechanics = self.mechanics
        masses = mechanics.masses[mechanics.free].sum()
        return mechanics.stiffness_trace(self.rest) / float(masses * mechanics.dim)

    @property
    def span(self) -> float:
        """The size of the body as a mass-weighted length."""
        return self.mechanics.span
