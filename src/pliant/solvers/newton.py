"""Newton's method with line search and inexact linear solves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

from pliant.backend import Space

from .aim import Aim, Lesson
from .time_budget import FEWEST_ITERATIONS, overdue


class Objective(Protocol):
    """A function of positions, one vector per point. What the arrays are only `vectors` knows."""

    vectors: Space
    size: float  # a length against which displacements are judged small

    def value(self, x: Any) -> float:
        """The value; inf where x is not admissible."""

    def residual(self, x: Any) -> Any:
        """The gradient along the directions that are searched, zero elsewhere."""

    def step_limit(self, x: Any, dx: Any) -> float:
        """The largest fraction of dx that may be taken."""


@dataclass
class LinearReport:
    """What one linear solve did."""

    iterations: int
    converged: bool
    indefinite: bool  # a direction of negative curvature was met: the matrix must be projected
    fresh: bool  # whether the preconditioner was made from this very matrix
    descends: bool = False  # what was found before negative curvature is worth a step
    largest: float | None = None  # entry of the step, if it is known


class LinearSolver(Protocol):
    """Solves with the Hessian of an objective, and keeps whatever serves the next solve too."""

    @property
    def quick(self) -> bool:
        """Whether an estimate costs little beside a gradient."""

    def assemble(self, objective: Any, x: Any, *, project: bool) -> None:
        """Take the Hessian at x, or a positive semi-definite stand-in for it."""

    def again(self, objective: Any, x: Any) -> Lesson | None:
        """Take the matrix of the last search, if it may be that of this objective too.

        Returns what was learnt of it; None if this search needs a matrix of its own.
        """

    def learn(self, lesson: Lesson | None) -> None:
        """Hear at the end of a search what that has learnt of its last matrix."""

    def shift(self, share: float) -> None:
        """Add this share of the matrix's diagonal to it."""

    def solve(self, g: Any, *, rtol: float) -> tuple[Any, LinearReport]:
        """The Newton step -H^-1 g, to a relative residual."""

    def estimate(self, objective: Any, g: Any) -> float:
        """About how far the largest entry of the Newton step would go, without solving for it.

        By the last matrix, which may have been that of another objective.
        """

    def forget(self) -> None:
        """Drop what was kept: it does not serve."""

    def steepest(self, g: Any) -> Any:
        """The last resort: the gradient, scaled by the diagonal."""

    def drop_matrix(self) -> None:
        """Forget the last matrix, if that is large: the next search begins without an estimate."""

    @property
    def blocks(self) -> Any:
        """Those of the last matrix, if `memory` has them: they must not be changed while it lives."""

    def memory(self) -> Any:
        """All that the next search depends on besides its objective: a dataclass of arrays and
        numbers, the same class in every case.
        """

    def remember(self, memory: Any) -> None:
        """Restore the state of `memory`, to the last bit; None: that of a new solver.

        Arrays may have become numpy's meanwhile; a ValueError refuses those of another shape.
        """


#: Why a search ended that took as many iterations as it may.
LIMIT = "iteration limit"
#: Steps smaller than this share of the body's size are in Newton's quadratic range.
SMALL_STEP = 1e-5
#: No search begins further away than this many times the body's size.
FAR_SIZES = 10.0
#: A full step that leaves less than this share of the gradient needs no look at the value.
TRUSTED = 0.5
#: In the first so many iterations: later it may be a cycle, into a barrier and out of it.
TRUSTED_ITERATIONS = 25
#: A step of a projected matrix is made longer while more than this share of the slope is left behind it,
#: each time by this factor at most, and so many times.
STEEP, LONGER, LENGTHENED = 0.3, 4.0, 4
#: So many steps after the exact matrix has failed begin with the projected one, where that is likely.
STAYS = 4
#: A longer step must decrease the value by this share of what the slope says.
PAYS = 0.1
#: Why a search ended that a time budget has cut short.
OUT_OF_TIME = "out of time"


