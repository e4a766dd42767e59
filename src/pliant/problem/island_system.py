"""Several bodies that are tied together, prepared as one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.backend import joined, resident
from pliant.contact import BarrierContact, BristleFriction, obstacle_work
from pliant.energies import Lagged, Searching, Shifted, SolidEnergy, TieEnergy, sliced
from pliant.mesh import connected
from pliant.solvers import (
    COARSEST,
    Confined,
    Factored,
    Grids,
    KeptPreconditioner,
    LinearSolver,
    Newton,
    Report,
    Single,
    Tied,
    Unknowns,
)

from .confined_objective import ConfinedObjective
from .confinement import CurvedSpace
from .history import History, IslandHistory
from .inertia import Inertia
from .island_contact import ContactHessian, ContactShare
from .island_levels import joined_interpolations, laid_out
from .island_objective import IslandObjective
from .known import Known
from .system import System

#: Newton iterations of a step in contact, and the share of the residual left before it is known whether
#: more is wanted.
MOST_IN_CONTACT, ROUGH = 1000, 1e-3
#: The share that the first solve of a step in contact leaves, of the gradient that the step may leave.
#: Motion of what lies on something weighs little in a gradient, and another iteration costs more.
FIRST_SHARE = 0.2
#: Matrices of solids serve until a point has moved by this share of the length of short edges: between
#: the iterations of a search it is contact that changes.
MOVED_LITTLE = 0.01
#: Up to this many unknowns a factor is faster in contact than the solver of a body that is alone: 0.9
#: times as fast at 1.2k to 1.5k unknowns, 0.4 to 0.7 at 8k (measured, 2 cores).
FACTORED_IN_CONTACT = 1_000
#: And up to so many times as many it is faster than the solvers of several bodies together: 3 times at
#: 13k unknowns, 4 times at 25k.
TOGETHER = 30
#: By how much a way is cut again that ends beside the shapes that a body can have.
SHORTER = 0.9
#: Nodes of the last grid on a device for each body: it has more than the corners of one cell.
LAST_NODES = 12


class IslandSystem(System):
    """The points of all bodies one after another, their energies, and the ties between them.

    Each body keeps its own `System`, whose solver the island's solver uses. ties(firsts, points) returns
    the energies of the ties, over the points of all bodies; `firsts` are the numbers of the first point
    of each body. contact: what keeps the bodies apart, and friction: what holds them where they touch.

    If the arrays of all bodies stay on a device those of the island do so too, and one hierarchy over
    all points solves for it. Ties are solved for on the CPU.
    """

    def __init__(
        self,
        systems: Sequence[System],
        labels: Sequence[np.ndarray],
        ties: Callable[[Sequence[int], np.ndarray], Sequence[Any]],
        *,
        contact: BarrierContact | None = None,
        friction: BristleFriction | None = None,
        swing: bool = True,
    ):
        self.contact, self.friction = contact, friction
        ends = np.cumsum([0, *(len(s.masses) for s in systems)])
        spans = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.members = list(zip(spans, systems, strict=True))
        points = np.concatenate([s.undeformed for s in systems])
        self.ties, self._shifted = list(ties(ends[:-1].tolist(), points)), Shifted()
        self.masses = np.concatenate([s.masses for s in systems])
        energies: list[Any] = [
            self.part(e, own) for own, system in self.members for e in system.point_energies
        ]
        #: The bodies that move in few coordinates: their numbers, points and shapes.
        self.confined = [
            (k, own, s.confinement)
            for k, (own, s) in enumerate(self.members)
            if s.confinement is not None
        ]
        apart: list[Any] = [] if contact is None else [contact]
        stays = all(system.resident for system in systems) and not self.ties
        with resident(stays):
            super().__init__(
                [*energies, *self.ties, *apart],
                masses=self.masses,
                pinned=np.concatenate([s.pinned for s in systems]),
                components=_joined(labels, self.ties),
                x=points,
                swing=swing,
                device=str(systems[0].device) if stays else "cpu",
            )
        self._newton = Newton(iterations=MOST_IN_CONTACT)
        self.infinite_when_inverted = any(system.infinite_when_inverted for system in systems)
        own = [*(e for s in systems for e in s.point_energies), *apart]
        self._searching: list[Any] = [e for e in own if isinstance(e, Searching)]
        self._lagged = [
            (span, e) for span, s in self.members for e in s.point_energies if isinstance(e, Lagged)
        ]
        self._pristine = self.known()
        solid = [isinstance(e, SolidEnergy) for s in systems for e in s.point_energies]
        pairs = list(zip(self.assembly.energies, solid, strict=False))
        self.solids_of_all = [e for e, own in pairs if own]
        self.other_energies = [e for e in self.assembly.energies if e not in self.solids_of_all]

    def known(self, *, motion: float = math.inf) -> Known:
        """What solvers and searches keep for the next step; blocks of the bodies are held as well."""
        known = super().known(motion=motion)
        if self.resident:
            return known
        held = (known.held, *(s.hessian.hold(s.linear.blocks) for _, s in self.members))
        self._current = replace(known, held=held)
        return self._current

    @property
    def flows(self) -> bool:
        """Whether matter of a body flows beyond yield."""
        return any(system.flows for _, system in self.members)

    def take_history(self, history: History | None) -> None:
        """Deform from what happened to each body so far."""
        for (_, system), own in zip(self.members, self._histories(history), strict=True):
            system.take_history(own)

    def _arrest(self, arrested: bool) -> None:
        for _, system in self.members:
            system._arrest(arrested)

    def history_at(
        self, history: History | None, x: Any, *, anneals: bool = False
    ) -> History | None:
        """What will have happened when the bodies have come to x; the same object if nothing flows."""
        pairs = zip(self.members, self._histories(history), strict=True)
        found = [system.history_at(own, x[span], anneals=anneals) for (span, system), own in pairs]
        if all(a is b for a, b in zip(found, self._histories(history), strict=True)):
            return history
        return IslandHistory(tuple(found))

    def _histories(self, history: History | None) -> tuple[History | None, ...]:
        if isinstance(history, IslandHistory):
            return history.members
        return (None,) * len(self.members)

    def objective(self, inertia: Inertia, load: Any, complement: Any) -> Any:
        """The objective of one step."""
        if self.confined:
            return ConfinedObjective(self, inertia, load, complement)
        return IslandObjective(self, inertia, load, complement)

    @cached_property
    def curved(self) -> CurvedSpace | None:
        """Where a search moves if straight ways lead off the shapes that bodies can have."""
        return CurvedSpace(self) if any(c.curved for _, _, c in self.confined) else None

    def nearest(self, x: Any) -> Any:
        """Positions x with bodies that move in few coordinates in a shape that they can have."""
        if not self.confined:
            return x
        found = [(own, x[own], c.nearest(x[own])) for _, own, c in self.confined]
        if all(np.array_equal(a, b) for _, a, b in found):
            return x
        out: np.ndarray = x.copy()
        for own, _, shape in found:
            out[own] = shape
        return out

    def minimise(
        self,
        newton: Newton,
        objective: Any,
        x: Any,
        *,
        origin: Any = None,
        first: float | None = None,
    ) -> tuple[Any, Report]:
        """Newton's search from x. In contact it is exact only if no obstacle takes up momentum."""
        x = self.nearest(x)
        if self.contact is None:
            return super().minimise(newton, objective, x, origin=origin, first=first)
        rough = newton.relative or ROUGH
        most = newton.iterations if newton.iterations < Newton.iterations else MOST_IN_CONTACT
        # Pins and obstacles may have moved since the origin, at which something may touch.
        newton = replace(newton, returns=False, rugged=True)
        search = replace(newton, relative=rough, iterations=most, first_share=FIRST_SHARE)
        found, report = super().minimise(search, objective, x, origin=origin, first=first)
        if newton.relative or not report.converged or self.touches_obstacle(found):
            return found, report
        exact = replace(newton, iterations=most)
        found, last = super().minimise(exact, objective, found, origin=origin)
        report.add(last)
        return found, report

    def inverted(self, x: Any) -> np.ndarray:
        """The cells that are inside out at x, numbered through all bodies."""
        found, before = [], 0
        for own, system in self.members:
            found.append(before + system.inverted(x[own]))
            before += sum(len(s.stencils) for s in system.solids)
        return np.concatenate(found)

    @property
    def survives_inversion(self) -> bool:
        """Whether all materials right cells that were turned inside out."""
        return all(system.survives_inversion for _, system in self.members)

    def require_upright(self, x: np.ndarray) -> None:
        """Refuse an equilibrium with inverted cells if the material has spurious ones."""
        for own, system in self.members:
            system.require_upright(x[own])

    def reach(self, x: Any, y: Any) -> Any:
        """How far bodies can go from x straight towards y before anything touches."""
        y = self.nearest(y)
        if self.contact is None:
            return y
        array, v = self.assembly.array, self.spaces.of(x)
        way = v.mixed(1.0, y, -1.0, x)
        share = self.contact.step_limit(array(x), array(way))
        if share > 1.0:
            return y
        if self.curved is None:
            return v.moved(x, share, way)
        while True:  # the shape is a little beside the straight way
            share *= SHORTER
            end = self.curved.moved(x, share, way)
            if self.contact.step_limit(array(x), array(end - x)) > 1.0:
                return end

    def contact_shares(
        self, x: np.ndarray, energies: Sequence[Any], project: bool
    ) -> list[ContactShare]:
        """What contact, and energies of pairs besides it, add to the Hessian of each body."""
        if self.contact is None:
            return []
        pairing = [self.contact, *(e for e in energies if e is self.friction)]
        whole = ContactHessian(pairing, self.assembly.array(x), project=project)
        spans = [own for own, _ in self.members]
        return [
            ContactShare(whole, own, alone) for own, alone in zip(spans, self._alone, strict=True)
        ]

    @cached_property
    def _alone(self) -> list[np.ndarray]:
        """Stencils of single points, for each body; made once, since slots are known by them."""
        return [np.arange(len(s.masses), dtype=np.int32)[:, None] for _, s in self.members]

    def touches_obstacle(self, *positions: Any) -> bool:
        """Whether an obstacle pushes a body, at any of these positions."""
        contact = self.contact
        if contact is None:
            return False
        return any(contact.meets_given(self.assembly.array(x)) for x in positions)

    def obstacle_work(self, x: np.ndarray, time: float, dt: float) -> np.ndarray:
        """The work [J] that moving obstacles did on each body in a step of dt to x at a time [s]."""
        contact = self.contact
        if contact is None or contact.paths is None:
            return np.zeros(len(self.members))
        places = contact.paths.at(time - dt), contact.paths.at(time)
        return obstacle_work(contact, self.friction, self.assembly.array(x), *places)

    @property
    def meets_moving(self) -> bool:
        """Whether obstacles move."""
        return self.contact is not None and self.contact.paths is not None

    def moving_near(self, x: np.ndarray) -> str:
        """Obstacles that are near bodies at x, in words; none if no obstacle moves."""
        if self.contact is None or self.contact.paths is None:
            return ""
        names = self.contact.surface.names
        found = self.contact.near_obstacles(self.assembly.array(x)).tolist()
        return ", ".join(f"obstacle {names[o]!r} is at {names[b]!r}" for b, o in found)

    def part(self, energy: Any, own: slice) -> Any:
        """An energy of one body as an energy of all; its stencils are made once."""
        return sliced(
            energy, own.start, own.stop - own.start, len(self.masses), known=self._shifted
        )

    def tie_force(self, x: np.ndarray) -> np.ndarray:
        """The gradient of the ties alone [N], (n, d)."""
        out: np.ndarray = self.assembly.gradient(x) - np.concatenate(
            [system.assembly.gradient(x[own]) for own, system in self.members]
        )
        return out

    @cached_property
    def stretching(self) -> sp.csc_matrix:
        """Directions over all unknowns, as columns: each stretches one tie along one axis."""
        rows, columns, values, count = [], [], [], 0
        for tie in self.ties:
            weights = tie.weights if isinstance(tie, TieEnergy) else np.array([[-1.0, 1.0]])
            weights = np.broadcast_to(weights, tie.stencils.shape) / self.masses[tie.stencils]
            numbers = count + np.arange(len(tie.stencils))[:, None] + 0 * tie.stencils
            for axis in range(self.dim):
                rows.append((self.dim * tie.stencils + axis).ravel())
                columns.append((self.dim * numbers + axis).ravel())
                values.append(weights.ravel())
            count += len(tie.stencils)
        if not count:
            return sp.csc_matrix((self.dim * len(self.masses), 0))
        data = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        return sp.csc_matrix(data, shape=(self.dim * len(self.masses), self.dim * count))

    def interpolations(self) -> list[Any]:
        """Interpolation from coarser and coarser lattices to the points of all bodies."""
        counts = [len(system.masses) for _, system in self.members]
        return joined_interpolations([s.interpolations() for _, s in self.members], counts)

    def _grids(self, stencils: Sequence[np.ndarray], also: Sequence[np.ndarray]) -> Grids:
        """Grids over the cells of all bodies, laid out beside each other."""
        points = laid_out(self.undeformed, [own for own, _ in self.members])
        coarsest = max(COARSEST, LAST_NODES * len(self.members))
        return Grids(points, stencils, self.free, also=also, coarsest=coarsest)

    def turned(self, y: Any) -> Any:
        """The rotation of the neighbourhood of every point at y, an array of the device."""
        return joined([system.turned(y[own]) for own, system in self.members])

    def _chosen(self, *, always_coupled: bool) -> LinearSolver:
        """On a device one hierarchy. One factor if the bodies have one each, else theirs together."""
        if self.resident:
            return super()._chosen(always_coupled=always_coupled)
        if self.confined:
            return Confined(Factored(self._factor_of_unknowns()))
        solvers = [system.linear for _, system in self.members]
        most = FACTORED_IN_CONTACT * (TOGETHER if len(solvers) > 1 else 1)
        few = self.contact is not None and self.restriction.size <= most
        if few or all(isinstance(solver, Factored) for solver in solvers):
            return Factored(self.kept_factor(self.undeformed))
        return Single(solvers[0]) if len(solvers) == 1 else Tied(solvers)

    def _factor_of_unknowns(self) -> KeptPreconditioner:
        """A preconditioner for matrices over `Unknowns`."""
        free, loose, places = self.free, self.free.copy(), []
        parts = [(own, c.ways(self.undeformed[own])) for _, own, c in self.confined]
        count = 0
        for own, ways in parts:
            loose[own], count = False, count + len(ways)
            places.append(self.undeformed[own].mean(axis=0))
        rows = Unknowns(free, self.dim, parts).rows
        middle = np.mean(places, axis=0)
        at = np.concatenate([self.undeformed[loose], np.tile(middle, (rows - int(loose.sum()), 1))])
        return KeptPreconditioner(at, lambda: np.tile(np.eye(self.dim), (rows, 1)))


