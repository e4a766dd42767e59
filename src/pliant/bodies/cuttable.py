"""Bodies that can be cut."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.boundary import blade_of
from pliant.control import Damping
from pliant.errors import is_finite, shown, warn_user
from pliant.given import is_due
from pliant.mesh import CutSurface, Mesh, MeshChange, MeshError, cut_mesh, require_simplices
from pliant.problem import Flow, State

from .carried_motion import MovingPoints, carried_motion
from .cut_parts import CutParts, groups_of_points, selection, together
from .deformable import Deformable

#: What a blade takes away, over the size of the body, and over short edges of the mesh at most.
WIDTH, SHORT = 1e-3, 0.05


class Cuttable(Deformable):
    """A body whose mesh can be cut: its cells are split, and what is on both sides parts."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, damping: Damping | None, name: str):
        self._changes_made: tuple[tuple[float, MeshChange], ...] = ()
        self._planned: tuple[tuple[float, Any, float | None], ...] = ()
        self._parts: CutParts | None = None
        self._whole: Deformable | None = None
        super().__init__(mesh, masses, damping=damping, name=name)

    @property
    def mesh_changes(self) -> tuple[tuple[float, MeshChange], ...]:
        """What cuts made of its mesh so far: times of the scene [s], and changes."""
        return self._changes_made

    @property
    def parts(self) -> Sequence[Deformable]:
        """The parts that it was cut into, which a scene moves each by itself; itself if it was not.

        They are made anew after something was changed from outside.
        """
        if not self._changes_made or self.mesh.components.max() == 0:
            return (self,)
        known = self._parts
        if known is None or known.state is not self._state or known.changes != self.changes:
            known = self._parts = self._made_parts(None)
        return known.bodies or (self,)

    def points_of_parts(self) -> list[np.ndarray]:
        """The points of each of its parts, by their numbers."""
        if len(self.parts) == 1 or self._parts is None:
            return super().points_of_parts()
        return [self._parts.points(k) for k in range(len(self._parts.bodies))]

    @property
    def whole(self) -> Deformable:
        """What it was cut from; itself if it is no part of another body."""
        return self if self._whole is None else self._whole

    def brought_together(self, states: Sequence[State]) -> list[tuple[Any, str, Any]]:
        """What is to be set of it when its parts have come to some states."""
        known = self._parts
        if len(self.parts) == 1 or known is None:
            return []
        pairs = zip(known.bodies, states, strict=True)
        states = [s if p.prepared is None else s.to_host(p.prepared) for p, s in pairs]
        x, v = together(states, known)
        flows = [s.history.flow for s in states if s.history is not None and s.history.flow]
        history = None
        if flows:
            history = self._joined_flow(flows, [change.cells for change in known.changed])
        state = State(
            x,
            v,
            history=history,
            obstacle_work=sum(s.obstacle_work for s in states),
            hop_work=sum(s.hop_work for s in states),
            stepper=states[0].stepper,
        )
        return [(self, "_state", state), (self, "_parts", replace(known, state=state))]

    def cut(self, by: Any, *, at: float | None = None, width: float | None = None) -> None:
        """Cut it along a surface, now or at a time of the scene [s].

        by: the plane of a `pl.HalfSpace`, a `pl.Sphere`, a `pl.Capsule` or a `pl.Surface`, of 2D bodies
        also points of a line (k, 2), in space, where the body is then. One with a path is where that is
        at the time. A surface or a line may end inside of the body, which is then slit up to there.
        Cells are split, none is lost: momenta, pins, loads, matter and what has flowed stay. Where the
        surface comes near a point the cut goes through the point, and rods are cut at nodes.
        width [m]: what the blade takes away, by default 1e-3 of the size of the body, and less where
        cells are small. Faces of a cut touch each other from there on; with 0 they pass through.

        Parts that come apart move, touch and rest each by itself, and are in `parts`.

            body.cut(pl.HalfSpace((0, 0.5, 0), (0, 1, 0)), at=0.5)
        """
        blade_of(by, self.dim, 0.0)
        if at is not None and not (is_finite(at) and at >= 0.0):
            raise ValueError(
                f"cut: got at={shown(at)}; expected a time of the scene, 0 or more [s], or None"
            )
        if width is not None and not (is_finite(width) and width >= 0.0):
            raise ValueError(f"cut: got width={shown(width)}; expected 0 or more [m], or None")
        self._check_cut()
        if at is not None:
            self._planned = (*self._planned, (float(at), by, width))
            return
        self._cut(blade_of(by, self.dim, 0.0), 0.0, width)

    def planned(self, begin: float, end: float) -> bool:
        """Whether a change waits for a time between two [s]."""
        cuts = any(begin <= at < end for at, _, _ in self._planned)
        return cuts or super().planned(begin, end)

    def apply_events(self, time: float) -> None:
        """Cut what was to be cut by now."""
        super().apply_events(time)
        if not self._planned:
            return
        due = [cut for cut in self._planned if is_due(cut[0], time)]
        self._planned = self._left_at(time)
        for at, by, width in due:
            try:
                self._cut(blade_of(by, self.dim, at), time, width)
            except MeshError as error:
                warn_user(f"{self.name} at {time:.3g} s: {error}")

    def take_up_changes(
        self,
        changes: Sequence[tuple[float, MeshChange]],
        time: float,
        masses: np.ndarray | None = None,
    ) -> None:
        """Change the mesh as it was changed until a time [s]; the state is taken up by itself.

        masses: those of then [kg]: they depend on how the body moved when it was cut.
        """
        self._planned = self._left_at(time)
        for at, change in changes:
            if change.points.shape[1] != len(self):
                raise ValueError("changes of another mesh")
            self._change_mesh(change, at)
        if masses is not None:
            if masses.shape != self._masses.shape:
                raise ValueError("masses of another mesh")
            self._masses, self._parts = masses, None

    def _left_at(self, time: float) -> tuple[tuple[float, Any, float | None], ...]:
        """The cuts that are not due at a time [s]."""
        return tuple(cut for cut in self._planned if not is_due(cut[0], time))

    def _check_cut(self) -> None:
        """Refuse what cannot be cut."""
        require_simplices(self.mesh)
        if self._natural is not None:
            raise ValueError(
                f"{self.name}: cut: got a body whose rest shape was found by rest_at, which its pieces "
                "do not know; expected it as its mesh is"
            )

    def _refuse_flow(self, yield_strain: float | None) -> None:
        """Refuse what stays bent: what has flowed in its bends is not known of pieces of them."""
        if yield_strain is not None:
            raise ValueError(
                f"{self.name}: cut: got yield_strain={yield_strain:g}; expected a "
                f"{type(self).__name__} without one, which does not flow"
            )

    def _made_change(
        self, surface: CutSurface, width: float, spared: np.ndarray | None = None
    ) -> MeshChange:
        """What a surface makes of its mesh where it is now; spared: points whose parts it passes by."""
        return cut_mesh(self.mesh, surface, at=self._state.x, width=width, spared=spared)

    def _cut(self, surface: CutSurface, time: float, width: float | None) -> None:
        if width is None:
            ends = self.mesh.points[self.mesh.edges]
            short = np.quantile(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), 0.1)
            width = min(WIDTH * self.mesh.size, SHORT * float(short))
        if self.prepared is not None:
            self.to_host(self.prepared)
        kept, labels = self.kept(), self.components

        def undo() -> None:
            for body, name, value in kept:
                setattr(body, name, value)

        spared = np.zeros(len(self), dtype=bool)
        try:
            # Parts that cannot be cut without gaining energy stay whole; the body itself is cut.
            while gained := self._change_mesh(
                self._made_change(surface, width, spared if spared.any() else None), time
            ):
                if labels.max() == 0:
                    break
                undo()
                spared |= np.isin(labels, gained)
        except BaseException:
            undo()
            raise

    def _change_mesh(self, change: MeshChange, time: float) -> list[int]:
        """Go on as a body of another mesh, which was made of its own.

        Returns the parts, by their labels, that have gained energy: of so few cells that no masses keep
        their moments of inertia.
        Nothing that it holds is changed in place, so that a step that fails can be undone.
        """
        before, state, free = self._mesh, self._state, self._free_parts()
        old = self._masses
        grown = old / self._mesh_masses()
        flow = None if state.history is None else state.history.flow
        self._mesh = change.mesh
        self._take_mesh(change)
        m = _masses_of_pieces(
            change, before.components, self._mesh_masses() * change.carried(grown), old
        )
        moved, gained = carried_motion(change, MovingPoints(state.x, state.v, old), m, free)
        self._masses = m = moved.m
        self._pins = self._pins.after(change)
        self._loads = self._loads.after(change, old, m)
        self._damping = self._damping.after(change.carried)
        self._damped_later = tuple(
            (at, key if key is None else key.after(change.carried))
            for at, key in self._damped_later
        )
        history = state.history
        if flow is not None and history is not None:
            history = history.with_flow(self._cut_flow(flow, before, change))
        self._state = State(
            moved.x,
            moved.v,
            history=history,
            obstacle_work=state.obstacle_work,
            hop_work=state.hop_work,
            stepper=state.stepper,
        )
        if self._wears:
            warn_user(f"{self.name} was cut: it shows its cells, and no longer what it wore")
        self._system = self._skin = None
        self._wears = False
        self._changes_made = (*self._changes_made, (time, change))
        parts, self._parts = self._parts, None
        self._changed()
        if parts is not None and self.mesh.components.max() > 0:
            self._parts = self._made_parts(parts)
        return gained

    def _made_parts(self, before: CutParts | None) -> CutParts:
        """Its parts; before: those that it had before a cut, which are kept if that went past them."""
        groups = groups_of_points(self.components, self.pinned)
        if len(groups) == 1:
            return CutParts(self._state, self.changes, (), ())
        known = {}
        for k, body in enumerate(() if before is None else before.bodies):
            assert before is not None
            known[before.points(k).tobytes()] = body, before.changed[k]
        bodies, changed = [], []
        for points in groups:
            if points.tobytes() in known:
                body, old = known[points.tobytes()]
                change = selection(self.mesh, points)
                if len(change.cells) == len(old.cells):
                    bodies.append(body)
                    changed.append(change)
                    continue
            change = selection(self.mesh, points)
            bodies.append(self._part(change))
            changed.append(change)
        return CutParts(self._state, self.changes, tuple(bodies), tuple(changed))

    def _part(self, change: MeshChange) -> Cuttable:
        """A part of it as a body by itself."""
        part, state, points = copy(self), self._state, change.points.indices
        part._mesh, part._masses = change.mesh, self._masses[points]
        part._take_mesh(change)
        part._pins = self._pins.after(change)
        part._loads = self._loads.after(change, self._masses, part._masses)
        part._damping = self._damping.after(change.carried)
        part._touches = self._touches.copy()
        history = state.history
        if history is not None and history.flow is not None:
            history = history.with_flow(part._cut_flow(history.flow, self._mesh, change))
        part._state = State(
            state.x[points], state.v[points], history=history, stepper=state.stepper
        )
        part._system = part._skin = part._parts = None
        part._changes_made = part._planned = part._damped_later = ()
        part._whole = self
        return part

    def _free_parts(self) -> np.ndarray:
        """The part that each point is in, -1 in those that pins hold."""
        labels = np.array(self.components)
        held = np.unique(labels[self.pinned])
        labels[np.isin(labels, held)] = -1
        return labels

    @abstractmethod
    def _mesh_masses(self) -> np.ndarray:
        """The masses of points [kg], (n,), as its matter and mesh make them."""

    @abstractmethod
    def _take_mesh(self, change: MeshChange) -> None:
        """Follow a change of the mesh with all that was made of it."""

    def _cut_flow(self, flow: Flow, before: Mesh, change: MeshChange) -> Flow:
        """What had flowed, in the pieces of cells; before: the mesh of before."""
        raise NotImplementedError(f"{type(self).__name__} has no flow that can be cut")

    def _joined_flow(self, flows: Sequence[Flow], cells: Sequence[np.ndarray]) -> Flow:
        """What has flowed in all of it, from that in its parts; cells: the numbers of theirs."""
        raise NotImplementedError(f"{type(self).__name__} has no flow that can be cut")


def _masses_of_pieces(
    change: MeshChange, parts: np.ndarray, masses: np.ndarray, old: np.ndarray
) -> np.ndarray:
    """Masses of which all pieces of a part have what it had; parts: of the old points.

    What was not cut has its masses to the last bit.
    """
    first = change.points.indices[change.points.indptr[:-1]]
    own = parts[first]
    masses = masses * (np.bincount(parts, old) / np.bincount(own, masses))[own]
    whole = (np.bincount(parts) == np.bincount(own))[own]
    return np.where(whole, old[first], masses)
