"""When a search has done enough, and how exactly its next step is worth solving."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pliant.backend import norm

if TYPE_CHECKING:
    from .newton import Iterate, LinearSolver, Objective

#: Displacements of this share of the body's size are near what rounding does.
ENERGY_ROUNDING = 1e-12
#: A search that begins so many times closer than it must end stays there: by an estimate of how far it
#: has to go, or by a solve.
CLOSE, SOLVED_CLOSE = 3.0, 2.0
#: A matrix that leaves more than half this share of a gradient is worn.
WORN = 0.5
#: A matrix serves for so many searches, if each has come so many times closer than it must.
LASTS, SPARE = 20, 2.0
#: After one that was not enough so many searches make their own.
WAITS = 2


#: How many times stiffer than another a matrix may be that serves in its place.
ALIKE_STIFFNESS = 1.05


def alike(a: float, b: float) -> bool:
    """Whether a matrix serves in the place of one that is so many times as stiff."""
    return max(a, b) <= ALIKE_STIFFNESS * min(a, b)


@dataclass(frozen=True)
class Lesson:
    """What a search has learnt of its last matrix, for a search that begins with the same one.

    left: the share of the gradient that a solve with it has left, beyond what it was told to leave.
    pull [N/m]: the norm of the gradient at the origin of a search, by how far that went. spare: how many
    times closer than it must the search has come. age: how many searches have begun with the matrix.
    measured: how many searches ago the pull was. waits: how many searches must make their own matrix.
    """

    left: float
    pull: float
    spare: float
    age: int = 0
    measured: int = 0
    waits: int = 0

    @property
    def holds(self) -> bool:
        """Whether another search may begin with the matrix."""
        return self.age < LASTS and self.spare >= SPARE and not self.waits


class Aim:
    """The end of a search that begins near its answer.

    It is at its end when another step would move no point by more than the share `relative` of what
    the search has moved them, with no more than this share of the gradient `first` left that there was
    at its origin. A search that begins ahead of its origin, where the last one began in a like place,
    may take over the matrix of that one.
    """

    def __init__(
        self,
        relative: float,
        objective: Objective,
        linear: LinearSolver,
        begin: Iterate,
        *,
        origin: Any,
        first: float | None,
        share: float,
    ):
        self._relative, self._objective, self._linear = relative, objective, linear
        self._share = share
        self._rounding = ENERGY_ROUNDING * objective.size
        self._ahead = begin.motion > self._rounding
        lesson = linear.again(objective, begin.x) if self._ahead else None
        self._lesson = lesson if lesson is not None and lesson.holds else None
        self._measured = 0
        if first is None and lesson is not None and lesson.measured < LASTS:
            first, self._measured = lesson.pull * begin.motion, lesson.measured + 1
        elif first is None:
            v = objective.vectors
            first = begin.size if origin is begin.x else norm(v, objective.residual(origin))
        self.first, self._waits = first, 0 if lesson is None else max(lesson.waits - 1, 0)
        self._calm = self._left = math.inf

    def astray(self, begin: Iterate) -> bool:
        """Whether the search had better begin at its origin, where less pulls."""
        return self._ahead and begin.size > self.first

    def reached(self, here: Iterate, *, begins: bool) -> bool:
        """Whether the search may end here."""
        # By what factors more than enough was done: of the gradient, and of the way.
        self._calm, self._left = self._relative * self.first / here.size, math.inf
        if begins and self._ahead and not (self._linear.quick and self._lesson is None):
            return False  # a solve says more, and costs little if the last matrix serves
        ahead = self._linear.estimate(self._objective, here.g)
        if ahead <= self._rounding:
            return True
        self._left = self._relative * here.motion / ahead
        return min(self._left, self._calm) >= (CLOSE if begins else 1.0)

    def close(self, here: Iterate, p: Any, largest: float | None) -> bool:
        """Whether the search may stay where it begins.

        p: the step that the last matrix asks for, and its largest entry if it is known.
        """
        if self._lesson is None:
            return False
        ahead = self._objective.vectors.largest(p) if largest is None else largest
        left = self._relative * here.motion / ahead if ahead else math.inf
        return min(left, self._calm) >= SOLVED_CLOSE

    def rtol(self, rtol: float, *, begins: bool) -> float:
        """Where the search begins well, or ends, one solve should bring it to its goal."""
        if begins and not self._ahead:
            return rtol
        most = 0.2 if begins and self._calm >= SOLVED_CLOSE else 0.1  # it will most likely stay
        needed = min(0.3 * self._left, (self._share if begins else 0.8) * self._calm)
        return min(max(0.0 if begins else rtol, needed, 1e-4), most)

    def serves(self, left: float | None) -> bool:
        """Whether the last matrix brings the search to its end. left: the share of the gradient that it
        has left in this search; None where the search begins.
        """
        lesson = self._lesson
        if left is None:
            left = math.inf if lesson is None else lesson.left
        elif lesson is not None:  # the matrix of another search was not enough
            left, self._waits = math.inf, WAITS
        if left <= 0.5 * min(self._left, self._calm, WORN):
            return True
        self._lesson = None
        return False

    def learn(self, here: Iterate, left: float | None) -> None:
        """Tell the solver at the end of the search what its matrix has left beyond what it was asked."""
        if here.motion <= self._rounding:
            return
        lesson = known = self._lesson
        if left is not None:
            spare = min(self._left, self._calm)
            lesson = Lesson(max(left, 0.0), self.first / here.motion, spare)
        if lesson is not None:
            age = 0 if known is None else known.age + 1
            lesson = replace(lesson, age=age, measured=self._measured, waits=self._waits)
        self._linear.learn(lesson)