def _joined(labels: Sequence[np.ndarray], ties: Sequence[Any]) -> np.ndarray:
    """The part that each point is in; ties join parts."""
    shifted, count = [], 0
    for own in labels:
        shifted.append(np.where(own < 0, -1, own + count))
        count += int(own.max()) + 1
    label = np.concatenate(shifted)
    if not ties:
        return label
    pairs = [
        np.stack([label[tie.stencils[:, :1]] + 0 * tie.stencils, label[tie.stencils]], axis=-1)
        for tie in ties
    ]
    joined = np.concatenate([p.reshape(-1, 2) for p in pairs])
    joined = joined[(joined >= 0).all(axis=1)]
    parts = connected(joined[:, 0], joined[:, 1], count)
    fast = np.isin(parts, parts[_held(ties, label)])  # these cannot move as a whole
    found = np.where(label < 0, -1, np.where(fast[label], -1, parts[label]))
    kept = np.unique(found[found >= 0])
    return np.where(found < 0, -1, np.searchsorted(kept, found))


def _held(ties: Sequence[Any], label: np.ndarray) -> np.ndarray:
    """Parts that a tie joins to points which energies hold in place."""
    tied = [label[tie.stencils] for tie in ties]
    found = np.concatenate([points[(points < 0).any(axis=1)].ravel() for points in tied])
    return np.unique(found[found >= 0])
