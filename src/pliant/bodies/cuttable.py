"""Bodies that can be cut."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.boundary import blade_of
from pliant.control import Damping
from pliant.errors import is_finite, shown, warn_user
from pliant.mesh import CutSurface, Mesh, MeshChange, MeshError, cut_mesh
from pliant.problem import Flow, State

from .carried_motion import Motion, carried_velocities
from .deformable import Deformable

#: What a blade takes away, over the size of the body, and over short edges of the mesh at most.
WIDTH, SHORT = 1e-3, 0.05


class Cuttable(Deformable):
    """A body whose mesh can be cut: its cells are split, and what is on both sides parts."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, damping: Damping | None, name: str):
        self._changes_made: tuple[tuple[float, MeshChange], ...] = ()
        self._planned: tuple[tuple[float, Any, float | None], ...] = ()
        super().__init__(mesh, masses, damping=damping, name=name)

    @property
    def mesh_changes(self) -> tuple[tuple[float, MeshChange], ...]:
        """What cuts made of its mesh so far: times of the scene [s], and changes."""
        return self._changes_made

    def cut(self, by: Any, *, at: float | None = None, width: float | None = None) -> None:
        """Cut it along a surface, now or at a time of the scene [s].

        by: the plane of a `pl.HalfSpace`, a `pl.Sphere` or a `pl.Capsule`, where the body is when it is
        cut; one that has a path is where that is at the time. Cells are split, none is lost. What was
        joined by the cut cells only comes apart; all other momentum, pins, loads, matter and what has
        flowed stay. width [m]: what the blade takes away, by default 1e-3 of the size of the body. The
        faces of a cut touch each other from there on; with 0 they pass through each other.

            body.cut(pl.HalfSpace((0, 0.5, 0), (0, 1, 0)), at=0.5)
        """
        blade_of(by, self.dim, 0.0)
        if at is not None and not is_finite(at):
            raise ValueError(f"cut: got at={shown(at)}; expected a time of the scene [s], or None")
        if width is not None and not (is_finite(width) and width >= 0.0):
            raise ValueError(f"cut: got width={shown(width)}; expected 0 or more [m], or None")
        self._check_cut()
        if at is not None:
            self._planned = (*self._planned, (float(at), by, width))
            return
        self._cut(blade_of(by, self.dim, 0.0), 0.0, width)

    def apply_events(self, time: float) -> None:
        """Cut what was to be cut by now."""
        if not self._planned:
            return
        soon = _soon(time)
        due = [cut for cut in self._planned if cut[0] <= soon]
        self._planned = self._left_at(time)
        for at, by, width in due:
            try:
                self._cut(blade_of(by, self.dim, at), time, width)
            except MeshError as error:
                warn_user(f"{self.name} at {time:.3g} s: {error}")

    def take_up_changes(self, changes: Sequence[tuple[float, MeshChange]], time: float) -> None:
        """Change the mesh as it was changed until a time [s]; the state is taken up by itself."""
        self._planned = self._left_at(time)
        for at, change in changes:
            if change.points.shape[1] != len(self):
                raise ValueError("changes of another mesh")
            self._change_mesh(change, at)

    def _left_at(self, time: float) -> tuple[tuple[float, Any, float | None], ...]:
        """The cuts that are not due at a time [s]."""
        return tuple(cut for cut in self._planned if cut[0] > _soon(time))

    def _check_cut(self) -> None:
        """Refuse what cannot be cut."""
        if self._wears:
            raise ValueError(
                f"{self.name}: cut: it wears a surface, which cannot be cut; expected body.wear(None)"
            )

    def _cut(self, surface: CutSurface, time: float, width: float | None) -> None:
        if width is None:
            ends = self.mesh.points[self.mesh.edges]
            short = np.quantile(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), 0.1)
            width = min(WIDTH * self.mesh.size, SHORT * float(short))
        if self.prepared is not None:
            self.to_host(self.prepared)
        self._check_cut()
        kept = self.kept()
        try:
            self._change_mesh(cut_mesh(self.mesh, surface, at=self._state.x, width=width), time)
        except BaseException:
            for body, name, value in kept:
                setattr(body, name, value)
            raise

    def _change_mesh(self, change: MeshChange, time: float) -> None:
        """Go on as a body of another mesh, which was made of its own.

        Nothing that it holds is changed in place, so that a step that fails can be undone.
        """
        before, state, parts = self._mesh, self._state, self._free_parts()
        old = self._masses
        grown = old / self._mesh_masses()
        flow = None if state.history is None else state.history.flow
        self._mesh = change.mesh
        self._take_mesh(change)
        m = self._mesh_masses() * change.carried(grown)
        labels = before.components
        own = labels[change.points.indices[change.points.indptr[:-1]]]
        m *= (np.bincount(labels, old) / np.bincount(own, m))[own]  # of all pieces of a part
        x = change.carried(state.x)
        v = carried_velocities(change, Motion(state.x, state.v, old), x, m, parts)
        self._masses = m
        self._pins = self._pins.after(change)
        self._loads = self._loads.after(change, old, m)
        history = state.history
        if flow is not None and history is not None:
            history = history.with_flow(self._cut_flow(flow, before, change))
        self._state = State(
            x,
            v,
            history=history,
            obstacle_work=state.obstacle_work,
            hop_work=state.hop_work,
            stepper=state.stepper,
        )
        self._system = self._skin = None
        self._changes_made = (*self._changes_made, (time, change))
        self._changed()

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


def _soon(time: float) -> float:
    """Times of steps are sums: what is due at a time may be a little later than they say."""
    return time + 1e-9 * max(1.0, abs(time))
