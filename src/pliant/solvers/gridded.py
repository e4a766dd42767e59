"""Newton steps by conjugate gradients with a multigrid cycle: for bodies of any size."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import warp as wp

from pliant.backend import Exchange, parallel

from .aim import Lesson, alike
from .blocks import shaped
from .conjugate import ConjugateGradients
from .fallback import FEW, MOST_ITERATIONS_TOUCHING, WithFallback
from .grid_objective import GridObjective, Sample, Stiffness
from .linear import FactorMemory
from .multigrid import GridsMemory, Multigrid
from .newton import LinearReport, LinearSolver

log = logging.getLogger("pliant")

#: A refreshed hierarchy costs as much as this many iterations (measured at 6k and 48k tetrahedra),
#: and on CUDA as this many, where an iteration takes 0.1 to 0.3 ms and the last inverse 10.
WORN_ITERATIONS, WORN_ON_CUDA = 30, 100
#: The frames of the points are renewed after so many matrices.
FRAMES_LAST = 6
#: Grids count as worn where a digit takes more iterations than this multiple of the fewest so far. The
#: second is used after the stiffness of the terms in the grids has halved or doubled.
USUAL, CHANGED = 1.5, 1.1
#: More iterations than this are a sign that the grids do not suit the mesh.
MOST_ITERATIONS_GRIDDED = 80


@dataclass(frozen=True, eq=False)
class LastMatrix:
    """The last matrix, and about how many times stiffness and mass of the body it is."""

    blocks: Any
    stiffness: float
    weight: float


@dataclass(frozen=True, eq=False)
class GridSource:
    """Grids in use: what they were made from, the sum of its terms, and how they are scaled."""

    sample: Sample
    total: float
    grids: GridsMemory


@dataclass(frozen=True, eq=False)
class GriddedMemory:
    """What `Gridded` keeps; source: what the grids are made from, None if they must be made again."""

    gone: bool = False
    elsewhere: bool = False
    best: float = math.inf
    slowest: float = 0.0
    debt: float = 0.0
    worn: int = 0
    frames: Any = None
    source: GridSource | None = None
    loaded: LastMatrix | None = None
    lesson: Lesson | None = None
    other: FactorMemory | None = None


class Gridded(WithFallback):
    """Multigrid. Grids that wear out are made anew where the body is; grids that do not
    suit the mesh leave the work to `otherwise`, and so do single matrices that couple all points.
    touching: whether systems may have blocks of pairs, which the grids do not know.
    """

    def __init__(
        self,
        multigrid: Multigrid,
        stiffness: Stiffness,
        *,
        exchange: Exchange,
        otherwise: Callable[[], LinearSolver] | None = None,
        touching: bool = False,
    ):
        super().__init__(exchange, otherwise)
        self._touching = touching
        self._most = MOST_ITERATIONS_TOUCHING if touching else MOST_ITERATIONS_GRIDDED
        self._multigrid, self._cg = multigrid, ConjugateGradients(multigrid)
        self._stiffness = stiffness
        self._gone = self._made = False  # whether the other has taken over, and grids are in use
        self._sample: Sample | None = None  # that the grids were made from
        self._best, self._slowest, self._debt = math.inf, 0.0, 0.0
        self._total_made, self._slack = 0.0, USUAL
        self._renewal = WORN_ON_CUDA if parallel(multigrid.device) else WORN_ITERATIONS
        self._frames: Any = None
        self._worn = 0
        self._lesson: Lesson | None = None
        self.renewals = 0

    @property
    def gave_up(self) -> bool:
        """Whether the other solver has taken over."""
        return self._gone

    def assemble(self, objective: GridObjective, x: Any, *, project: bool) -> None:
        """Take the Hessian at x."""
        self._at = (objective, x, project)
        self._loaded, self._lesson = False, None
        self._elsewhere = self._gone
        if self._gone or (self._otherwise is not None and objective.couples_all(x)):
            self._leave()
            return
        self._blocks, self._pairs = objective.blocks(x, project), objective.pairs(x, project)
        self._look_around(objective, x)
        if self._frames is None or self._worn >= FRAMES_LAST:
            self._frames, self._worn = objective.turns(x), 0
        self._worn += 1
        self._scale, self._motions = (objective.stiffness, objective.weight), objective.motions()

    def again(self, objective: GridObjective, x: Any) -> Lesson | None:
        """Take the last matrix, if it is about as stiff as that of this objective."""
        if self._lesson is None or self.blocks is None:
            return None
        stiffness, weight = self._scale
        near = alike(stiffness, objective.stiffness) and alike(weight, objective.weight)
        if not near or objective.motions() is not None or objective.pairs(x, False):
            return None
        self._at, self._motions, self._pairs = (objective, x, False), None, ()
        self._look_around(objective, x)
        return self._lesson

    def learn(self, lesson: Lesson | None) -> None:
        """Keep the matrix for the next search if the step has energies of its own: it is dear.

        A state has to keep it as well, and a checkpoint.
        """
        dear = self.blocks is not None and self._scale[0] > 1.0
        self._lesson = lesson if dear and self._motions is None and not self._pairs else None

    def drop_matrix(self) -> None:
        """Forget the matrix of the points, unless the next search may begin with it."""
        self._loaded = self._loaded and self._lesson is not None

    def _look_around(self, objective: GridObjective, x: Any) -> None:
        """Look whether what is not matter has come or gone since the grids were made."""
        self._total = self._stiffness.total(objective.places(x))
        low, high = sorted((self._total, self._total_made))
        self._slack = CHANGED if 2.0 * low < high else USUAL

    def shift(self, share: float) -> None:
        """Leave it to the other solver, which can factorise what is nearly singular."""
        self._give_up("a singular matrix")
        super().shift(share)

    def solve(self, g: Any, *, rtol: float) -> tuple[Any, LinearReport]:
        """The Newton step -H^-1 g."""
        if self._elsewhere:
            return self._the_other().solve(g, rtol=rtol)
        fresh = not self._made or self._debt > self._renewal
        if fresh:
            self._refresh()
        p, report = self._iterate(g, rtol, fresh)
        worn = not fresh and not (self._touching and self._pairs)
        if not report.converged and not report.indefinite and worn:
            self._refresh()
            p, report = self._iterate(g, rtol, True)
        if not report.converged and not report.indefinite:
            self._give_up(f"{self._most} iterations")
            if self._elsewhere:
                return self._the_other().solve(g, rtol=rtol)
        return p, report

    def forget(self) -> None:
        """Make the grids anew."""
        self._made = False
        if self._other is not None:
            self._other.forget()

    @property
    def _ready(self) -> Multigrid | None:
        return self._multigrid if self._made and self._loaded else None

    @property
    def blocks(self) -> Any:
        """The blocks of the last matrix, if the grids are in use."""
        return self._blocks if self._loaded and self._made and not self._elsewhere else None

    def memory(self) -> GriddedMemory:
        """What the next search depends on. It holds what the grids are made from, not the grids."""
        source = loaded = None
        if self._made and self._sample is not None and not self._gone:
            source = GridSource(self._sample, self._total_made, self._multigrid.memory())
        if (blocks := self.blocks) is not None:
            loaded = LastMatrix(blocks, *self._scale)
        return GriddedMemory(
            self._gone,
            self._elsewhere,
            self._best,
            self._slowest,
            self._debt,
            self._worn,
            self._frames,
            source,
            loaded,
            self._lesson,
            self._memory_of_other(),
        )

    def remember(self, memory: GriddedMemory | None) -> None:
        """Restore the state of `memory`. The grids are made again from the same shape."""
        memory = memory or GriddedMemory()
        self._made = self._loaded = False  # until they are
        self._lesson = None
        self._gone, self._elsewhere = memory.gone, memory.elsewhere
        self._best, self._slowest = memory.best, memory.slowest
        self._debt, self._worn = memory.debt, memory.worn
        self._frames = None
        if memory.frames is not None:
            grids = self._multigrid
            matrix = wp.types.matrix((grids.dim, grids.dim), wp.float64)
            self._frames = shaped(memory.frames, grids.fine.count, matrix, grids.device)
        self._remind_other(memory.other)
        if memory.source is None:
            return
        sample, self._total_made = memory.source.sample, memory.source.total
        self._multigrid.remember(memory.source.grids, partial(self._stiffness.add, sample))
        self._sample, self._made = sample, True
        if memory.loaded is not None:
            self._load(memory.loaded)
            self._lesson = memory.lesson

    def _load(self, matrix: LastMatrix) -> None:
        """Take the last matrix again."""
        grids = self._multigrid
        blocks = grids.fine.pattern.to_device(matrix.blocks, grids.dim, device=grids.device)
        grids.load(blocks, stiffness=matrix.stiffness, weight=matrix.weight, frames=self._frames)
        self._blocks, self._scale, self._loaded = blocks, (matrix.stiffness, matrix.weight), True

    def estimate(self, objective: Any, g: Any) -> float:
        """About the largest entry of the next step, by one cycle from the gradient.

        A cycle misses most of the shapes that make iterations many: of a smallest eigenvalue of 1/c
        all but that share, c being about the square of the iterations for a digit.
        """
        found = super().estimate(objective, g)
        return found if self._elsewhere else found * max(1.0, self._slowest / FEW) ** 2

    def steepest(self, g: Any) -> Any:
        """The gradient, scaled by the diagonal."""
        return (self._the_other() if self._elsewhere else self._at[0]).steepest(g)

    def _refresh(self) -> None:
        objective, x, _ = self._at
        self._sample = self._stiffness.sample(objective.places(x))
        self._multigrid.refresh(partial(self._stiffness.add, self._sample))
        self._total_made, self._slack = self._total, USUAL
        self._frames, self._worn = objective.turns(x), 0
        self._loaded = False
        self._made, self._best, self._slowest, self._debt = True, math.inf, 0.0, 0.0
        self.renewals += 1

    def _iterate(self, g: Any, rtol: float, fresh: bool) -> tuple[Any, LinearReport]:
        rhs = self._exchange.placed(self._at[0].vectors.negated(g))
        stiffness, weight = self._scale
        found = self._cg.solve(
            self._blocks,
            rhs,
            rhs,
            rtol=rtol,
            stiffness=stiffness,
            weight=weight,
            frames=self._frames,
            complement=self._motions,
            pairs=self._pairs,
            limit=self._most,
            loaded=self._loaded,
        )
        self._loaded = True
        pace = found.iterations / max(-math.log10(rtol), 1.0)  # iterations per digit
        self._best, self._slowest = min(self._best, max(pace, 1.0)), max(self._slowest, pace)
        if pace and not (self._touching and self._pairs):  # else grids are not what is worn
            self._debt += max(0.0, found.iterations * (1.0 - self._slack * self._best / pace))
        told = (found.iterations, found.converged, found.indefinite, fresh)
        report = LinearReport(*told, largest=found.largest)
        return self._exchange.taken(rhs), report

    def _give_up(self, why: str) -> None:
        if self._otherwise is None or self._elsewhere:
            return
        log.debug("multigrid does not suit this body (%s): factorising from now on", why)
        self._gone = True
        self._leave()
