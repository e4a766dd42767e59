"""A body prepared for stepping on one device: energies, pins, parts and solvers."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import warp as wp

from pliant.backend import (
    DeviceSpace,
    Exchange,
    HostSpace,
    Spaces,
    computing,
    keeps_arrays,
    parallel,
)
from pliant.contact import BarrierContact
from pliant.energies import (
    Assembly,
    Coupling,
    Energy,
    Flowing,
    Griddable,
    Lagged,
    ObstacleEnergy,
    Searching,
    SolidEnergy,
    turned_points,
)
from pliant.solvers import (
    Coarsened,
    Complement,
    Factored,
    Galerkin,
    Gridded,
    Grids,
    LinearSolver,
    Multigrid,
    Newton,
    PairBlocks,
    Report,
    Restriction,
    interpolations,
    updated,
    with_pairs,
)

from .coarse_stiffness import CoarseStiffness
from .hessian import Hessian
from .history import Flow, History
from .inertia import Inertia, Quadratic
from .known import Known
from .objective import StepObjective
from .parts import Parts
from .statics import Statics

if TYPE_CHECKING:
    from .confinement import Confinement
    from .state import State

#: Searches that end within this share of the body's size from their origin find it at rest, or nearly.
STILL = 1e-9
#: Up to this many unknowns a factor is faster than multigrid (measured, 2 cores).
FACTORED = 400
#: Up to this many operations a factor of a band is faster than a hierarchy (measured, 2 cores).
BANDED = 1e6
#: Up to this bandwidth a factor is faster for a body of any length: 15 times for a rod of 2,000 nodes,
#: whose bending is stiff. For a strip of cloth it is at most 1.6 times slower.
NARROW = 8


class System(Statics):
    """A body prepared for steps. It does not change while the same points are pinned.

    On CUDA objectives and their minimisation live on the device; `to_device` and `to_host` carry
    positions there and back.
    """

    #: What keeps it apart from other bodies, if a scene has that.
    contact: BarrierContact | None = None
    #: Its energies that flow.
    flowing: Sequence[Flowing[Any]] = ()
    #: The shapes that its points can have, if it moves in few coordinates.
    confinement: Confinement | None = None

    def __init__(
        self,
        energies: Sequence[Energy],
        *,
        masses: np.ndarray,
        pinned: np.ndarray,
        components: np.ndarray,
        x: np.ndarray,
        cells: Sequence[np.ndarray] = (),
        swing: bool = True,
        device: str = "cpu",
    ):
        n, self.dim = x.shape
        self.cells = cells  # of the mesh, for dampings by cell
        self.solids: Sequence[SolidEnergy] = [e for e in energies if isinstance(e, SolidEnergy)]
        self._griddable = [e for e in energies if isinstance(e, Griddable)]
        #: Whether every free point is in matter whose stiffness a grid can hold.
        self.filled = _all_in(~pinned, [e.stencils for e in self._griddable])
        self.undeformed = x
        self.assembly = Assembly(n, self.dim, energies, device=device)
        self.masses, self.pinned, self.free = masses, pinned, ~pinned
        self.size = float(np.linalg.norm(np.ptp(x, axis=0)))
        self.span = self.size * math.sqrt(float(masses.sum()))
        self.restriction = Restriction(self.assembly.pattern, self.dim, self.free)
        self.hessian = Hessian(self.assembly.pattern, masses, self.free, self.dim, device=device)
        self.device = wp.get_device(device)
        coupling = [e for e in energies if isinstance(e, Coupling)]
        resident = keeps_arrays(device) and not coupling
        there = DeviceSpace(masses, self.dim, free=self.free, device=device) if resident else None
        self.spaces = Spaces(HostSpace(masses, self.free), there)
        self.rigid = Parts(x, components, self.spaces, swing=swing)
        self.parts = self.rigid.parts
        self._hinged = [part for part in self.parts if part.damps_swing]
        self.has_free_part = any(part.translates for part in self.parts)
        self.damps_swing = bool(self._hinged)
        self.infinite_when_inverted = not all(s.material.finite_when_inverted for s in self.solids)
        self.flowing = [e for e in energies if isinstance(e, Flowing)]
        self._searching = [e for e in energies if isinstance(e, Searching)]
        #: With the points that each is of.
        self._lagged: list[tuple[slice, Lagged]] = [
            (slice(0, n), e) for e in energies if isinstance(e, Lagged)
        ]
        self.unrestricted = Complement(self.spaces.host)
        # The answer is corrected by Newton's float64, and the bandwidth is worth it on CUDA.
        self._inner = wp.float32 if parallel(device) else wp.float64
        if parallel(device):
            self.stable_rtol = 1e-4
        if not self.filled:
            self._newton = Newton(iterations=1000)  # sheets have many folds to lay
        self._linear = self._chosen(always_coupled=any(e.always_couples for e in coupling))
        self._current: Known | None = None
        self._pristine = self.known()

    @property
    def linear(self) -> LinearSolver:
        """The solver of Newton's systems. Whoever asks for it may change what it keeps."""
        self._current = None
        return self._linear

    @property
    def flows(self) -> bool:
        """Whether matter of it flows beyond yield."""
        return bool(self.flowing)

    @property
    def tears(self) -> bool:
        """Whether faces of it hold on though they are open."""
        return any(energy.tears for energy in self.flowing)

    @property
    def lags(self) -> bool:
        """Whether an energy holds something during a minimisation."""
        return bool(self._lagged)

    def complement(self, x: Any) -> Any:
        """The deformations at x: what is M-orthogonal to the rigid motions."""
        return self.rigid.complement(x) if self.rank else self.unrestricted

    def align(self, shape: Any, x: Any) -> Any:
        """`shape` moved rigidly, as far as its pins allow, to lie closest to x."""
        return self.rigid.align(shape, x) if self.rank else shape

    @computing
    def stiffness(self, x: np.ndarray, project: bool = False) -> Any:
        """The Hessian of the energies over the free points [N/m]."""
        sparse = self.restriction.matrix(self.assembly.blocks(x, project=project))
        sparse = self.with_pairs(sparse, self.assembly.pair_blocks(x, project=project))
        low_rank = self.assembly.low_rank(x)
        return sparse if low_rank is None else updated(sparse, self.restriction.rows(low_rank))

    def with_pairs(self, matrix: Any, pairs: Sequence[PairBlocks]) -> Any:
        """A matrix over the free points with these blocks."""
        return with_pairs(matrix, pairs, self.free) if pairs else matrix

    def stiffness_diagonal(self, x: np.ndarray) -> np.ndarray:
        """The diagonal of `stiffness`, (free points, d) [N/m]. Large bodies compute no more."""
        if isinstance(self._linear, Factored):
            return np.asarray(self.stiffness(x).diagonal().reshape(-1, self.dim))
        blocks = self.hessian.of(self.assembly.array(x), self.assembly.energies, False)
        own = blocks.numpy()[self.assembly.pattern.diagonal[self.free]]
        return np.diagonal(own, axis1=1, axis2=2)

    def stiffness_trace(self, x: Any) -> float:
        """The sum of the absolute diagonal of `stiffness` [N/m]."""
        if self.spaces.of(x).on_host:
            return float(np.abs(self.stiffness_diagonal(x)).sum())
        return self.hessian.trace(self.hessian.of(x, self.assembly.energies, False))

    @computing
    def blocks(self, x: Any, *, project: bool, only: Sequence[Energy] | None = None) -> Any:
        """The Hessian of the energies, or `only` of some on the same cells, as blocks [N/m].

        Returns a device array if `x` is one. Blocks of pins are then zero: they do not move there.
        """
        if self.spaces.of(x).on_host:
            return self.assembly.blocks(x, project=project, only=only)
        return self.hessian.of(x, self.assembly.energies if only is None else only, project)

    def largest_entry(self, blocks: Any) -> float:
        """The largest entry of such blocks."""
        return self.hessian.largest(blocks)

    @property
    def resident(self) -> bool:
        """Whether objectives live on the device."""
        return not self.spaces.home.on_host

    def to_device(self, x: Any, *, keep: bool = False) -> Any:
        """Returns x where objectives live. `keep` a copy of an array that will be asked for again."""
        return self.spaces.home.asarray(x, keep=keep)

    def to_host(self, x: Any) -> np.ndarray:
        """Returns x as a numpy array, (n, d)."""
        return self.spaces.host.asarray(x)

    @computing
    def minimise(
        self,
        newton: Newton,
        objective: Any,
        x: Any,
        *,
        origin: Any = None,
        first: float | None = None,
    ) -> tuple[Any, Report]:
        """Newton's search from x, which may be a numpy array; the answer is of the same kind.

        What `Lagged` energies hold is that at the origin.
        """
        begin = None if origin is None else self.to_device(origin)
        try:
            self._hold(x if origin is None else origin)
            found, report = newton.minimise(
                objective, self.to_device(x), self.linear, origin=begin, first=first
            )
        finally:
            self._hold(None)
        return self.spaces.of(x).asarray(found), report

    def _hold(self, x: Any) -> None:
        """Let `Lagged` energies hold what is at x; None: let go."""
        for own, energy in self._lagged:
            energy.hold(None if x is None else self.assembly.array(x)[own])

    def set_hinge_direction(
        self, load: np.ndarray, before: Sequence[np.ndarray] = ()
    ) -> tuple[np.ndarray, ...]:
        """Set the vertical of parts that hang by one point, from the load on all points [N].

        A part without load keeps its direction of `before`. Returns the directions of all such parts.
        """
        if not self.damps_swing:
            return ()
        self.rigid.set_hinge_direction(load, before)
        return tuple(part.vertical for part in self._hinged)

    def nearest(self, x: Any) -> Any:
        """Positions x with bodies that move in few coordinates in a shape that they can have."""
        return x

    def reach(self, x: Any, y: Any) -> Any:
        """How far the body can go from x straight towards y before it touches another."""
        return y

    @property
    def point_energies(self) -> Sequence[Energy]:
        """Its energies as those of points among others."""
        return self.assembly.energies

    def spread(self, state: State) -> State:
        """The state with arrays of points, in which bodies of an island are joined."""
        return state

    def gathered(self, state: State) -> State:
        """The state as this body has it, from one with arrays of points."""
        return state

    def stored(self, x: np.ndarray) -> float:
        """What is stored in it at positions x, (n, d) [J]."""
        return self.value(x)

    def loaded(self, x: Any) -> Any:
        """The shape at x on which loads act that follow it."""
        return x

    def viscosity(
        self, x: Any, anchor: Any, weight: float
    ) -> tuple[Sequence[Energy], Sequence[Quadratic]]:
        """weight/2 u.K(x)u of the way u from the anchor, as energies or quadratic terms."""
        # Projected: a viscosity must never feed energy in, even where K is indefinite.
        blocks, low_rank = self.blocks(x, project=True), self.assembly.low_rank(x)
        return (), (Quadratic(blocks, anchor, weight, low_rank=low_rank),)

    def touches(self, x: Any) -> bool:
        """Whether contact pushes anything at x."""
        return self.contact is not None and self.contact.value(self.assembly.array(x)) > 0.0

    def settle_pins(self, x: np.ndarray) -> None:
        """Call before arrays go to the device: there pins stay where they are in x."""
        if self.resident:
            self.rigid.hold(x)

    @computing
    def value(self, x: Any) -> float:
        """The sum of the energies [J]."""
        return self.assembly.value(x)

    def force(self, x: Any, load: Any, complement: Any) -> Any:
        """The gradient of the potential along the directions that are searched [N]."""
        home, y = self.spaces.home, self.to_device(x)
        g = home.close(self.assembly.gradient(y), 0.0, y, y, home.asarray(load, keep=True))
        if complement.rank:
            g = complement.within(home).project_force(g)
        return self.spaces.of(x).asarray(g)

    def objective(self, inertia: Inertia, load: Any, complement: Any) -> Any:
        """The objective of one step."""
        return StepObjective(self, inertia, load, complement)

    def inverted(self, x: Any) -> np.ndarray:
        """The cells that are inside out at x, numbered through all kinds."""
        found, before = [], 0
        y = self.assembly.array(x)
        for solid in self.solids:
            if solid.any_inverted(y):
                F = solid.deformation_gradients(y)
                found.append(before + np.flatnonzero((np.linalg.det(F) <= 0.0).any(axis=1)))
            before += len(solid.stencils)
        return np.concatenate(found) if found else np.zeros(0, dtype=int)

    @cached_property
    def elastic_rate(self) -> float:
        """1/t^2 [1/s^2], t being the time in which an elastic wave crosses the body.

        A stretch u along an axis has u.Ku = 12 u.Mu/t^2 in a bar; the fastest axis counts.
        """
        x, fastest = self.undeformed, 1e-6
        self.take_history(None)  # the same number whenever it is asked for
        K, u = self.stiffness(x, project=True), x - self.masses @ x / self.masses.sum()
        for axis in range(self.dim):
            along = np.zeros_like(u)
            along[:, axis] = u[:, axis]
            flat, weight = along[self.free].ravel(), float(self.masses @ along[:, axis] ** 2)
            if weight > 0.0:
                fastest = max(fastest, float(flat @ (K @ flat)) / (12.0 * weight))
        return fastest

    def touches_obstacle(self, *positions: Any) -> bool:
        """Whether an obstacle pushes the body, at any of these positions."""
        obstacles = [e for e in self.assembly.energies if isinstance(e, ObstacleEnergy)]
        return any(e.touches(*positions) for e in obstacles)

    def known(self, *, motion: float = math.inf) -> Known:
        """What solvers and searches keep for the next step, whose last digits depend on it.

        motion [m]: of the last search. The last matrix is large. If the body has moved it is dropped,
        unless the next search may begin with it.
        """
        self._current = None
        if motion > STILL * self.size:
            self._linear.drop_matrix()
        held = self.hessian.hold(self._linear.blocks)
        linear = self._linear.memory()
        searches = tuple(energy.memory() for energy in self._searching)
        self._current = Known(weakref.ref(self), linear, searches, held)
        return self._current

    def recall(self, known: Known | None) -> None:
        """Solve the next step as if nothing had been solved since `known`; None: nothing at all."""
        if known is None or known.system() is not self:
            known = self._pristine
        # Searches may have run since, to evaluate an energy.
        for energy, found in zip(self._searching, known.searches, strict=True):
            energy.remember(found)
        if known is not self._current:
            self._current = None  # an interrupt may come before all is there
            self._linear.remember(known.linear)
            self._current = known

    def take_history(self, history: History | None) -> None:
        """Deform from what happened so far, in the next sums."""
        if not self.flowing:
            return
        flow = None if history is None else history.flow
        each = [e.virgin() for e in self.flowing] if flow is None else flow.each
        for energy, own in zip(self.flowing, each, strict=True):
            energy.take_flow(own)

    @contextmanager
    def arrested(self) -> Iterator[None]:
        """Search for a rest shape: what would flow without end flows no more meanwhile."""
        try:
            self._arrest(True)
            yield
        finally:
            self._arrest(False)

    def _arrest(self, arrested: bool) -> None:
        for energy in self.flowing:
            energy.arrest(arrested)

    def history_at(
        self, history: History | None, x: Any, *, anneals: bool = False
    ) -> History | None:
        """What will have happened when the body has come to x; the same object if nothing flows.

        anneals: whether it then has no stress, and has forgotten its flow.
        """
        if not self.flowing:
            return history
        self.take_history(history)
        y = self.assembly.array(x)
        each = tuple(e.annealed(y) if anneals else e.after_flow(y) for e in self.flowing)
        known = None if history is None else history.flow
        before = [e.virgin() for e in self.flowing] if known is None else known.each
        if all(now is then for now, then in zip(each, before, strict=True)):
            return history
        flow = Flow(each, 1 if known is None else known.count + 1)
        return flow if history is None else history.with_flow(flow)

    def from_memory(self, linear: Any, searches: Sequence[Any]) -> Known:
        """What was known when a resumed run stopped. Refuses what does not fit this body."""
        known = Known(weakref.ref(self), linear, tuple(searches))
        self.recall(known)
        return known

    @property
    def pristine(self) -> Known:
        """What was known before anything was solved."""
        return self._pristine

    def _chosen(self, *, always_coupled: bool) -> LinearSolver:
        """The linear solver, by what the energies declare and the number of unknowns."""
        small = self.restriction.size <= FACTORED and not self.resident
        # Every product with grids on a device would copy arrays of the host there and back.
        apart = parallel(self.device) and not self.resident
        if small or apart or always_coupled:
            return Factored(self.kept_factor(self.undeformed))
        if self.filled:
            return self._gridded()
        if self.resident or self._worth_coarsening():
            return self._coarsened()
        return Factored(self.kept_factor(self.undeformed))

    def _worth_coarsening(self) -> bool:
        """Whether conjugate gradients would be faster than a factor: not for curves and few points."""
        points, width = self.assembly.pattern.points, self.assembly.pattern.bandwidth
        return width > NARROW and self.dim**3 * points * width**2 > BANDED

    def _coarsened(self) -> Coarsened:
        def galerkin() -> Galerkin | None:
            ways = self.interpolations()
            if not ways:
                return None
            pattern = self.assembly.pattern
            return Galerkin(ways, pattern, self.dim, device=self.device, dtype=self._inner)

        return Coarsened(
            galerkin,
            exchange=self._exchange(),
            otherwise=lambda: Factored(self.kept_factor(self.undeformed)),
            touching=self.contact is not None,
        )

    def interpolations(self) -> list[Any]:
        """Interpolation from coarser and coarser lattices to the points; none if there is none."""
        stencils = [e.stencils for e in self.assembly.energies]
        return interpolations(self.undeformed, stencils, self.free)

    def _grids(self, stencils: Sequence[np.ndarray], also: Sequence[np.ndarray]) -> Grids:
        """Grids over cells; also: what other terms couple."""
        return Grids(self.undeformed, stencils, self.free, also=also)

    def turned(self, y: Any) -> Any:
        """The rotation of the neighbourhood of every point at y, an array of the device."""
        return turned_points(self.solids, y, len(self.masses))

    def _exchange(self) -> Exchange:
        return Exchange(len(self.masses), self.dim, device=self.device, dtype=wp.float64)

    def _gridded(self) -> Gridded:
        resident = self.resident
        wrap: Callable[[Any], Any] = self.to_device if resident else self.assembly.array
        # What touches comes and goes while the grids stay.
        others = [
            e
            for e in self.assembly.energies
            if not isinstance(e, (Griddable, Coupling)) and e is not self.contact
        ]
        also = [e.stencils for e in others]
        grids = self._grids([e.stencils for e in self._griddable], also)
        multigrid = Multigrid(
            grids, self.assembly.pattern, self.masses, device=self.device, dtype=self._inner
        )
        return Gridded(
            multigrid,
            CoarseStiffness(
                self._griddable,
                others,
                free=self.free,
                dim=self.dim,
                turns=self.turned,
                wrap=wrap,
                device=self.device,
            ),
            exchange=self._exchange(),
            otherwise=None if resident else lambda: Factored(self.kept_factor(self.undeformed)),
            touching=self.contact is not None,
        )


def _all_in(points: np.ndarray, stencils: Sequence[np.ndarray]) -> bool:
    """Whether all points of a mask are in some stencil."""
    left = points.copy()
    for s in stencils:
        left[s] = False
    return not left.any()
