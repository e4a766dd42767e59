"""The state of a body as numbers in which masses are one."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.reduced import ReducedShape, ReducedSystem, ReducedVelocity
from pliant.scene import Scene

Array = np.ndarray
#: At so many times it is asked whether loads change.
LOOKS = 200


class BodyState:
    """y and y' of a body: q and q' of a reduced one, else displacements times the roots of masses.

    rest [m], (n, d): where y is zero.
    """

    def __init__(self, body: Deformable, rest: Array):
        self.body, self.rest, system = body, rest, body.system()
        self._root = np.repeat(np.sqrt(body.masses), body.dim)
        self.reduced = isinstance(system, ReducedSystem)
        home = system.shape_at(rest) if isinstance(system, ReducedSystem) else None
        self._home = None if home is None else home.q
        self._rotation = np.eye(3) if home is None else home.frame.rotation

    @property
    def size(self) -> int:
        """How many numbers y has."""
        return len(self._root) if self._home is None else len(self._home)

    def read(self) -> tuple[Array, Array]:
        """y and y' now."""
        if self._home is not None:
            self.body.system()  # lifts what was placed
            shape, velocity = self.body.state.x, self.body.state.v
            assert isinstance(shape, ReducedShape) and isinstance(velocity, ReducedVelocity)
            return shape.q - self._home, velocity.p
        state = self.body.state
        return (
            self._root * (np.asarray(state.x) - self.rest).ravel(),
            self._root * np.asarray(state.v).ravel(),
        )

    def at(self, x: Array) -> Array:
        """y of a shape [m], (n, d)."""
        system = self.body.system()
        if isinstance(system, ReducedSystem):
            return np.asarray(system.shape_at(x).q - self._home)
        return np.asarray(self._root * (x - self.rest).ravel())

    def columns(self, turn: Array) -> Array:
        """What a point moves by for each of some directions of y, (n d, r)."""
        system = self.body.system()
        if isinstance(system, ReducedSystem):
            return self._rotated(system.basis.columns @ turn, self._rotation)
        return np.asarray(turn / self._root[:, None])

    def directions(self, columns: Array) -> Array:
        """The directions of y of which these are the columns, (size, r)."""
        system = self.body.system()
        if isinstance(system, ReducedSystem):
            heavy = self._root[:, None] ** 2 * self._rotated(columns, self._rotation.T)
            return np.asarray(system.basis.columns.T @ heavy)
        return np.asarray(self._root[:, None] * columns)

    def _rotated(self, columns: Array, rotation: Array) -> Array:
        """Displacements of points, (n d, r), each rotated as the body is by its pins."""
        d = self.body.dim
        return np.asarray(rotation[:d, :d] @ columns.reshape(-1, d, columns.shape[1])).reshape(
            columns.shape
        )

    def stiffness(self, turn: Array) -> Array:
        """That of such directions at rest [1/s^2], (r, r)."""
        system: Any = self.body.system()
        if isinstance(system, ReducedSystem):
            return np.asarray(turn.T @ (system.basis.eigenvalues[:, None] * turn))
        free = np.repeat(system.free, self.body.dim)
        u = self.columns(turn)[free]
        return np.asarray(u.T @ (system.stiffness(self.rest) @ u))


def require_recordable(body: Deformable) -> None:
    """Refuse bodies whose states are more than y and y'."""
    if body.static:
        raise ValueError(
            f"{body.name}: {type(body).__name__} is a static model, and answers at once; expected "
            "pl.Modal, pl.Subspace or a full body, or pl.Probe(body, radius=0.05) to press it"
        )
    system = body.system()
    if system.rank:
        raise ValueError(
            f"{body.name}: it can move rigidly, which is not in a table; expected a body that is held: "
            "body.fix(...)"
        )
    if body.flowing_terms:
        raise ValueError(
            f"{body.name}: its rest shape changes as it flows, which is not in a table; expected an "
            "elastic material"
        )
    if not body.pins_fixed:
        raise ValueError(f"{body.name}: its pins are driven; expected pins that stand still")


def require_unchanging(scene: Scene, seconds: float) -> None:
    """Refuse what changes by itself within so long [s]: what follows a push would depend on when."""
    body, begin = scene.bodies[0], scene.time
    moving = next((obstacle for obstacle in scene.obstacles if obstacle.moves), None)
    if moving is not None:
        raise ValueError(
            f"Responses.record: got {moving!r}, which moves; expected obstacles that stand still"
        )
    at_first = body.load_values(begin)
    for time in begin + seconds * np.linspace(0.0, 1.0, LOOKS)[1:]:
        if not all(map(np.array_equal, at_first, body.load_values(float(time)))):
            raise ValueError(
                f"{body.name}: its loads change by themselves; expected constant ones beside the pushes "
                "of the table: body.unpush(load)"
            )
    _, key = body.keyed_dampings[-1]
    if key is not None and key > begin:
        raise ValueError(
            f"{body.name}: its damping changes at {key:g} s; expected one damping: "
            "body.damping = pl.Settle(...)"
        )
