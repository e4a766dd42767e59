"""Long elements, prepared for steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse.linalg as sla

from pliant.problem import System
from pliant.solvers import Report

from .line_basis import LineBasis
from .lines import Lines
from .liquid import Liquid
from .shape import ReducedShape
from .system import ReducedSystem
from .weighed_load import weighed_load

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

    load = weighed_load

    def weight(self, gravity: Array) -> Array:
        """The forces on points [N], (n, 3), under a gravity [m/s^2] in the axes of the body."""
        return self._weight(gravity)

    def answer_to(self, force: Array) -> Array:
        """The static answer to forces on points [m], (r,)."""
        dl: Array = self.liquid.answer(self.basis.project(force)).lengthening
        return dl

    def value(self, x: Any) -> float:
        """The energy [J], of lengthenings or of the nearest ones to positions."""
        return self.liquid.energy(self.shape_at(x).q)

    def equilibrium(self, x: Any, loads: Any, *, locked: bool = True) -> tuple[Any, Report]:
        """The static answer, beside x."""
        shape = self.shape_at(x)
        frame = shape.frame
        force = np.asarray(loads(self.loaded(shape))) @ frame.rotation
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
