"""Points with masses: where they are, how fast, and since when nothing has changed them."""

from __future__ import annotations

from abc import ABC
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.errors import LARGEST, SMALLEST, shown
from pliant.given import one_each, steady
from pliant.mesh import Mesh
from pliant.problem import History, State

from .body_kind import BodyKind


class MassPoints(BodyKind, ABC):
    """The points of a body, its rest shape [m], their masses [kg], and its moving state."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, name: str):
        if not isinstance(name, str):
            raise TypeError(f"{type(self).__name__}: got name={shown(name)}; expected text")
        _check_masses(type(self).__name__, masses)
        self._mesh, self._masses, self.name = mesh, masses, name
        self._drawn: np.ndarray | None = None  # where `reset` goes back to, if not to the mesh
        self._state = self._at_rest(None)
        self._changes = 0

    def __len__(self) -> int:
        return len(self.mesh)

    @property
    def mesh(self) -> Mesh:
        """Its rest shape. Only cuts change it: make another body for another mesh."""
        return self._mesh

    @property
    def components(self) -> np.ndarray:
        """Label of the connected part each point is in, (n,); all -1 if energies hold it in place."""
        return self.mesh.components

    @property
    def thickness(self) -> float:
        """[m], of 2D bodies."""
        return 1.0

    @property
    def dim(self) -> int:
        """2 or 3."""
        return self.mesh.dim

    @property
    def positions(self) -> np.ndarray:
        """Where the points are [m], shape (n, d); set it with `place`."""
        return np.array(self._state.x)

    @property
    def velocity(self) -> np.ndarray:
        """Velocities [m/s], shape (n, d). Set with one vector or one per point."""
        return np.array(self._state.v)

    @velocity.setter
    def velocity(self, value: Any) -> None:
        if callable(value):
            raise ValueError("velocity: got a function; expected numbers: it is that of the start")
        v = steady(value, self._state.x.shape, what="velocity")
        self._state = replace(self._state, v=v)
        self.restart_clock()

    @property
    def masses(self) -> np.ndarray:
        """One lumped mass per point [kg], shape (n,); may be set."""
        return np.array(self._masses)

    @masses.setter
    def masses(self, value: Any) -> None:
        m = steady(value, (len(self),), what="masses")
        if (m <= 0.0).any():
            bad = np.flatnonzero(m <= 0.0)
            raise ValueError(f"masses: got {m[bad[0]]} at point {bad[0]}; expected masses > 0 [kg]")
        _check_masses("masses", m)
        self._masses = m
        self._changed()

    def place(self, positions: Any) -> None:
        """Set the start shape [m], shape (n, d); velocities are kept, fixed points move along."""
        x = one_each(positions, self._state.x.shape, what="place")
        self._state = replace(self._state, x=x, bristles=None)
        self.restart_clock()

    def reset(self) -> None:
        """Go back to the rest shape of the mesh, or to the pose of `rest_at`, at rest.

        What has flowed is forgotten.
        """
        self._state = self._at_rest(self._state.history)

    @property
    def state(self) -> State:
        """The moving state, for steppers."""
        return self._state

    def take_up(self, state: State) -> None:
        """Go on from a state that it was in before."""
        self._state = state

    def meet_stepper(self, stepper: type) -> None:
        """Another stepper will move it: what one remembers means nothing to another."""
        known = self._state.stepper is not None
        self._state = replace(self._state.restarted() if known else self._state, stepper=stepper)

    def forget_bristles(self) -> None:
        """Contacts are numbered anew: friction begins with straight bristles."""
        if self._state.bristles is not None:
            self._state = replace(self._state, bristles=None)

    def restart_clock(self) -> None:
        """Something has changed: rest is promised from now on."""
        self._state = self._state.restarted()
        self._changes += 1

    @property
    def changes(self) -> int:
        """How often something was changed from outside: each time the clock started anew."""
        return self._changes

    def _at_rest(self, before: History | None) -> State:
        x = (self.mesh.points if self._drawn is None else self._drawn).copy()
        return State(x, np.zeros_like(x), history=self._begin_history(before))

    def _begin_history(self, before: History | None) -> History | None:
        """The history that `reset` begins with; before: the one that it had."""
        return None

    def _changed(self) -> None:
        self.restart_clock()


def _check_masses(who: str, masses: np.ndarray) -> None:
    bad = np.flatnonzero(~((masses >= SMALLEST) & (masses <= LARGEST)))
    if len(bad):
        raise ValueError(
            f"{who}: the mass of point {bad[0]} is {masses[bad[0]]:g} kg; expected {SMALLEST:g} to "
            f"{LARGEST:g} kg: change the density, or the size of the mesh"
        )