@dataclass
class Report:
    """What a minimisation did; `reason` says why it stopped."""

    iterations: int
    linear_iterations: int
    residual: float  # largest entry of the projected gradient [N]
    reason: str
    retries: int = 0  # how often a step began anew, because it had not converged
    motion: float = math.inf  # how far the search went from its origin at most, if it was told [m]
    ahead: Any = None  # the next step, if it is known and so short that it was not taken [m]
    first: float | None = None  # norm of the gradient at the origin, if the search was relative [N]
    cuts: int = 0  # how many searches were ended by a time budget

    @property
    def converged(self) -> bool:
        """Whether the answer is stationary to tolerance or rounding, or all there was time for."""
        return self.reason in ("converged", "rounding", OUT_OF_TIME)

    def add(self, other: Report) -> None:
        """Count another minimisation of the same step, which tells how it ended."""
        self.iterations += other.iterations
        self.linear_iterations += other.linear_iterations
        self.residual, self.reason = other.residual, other.reason
        self.motion, self.ahead = other.motion, other.ahead
        self.first = other.first
        self.cuts += other.cuts


@dataclass
class Iterate:
    """Where a search is: positions, gradient, its norm and largest entry, the way from the origin,
    and the value if it was needed.
    """

    x: Any
    g: Any
    size: float
    peak: float
    motion: float
    value: float | None = None
    whole: bool = True  # whether a full step led here


@dataclass(frozen=True)
class Direction:
    """A descent direction p, and how many iterations of conjugate gradients it took.

    projected: whether the Hessian had to be; largest: entry of p, if it is known; broken_off: whether it
    is what a solve had found when it met negative curvature.
    """

    p: Any
    spent: int
    projected: bool
    largest: float | None = None
    broken_off: bool = False


def _look(objective: Objective, x: Any, origin: Any) -> Iterate:
    g = objective.residual(x)
    return Iterate(x, g, *objective.vectors.norms(g, x, origin))


