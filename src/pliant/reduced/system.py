"""A reduced body, prepared for steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.control import Settle
from pliant.energies import Energy
from pliant.errors import Advice
from pliant.problem import Damping, Known, Loads, Quadratic, State, System, rigid_motions
from pliant.solvers import Report

from .basis import Basis
from .confined import CoordinateViscosity, ReducedConfinement
from .driven import driven_columns
from .kept import columns_of
from .laws import oscillators
from .lifting import lifted, lifted_velocity
from .load import ReducedLoad
from .modes import RestStiffness
from .oscillators import Propagator, at_once
from .shape import Expanded, ReducedShape, ReducedVelocity

Array = np.ndarray

#: A way of more than this share of the body's size is no small deformation.
LARGE = 0.15


class ReducedSystem(System):
    """A body whose points move as x = X + U q, carried rigidly.

    Its energies, masses and pins are those of the full body, from which its columns U follow: `modes`
    of them, and the static answers to `loads`, forces on its points [N], (n, d), and to rigid motions of
    `groups` of pins against the first of them. The state of such a body has a `ReducedShape` for its
    positions.
    """

    #: A way of more than this share of its size is too far for it.
    large = LARGE
    #: Whether its masses act by themselves, or it is a static model.
    inert = True

    def __init__(
        self,
        energies: Sequence[Energy],
        *,
        modes: int,
        loads: Sequence[Array],
        groups: Sequence[Array] = (),
        **given: Any,
    ):
        self._groups = groups
        super().__init__(energies, **given)
        self._require_held_or_free()
        available = self.restriction.size - self.rank
        if modes > available:
            raise ValueError(
                Advice(
                    f"got modes={modes}; it has {available} ways to deform: ",
                    f"expected modes={available} or fewer",
                    f"expected modes = {available} or fewer in reduce",
                )
            )
        self._begin(self._basis(modes, loads))

    def _begin(self, basis: Basis) -> None:
        self.basis = basis
        self._confinement = ReducedConfinement(basis, self.pinned)
        self.infinite_when_inverted = False
        self._load: ReducedLoad | None = None
        self._propagator: tuple[Damping, float, Propagator] | None = None

    @property
    def confinement(self) -> ReducedConfinement:  # type: ignore[override]
        """The shapes that it can have among other bodies."""
        return self._confinement

    @property
    def point_energies(self) -> Sequence[Energy]:
        """Its energies as those of points among others: one, of its coordinates."""
        return (self._confinement.energy,)

    def spread(self, state: State) -> State:
        """The state with arrays of points."""
        return replace(state, x=np.asarray(state.x), v=np.asarray(state.v), rest=None)

    def gathered(self, state: State) -> State:
        """The state as coordinates."""
        return self.taken_up(state)

    def stored(self, x: Array) -> float:
        """What is stored in its coordinates at positions x, (n, d) [J]."""
        energy = self._confinement.energy
        return energy.value_of(self._confinement.coordinates(np.asarray(x)))

    def loaded(self, x: Any) -> Array:
        """The shape on which loads act that follow it: that at rest, carried along."""
        shape = self.shape_at(x)
        return replace(shape, q=0.0 * shape.q).expand()

    def viscosity(
        self, x: Any, anchor: Any, weight: float
    ) -> tuple[Sequence[Energy], Sequence[Quadratic]]:
        """weight/2 u.K(x)u of the way u of its coordinates from the anchor."""
        own = self._confinement
        K = own.energy.whole_hessian_of(own.coordinates(np.asarray(x)))
        before = own.coordinates(np.asarray(anchor))
        return (CoordinateViscosity(own, len(self.masses), K, before, weight),), ()

    def taken_up(self, state: State) -> State:
        """The state with its positions and velocities as coordinates of this basis."""
        shape, velocity = state.x, state.v
        if not (isinstance(shape, ReducedShape) and shape.basis is self.basis):
            shape = lifted(self.basis, self.pinned, np.asarray(shape))
            velocity = np.asarray(velocity)
        if not (isinstance(velocity, ReducedVelocity) and velocity.at is shape):
            velocity = lifted_velocity(shape, np.asarray(velocity), self.pinned)
            shape = velocity.at
        if state.x is shape:
            return state if state.v is velocity else replace(state, v=velocity)
        return replace(state, x=shape, v=velocity, rest=None)

    def load(self, loads: Loads) -> ReducedLoad:
        """What acts on the body, as its coordinates feel it; made anew when it has changed."""
        body, time, x = loads.body, loads.time, self.undeformed
        fixed = body.constant_load(time, loads.gravity)
        following = [np.asarray(force) for force in body.following_loads(x, time)]
        carried = sum(following[1:], following[0]) if following else None
        if self._load is None or not self._load.is_of(fixed, carried):
            self._load = ReducedLoad(self.basis, fixed, carried)
        return self._load

    def propagator(self, damping: Damping, decay: float, dt: float) -> Propagator:
        """The motion of all coordinates over a step; of a static model without `Settle` none."""
        if not (self.inert or isinstance(damping, Settle)):
            return at_once(self.basis.eigenvalues, dt)
        known = self._propagator
        if known is None or known[:2] != (damping, decay) or known[2].dt != dt:
            made = oscillators(damping, self.basis.eigenvalues, decay).over(dt)
            self._propagator = known = (damping, decay, made)
        return known[2]

    def shape_at(self, x: Any) -> ReducedShape:
        """The shape that is nearest to positions [m], (n, d)."""
        if isinstance(x, ReducedShape) and x.basis is self.basis:
            return x
        return lifted(self.basis, self.pinned, np.asarray(x))

    # --- what other bodies find by a search ------------------------------------------------

    def value(self, x: Any) -> float:
        """The energy [J]: of coordinates, or of any positions by the energies of the full body."""
        return x.energy if isinstance(x, ReducedShape) else super().value(x)

    def to_host(self, x: Any) -> Array:
        """Positions as a numpy array, (n, d)."""
        return np.asarray(x) if isinstance(x, Expanded) else super().to_host(x)

    def equilibrium(self, x: Any, loads: Any, *, locked: bool = True) -> tuple[Any, Report]:
        """The static answer of the coordinates, beside x."""
        shape = self.shape_at(x)
        q = self._static_load(shape, loads) / self.basis.eigenvalues
        q[self.basis.own :] = shape.q[self.basis.own :]
        return ReducedShape(self.basis, q, shape.frame).expand(), Report(0, 0, 0.0, "converged")

    def _static_load(self, shape: ReducedShape, loads: Any) -> Array:
        """What coordinates feel of loads that are a function of positions [N], (r,)."""
        frame, there = shape.frame, np.asarray(loads(self.loaded(shape)))
        return ReducedLoad(self.basis, there, None).on(frame.rotation, turned=frame.turned)

    def modes(self, x: Any, count: int) -> tuple[Array, Array]:
        """The lowest eigenvalues [1/s^2] and modes (count, n, d), turned as the body is at x."""
        if count > self.basis.modes:
            raise ValueError(f"got count={count} modes; the body has {self.basis.modes}")
        frame, (n, d) = self.shape_at(x).frame, self.undeformed.shape
        modes = self.basis.columns[:, :count].T.reshape(count, n, d)
        return self.basis.eigenvalues[:count], modes @ frame.rotation[:d, :d].T

    def require_stable(self, x: Any, *, locked: bool = True) -> None:
        """All that a reduced body can be is stable: its eigenvalues are above zero."""

    def inverted(self, x: Any) -> Array:
        """No cells: coordinates do not know of cells."""
        return np.zeros(0, dtype=int)

    def known(self, *, motion: float = math.inf) -> Known:
        """Solvers are not asked, and keep nothing."""
        return super().known() if self._current is None else self._current

    def recall(self, known: Known | None) -> None:
        """Nothing was kept."""

    # --- its columns -----------------------------------------------------------------------

    def _require_held_or_free(self) -> None:
        """Refuse what hangs on a hinge, and several parts of which one is free."""
        whole = len(self.parts) == 1 and not self.pinned.any()
        if self.rank and not whole:
            raise ValueError(
                Advice(
                    "it can move rigidly in some ways and not in others: it hangs by a point or a line, "
                    "or some of its parts are free; expected one part that is free, or a body that is "
                    "held. ",
                    "Hold more points with body.fix(...), or use the full body",
                    "Hold more points with fix, or leave reduce out",
                )
            )

    def rest_stiffness(self) -> RestStiffness:
        """Stiffness and masses at rest, over the free points."""
        x, free = self.undeformed, self.free
        masses = np.repeat(self.masses[free], self.dim)
        rigid = np.zeros((len(masses), 0))
        if self.rank:
            root = np.sqrt(masses)[:, None]
            rigid = np.linalg.qr(root * rigid_motions(x))[0] / root
        return RestStiffness(self.stiffness(x), masses, x[free], rigid)

    def _basis(self, count: int, loads: Sequence[Array]) -> Basis:
        x, free = self.undeformed, self.free
        of = self.rest_stiffness()
        values, found = columns_of(of, count, [load[free].ravel() for load in loads])
        columns = np.zeros((x.size, len(values)))
        columns[np.repeat(free, self.dim)] = found
        if len(self._groups) < 2:
            return Basis(x, columns, values, self.masses, count, bool(self.rank))
        whole = self.assembly.pattern.matrix(self.assembly.blocks(x, project=False))
        more, driven = driven_columns(whole, self.masses, free, of.solver(), x, self._groups)
        return Basis(
            x,
            np.concatenate([columns, driven], axis=1),
            np.append(values, more),
            self.masses,
            count,
            False,
            driven=len(more),
            pins=np.concatenate(self._groups[1:]),
        )