@dataclass(frozen=True)
class Newton:
    """Minimise by Newton steps, each solved only as exactly as it is worth.

        H p = -g,   x <- x + a p,   a by halving until f decreases (Armijo)

    The exact Hessian is tried first: near an answer it converges quadratically. Where conjugate
    gradients meet negative curvature it is replaced, for that step, by the projected one, whose
    directions always descend; or the step is what they had found by then, which descends too, if
    the linear solver says that it is worth it, and if none led `astray`. Stops when another step
    would move no point by more than `tolerance` times the size of the body or, if `relative` is
    given, by more than this share of what the search has moved them in all, with no more than this
    share of the gradient left.

    A step that halves the gradient is at first taken without looking at values; a matrix that brings the
    search within one more step of its end is used for that step too.

    A `rugged` objective wants more. The projected Hessian is stiffer than the exact one: its steps are
    made longer where they end on a slope and did not halve the gradient. And once a step that was
    found before negative curvature had to be cut, none like it is taken any more.
    Source: [nocedal1999] ch. 6.
    """

    tolerance: float = 1e-9
    relative: float = 0.0
    iterations: int = 200
    first_share: float = 0.8  # of what the first solve may leave, if the search is to end behind it
    returns: bool = True  # whether a search that begins astray may begin at its origin instead
    rugged: bool = False  # whether curvature is often negative, and not far: where bodies touch
    astray: bool = False  # whether steps found before negative curvature are known to lead nowhere
    brief: bool = False  # whether a time budget may cut the search short

    def minimise(
        self,
        objective: Objective,
        x: Any,
        linear: LinearSolver,
        *,
        origin: Any = None,
        first: float | None = None,
    ) -> tuple[Any, Report]:
        """Return the minimiser reached from x, and the report.

        origin: the start to whose motion and gradient `relative` refers; x by default. first: the
        norm of the gradient there, if it is known.
        """
        origin = x if origin is None else origin
        here = _look(objective, x, origin)
        if not math.isfinite(here.size):
            return x, Report(0, 0, math.inf, "start is not admissible")
        if not self.relative:
            return self._descended(objective, linear, here, origin, None)
        here, aim = self._aimed(objective, linear, here, origin, first)
        found, report = self._descended(objective, linear, here, origin, aim)
        report.first = aim.first
        return found, report

    def _descended(
        self,
        objective: Objective,
        linear: LinearSolver,
        here: Iterate,
        origin: Any,
        aim: Aim | None,
    ) -> tuple[Any, Report]:
        """The end of the search from `here`, and the report."""
        v = objective.vectors
        spent, previous, last, asked = 0, math.inf, math.inf, 0.0
        projected = trusted = False
        astray = self.astray
        stayed = 0
        for k in range(self.iterations):
            x, g = here.x, here.g
            if here.size == 0.0:
                return x, Report(k, spent, 0.0, "converged", motion=here.motion)
            if self.brief and k >= FEWEST_ITERATIONS and overdue():
                return x, Report(k, spent, here.peak, OUT_OF_TIME, motion=here.motion, cuts=1)
            # Eisenstat-Walker: exact only as far as the last step was quadratic.
            rtol = min(max(0.5 * (here.size / previous) ** 2, 1e-4), 0.05) if k else 0.05
            reuse = False
            if aim is not None:
                left = here.size / previous if k else None
                if aim.reached(here, begins=not k):
                    aim.learn(here, None if left is None else left - asked)
                    return x, Report(k, spent, here.peak, "converged", motion=here.motion)
                rtol = aim.rtol(rtol, begins=not k)
                reuse = aim.serves(left if trusted or not k else math.inf)
            projected, stayed = self._again(projected, stayed, large=last > 1e-3 * objective.size)
            way = self._direction(objective, x, g, rtol, linear, projected, reuse, astray)
            p, projected = way.p, way.projected
            spent, asked = spent + way.spent, rtol
            if aim is not None and not k and aim.close(here, p, way.largest):
                aim.learn(here, None)
                return x, Report(0, spent, here.peak, "converged", motion=here.motion, ahead=p)
            if projected or not self.relative:
                last = v.largest(p)
                if last <= self.tolerance * objective.size and not self.relative:
                    return v.moved(x, 1.0, p), Report(k + 1, spent, here.peak, "converged")
            there = self._advance(objective, here, p, origin, trusting=k < TRUSTED_ITERATIONS)
            if isinstance(there, str):
                return x, Report(k, spent, here.peak, there)
            astray = astray or (self.rugged and way.broken_off and not there.whole)
            if self.rugged and projected and there.whole and there.value is not None:
                there = self._lengthened(objective, here, there, p, origin)
            trusted = there.value is None
            previous, here = here.size, there
            if not math.isfinite(here.size):
                return here.x, Report(k + 1, spent, math.inf, "gradient is not finite")
        return here.x, Report(self.iterations, spent, here.peak, LIMIT)

    def _again(self, projected: bool, stayed: int, *, large: bool) -> tuple[bool, int]:
        """Whether to begin with the projected matrix, and for how many iterations it has been so.

        Once curvature was negative it is likely to stay so until the steps grow small.
        """
        stayed = stayed + 1 if projected else 0
        if self.rugged and stayed <= STAYS:
            return projected, stayed
        return projected and large, 0

    def _aimed(
        self, objective: Objective, linear: LinearSolver, here: Iterate, origin: Any, first: Any
    ) -> tuple[Iterate, Aim]:
        """Where the search begins, here or at its origin, and its aim."""
        given = (self.relative, objective, linear)
        aim = Aim(*given, here, origin=origin, first=first, share=self.first_share)
        if not self.returns or not aim.astray(here):
            return here, aim
        here = _look(objective, origin, origin)
        return here, Aim(*given, here, origin=origin, first=here.size, share=self.first_share)

    def _advance(
        self, objective: Objective, here: Iterate, p: Any, origin: Any, *, trusting: bool
    ) -> Iterate | str:
        """Go along p, as far as it is good; or why that cannot be done.

        The value is looked at, and is in the result, only where the gradient did not halve, or if that
        is not trusted.
        """
        v, x = objective.vectors, here.x
        there, limit = None, objective.step_limit(x, p)
        if limit > 1.0:
            there = _look(objective, v.moved(x, 1.0, p), origin)
            if trusting and there.size <= TRUSTED * here.size:
                return there
        if here.value is None:
            here.value = objective.value(x)
        if not math.isfinite(here.value):
            return "start is not admissible"
        move = v.largest(p)
        less = there is not None and there.size < here.size
        if move <= self.tolerance * objective.size and not less:
            return "rounding"
        slope = v.dot(here.g, p)
        step, value = self._search(objective, x, p, move, limit, here.value, slope)
        if step < min(limit, 1.0) and move <= SMALL_STEP * objective.size:
            # So near an answer the change of the value drowns in rounding; the gradient does not,
            # so a full step is judged by it instead.
            if there is None or not less:
                return "rounding"
            there.value = objective.value(there.x)
            return there
        if step == 0.0:
            return "stalled"
        if step != 1.0 or there is None:
            there = _look(objective, v.moved(x, step, p), origin)
        there.value, there.whole = value, step == 1.0
        return there

    @staticmethod
    def _lengthened(
        objective: Objective, here: Iterate, there: Iterate, p: Any, origin: Any
    ) -> Iterate:
        """The end of the step p, which leads from `here` to `there`, or of a longer one."""
        v, share = objective.vectors, 1.0
        first, slope = v.dot(here.g, p), v.dot(there.g, p)
        for _ in range(LENGTHENED):
            if not slope < STEEP * first:
                break
            # By the secant of the slopes, unless it grows.
            best = first / (first - slope) if slope > first else math.inf
            longer = min(LONGER, best) * share
            longer *= min(1.0, objective.step_limit(here.x, v.mixed(longer, p, 0.0, p)))
            if longer <= share:
                break
            if there.value is None:
                there.value = objective.value(there.x)
            further = _look(objective, v.moved(here.x, longer, p), origin)
            further.value = objective.value(further.x)
            if not further.value < there.value + PAYS * (longer - share) * slope:
                break
            there, share, slope = further, longer, v.dot(further.g, p)
        return there

    def _direction(
        self,
        objective: Objective,
        x: Any,
        g: Any,
        rtol: float,
        linear: LinearSolver,
        projected: bool,
        reuse: bool,
        astray: bool,
    ) -> Direction:
        """A descent direction. astray: solves that were broken off have led nowhere."""
        spent = 0
        if reuse:
            p, report = linear.solve(g, rtol=rtol)
            spent += report.iterations
            if not report.indefinite:
                return Direction(p, spent, projected, report.largest)
        for exact in (False,) if projected else (True, False):
            linear.assemble(objective, x, project=not exact)
            for _ in range(2):  # a kept preconditioner may itself be the trouble: once more, fresh
                p, report = linear.solve(g, rtol=rtol)
                spent += report.iterations
                broken_off = report.indefinite and report.descends
                if not report.indefinite or (broken_off and not astray):
                    return Direction(p, spent, not exact, report.largest, broken_off)
                if exact or report.fresh:
                    break
                linear.forget()
        # The projected matrix is positive semi-definite; a zero eigenvalue is left to the shift.
        for share in (1e-8, 1e-5, 1e-2, 1.0):
            linear.forget()
            linear.shift(share)
            p, report = linear.solve(g, rtol=rtol)
            spent += report.iterations
            if not report.indefinite:
                return Direction(p, spent, True, report.largest)
        linear.forget()
        return Direction(linear.steepest(g), spent, True)

    @staticmethod
    def _search(
        objective: Objective, x: Any, dx: Any, move: float, limit: float, f: float, slope: float
    ) -> tuple[float, float]:
        """Halve the step until the value decreases enough; 0 if no step does.

        move: |dx| [m]; limit: the largest admissible share of dx.
        """
        # Where nothing resists, as across a slack net, a direction may lead out of the world.
        if move > FAR_SIZES * objective.size:
            limit = min(limit, FAR_SIZES * objective.size / move)
        step = 1.0 if limit > 1.0 else limit
        # Values are sums of many terms: a decrease below their rounding cannot be seen.
        slack = 1e-13 * abs(f)
        for _ in range(60):
            f_new = objective.value(objective.vectors.moved(x, step, dx))
            if f_new <= f + 1e-4 * step * slope + slack:
                return step, f_new
            step *= 0.5
        return 0.0, f
