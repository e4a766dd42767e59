"""Collects the frames of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import warp as wp

from pliant import __version__
from pliant.backend import computing
from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.contact import FrameContacts
from pliant.control import LandingState
from pliant.problem import Loads, System
from pliant.reduced import ReducedShape, ReducedSystem, ReducedVelocity
from pliant.solvers import Report

from .changes import Changes
from .take import Take

#: Two moments so near [s] are one.
SAME_MOMENT = 1e-6


class RecordedScene(Protocol):
    """A scene as a recorder needs it."""

    bodies: list[Deformable]
    obstacles: tuple[Obstacle, ...]
    ties: tuple[Any, ...]
    settings: dict[str, Any]
    time: float

    @property
    def contact(self) -> Contact | bool | None:
        """How bodies touch."""

    @property
    def lands(self) -> bool:
        """Whether a body in flight may touch something."""

    def tied(self, body: Deformable) -> bool:
        """Whether ties hold a body that could move rigidly without them."""

    @property
    def gravity(self) -> np.ndarray:
        """[m/s^2], (d,)."""

    def touching(self, positions: Sequence[Any]) -> tuple[FrameContacts | None, np.ndarray]:
        """What touches now at positions of all bodies, and the barrier's energy of each [J]."""


@dataclass(frozen=True)
class SceneFrame:
    """What all bodies of one frame share: contacts, and where obstacles that move are.

    motions: of each obstacle that moves points (n, d) [m], or its rigid motion [R | shift], (d, d + 1).
    """

    contacts: FrameContacts | None = None
    motions: tuple[np.ndarray, ...] = ()


@dataclass
class Snapshot:
    """One body in one frame. Valid until the scene moves on."""

    scene: RecordedScene
    body: Deformable
    system: System
    x: np.ndarray | ReducedShape  # [m], (n, d)
    v: np.ndarray | ReducedVelocity  # [m/s], (n, d)
    rest: np.ndarray | None  # what the damping aims for [m], (n, d)
    changed: float | None  # when something changed last [s]; None: not since recording began
    contact: float  # the energy of the barrier [J]
    shared: SceneFrame

    @property
    def external(self) -> float:
        """The potential of the loads [J], which is computed when a store asks for it."""
        if isinstance(self.x, ReducedShape) and isinstance(self.system, ReducedSystem):
            loads = Loads.of(self.body, self.x, self.scene.time, self.scene.gravity)
            return self.system.load(loads).potential(self.x)
        x = np.asarray(self.x)
        load = self.body.loads_at(x, self.scene.time, self.scene.gravity)
        return -float(np.vdot(load, x - self.body.mesh.points))

    @property
    def plastic(self) -> np.ndarray:
        """The equivalent plastic strain of cells that can flow, (cells,)."""
        return self.body.plastic

    @property
    def obstacle_work(self) -> float:
        """What moving obstacles have done on it so far [J]."""
        return self.body.state.obstacle_work

    @property
    def hop_work(self) -> float:
        """What its hops have done on it so far [J]."""
        return self.body.state.hop_work


@runtime_checkable
class Store(Protocol):
    """Where frames go: into memory, or into a folder."""

    def begin(self, scene: Any, frames: int, steps: int, dt: float) -> None:
        """Prepare for this many frames of a scene."""

    def frame(self, time: float, snapshots: Sequence[Snapshot]) -> None:
        """Keep a frame."""

    def step(self, records: Sequence[tuple[Any, ...]]) -> None:
        """Keep what the solver did for each body."""

    def take(self) -> Take:
        """All that was kept."""


class Recorder:
    """Looks at the bodies of a scene and hands what it sees to a store."""

    def __init__(
        self,
        scene: RecordedScene,
        systems: Sequence[System],
        store: Store,
        *,
        positions: Sequence[np.ndarray] | None = None,
    ):
        self._scene, self._systems, self._store = scene, systems, store
        self._changes = [Changes(body, scene.time, scene.gravity) for body in scene.bodies]
        self._rests: list[np.ndarray | None] = [None] * len(scene.bodies)
        self._touched: list[float | None] = [None] * len(scene.bodies)  # first [s]
        self._cuts = [len(body.mesh_changes) for body in scene.bodies]  # that rests have followed
        self.frame(positions)

    @computing
    def frame(self, positions: Sequence[np.ndarray] | None = None) -> None:
        """Record the present."""
        scene, found = self._scene, []
        for i, (body, system) in enumerate(zip(scene.bodies, self._systems, strict=True)):
            body.prepare(scene.time)  # an explicit step leaves it at an earlier time
            x, v = _seen(body, system, None if positions is None else positions[i])
            rest, touched = self._aim(i, body)
            last = self._touched[i]
            if touched is not None and last is not None and abs(touched - last) < SAME_MOMENT:
                touched = last  # clocks are sums of steps: rounding is no change
            self._touched[i] = touched
            self._rests[i] = rest
            known = [t for t in (self._changes[i].last, touched) if t is not None]
            changed = max(known) if known else None
            found.append((scene, body, system, x, v, rest, changed))
        contacts, energies = scene.touching([x for _, _, _, x, *_ in found])
        shared = SceneFrame(contacts, motions_at(scene.obstacles, scene.time))
        pairs = zip(found, energies.tolist(), strict=True)
        self._store.frame(scene.time, [Snapshot(*own, energy, shared) for own, energy in pairs])

    def _aim(self, i: int, body: Deformable) -> tuple[np.ndarray | None, float | None]:
        """Where a body will rest, and when it touched first [s]: of parts that it was cut into all.

        What is not known now is as it was, at the points that the body has now.
        """
        before = self._rests[i]
        for _, change in body.mesh_changes[self._cuts[i] :]:
            before = None if before is None else change.carried(before)
        self._cuts[i] = len(body.mesh_changes)
        each = [_aims(part, self._scene.time) for part in body.parts]
        touched = max((time for _, time in each if time is not None), default=None)
        if len(each) == 1 or all(rest is None for rest, _ in each):
            rest = each[0][0]
            return before if rest is None else rest, touched
        whole = np.array(body.state.x if before is None else before)
        for points, (rest, _) in zip(body.points_of_parts(), each, strict=True):
            if rest is not None:
                whole[points] = rest
        same = before is not None and np.array_equal(whole, before)
        return before if same else whole, touched

    def step(self, systems: Sequence[System], reports: Sequence[Report]) -> None:
        """Record what the solver did for each body; systems: as they are after events."""
        self._systems, time = systems, self._scene.time
        for changes in self._changes:
            changes.look(time, self._scene.gravity)
        self._store.step(
            [(time, r.iterations, r.linear_iterations, r.residual, r.reason) for r in reports]
        )


def _seen(body: Deformable, system: System, at: np.ndarray | None) -> tuple[Any, Any]:
    """Positions and velocities: now, or standing `at` others; a reduced body's as it has them."""
    if at is not None:
        x = system.shape_at(at) if isinstance(system, ReducedSystem) else at
        return x, np.zeros_like(at)
    if isinstance(body.state.x, ReducedShape):
        return body.state.x, body.state.v
    return system.to_host(body.state.x), system.to_host(body.state.v)


def _aims(body: Deformable, time: float) -> tuple[np.ndarray | None, float | None]:
    """Where a body will rest, if its damping knows it, and when one that flew has touched first [s]."""
    state, control = body.state, body.state.control
    rest = None if state.rest is None else state.rest.x
    if not isinstance(control, LandingState):
        return rest, None
    touched = control.touched is not None and not body.pinned.any()
    if control.rest is not None or touched:
        rest = control.rest
    return rest, time - (control.clock or 0.0) if touched else None


def about(scene: RecordedScene) -> dict[str, Any]:
    """Versions, settings and the scene of a take, as JSON can hold them."""
    return {
        "pliant": __version__,
        "numpy": np.__version__,
        "warp": wp.config.version,
        "run": scene.settings,
        "gravity": scene.gravity.tolist(),
        "obstacles": [obstacle.facts() for obstacle in scene.obstacles],
        **({"contact": scene.contact.facts()} if isinstance(scene.contact, Contact) else {}),
        **({"ties": [tie.facts() for tie in scene.ties]} if scene.ties else {}),
        "bodies": [
            {"name": body.name, "damping": repr(body.damping)} | body.facts()
            for body in scene.bodies
        ],
    }


def motions_at(obstacles: Sequence[Obstacle], time: float) -> tuple[np.ndarray, ...]:
    """Where obstacles that move are at a time [s]: see `SceneFrame`."""
    found = []
    for obstacle in obstacles:
        if obstacle.motion is None:
            continue
        if obstacle.motion.points is not None:
            found.append(obstacle.contact_points(time))
        else:
            pose = obstacle.pose(time)
            found.append(np.column_stack([pose.turn, pose.shift]))
    return tuple(found)


def energies(
    system: System,
    x: np.ndarray | ReducedShape,
    v: np.ndarray | ReducedVelocity,
    external: float,
    elastic: float | None = None,
    contact: float = 0.0,
    obstacle_work: float = 0.0,
    hop_work: float = 0.0,
) -> tuple[float, ...]:
    """Kinetic, elastic, external and total energy [J], that of contact, and works."""
    speeds = np.asarray(v)
    kinetic = 0.5 * float(np.einsum("p,pd,pd->", system.masses, speeds, speeds))
    elastic = float(system.value(x)) if elastic is None else elastic
    total = kinetic + elastic + external + contact
    return kinetic, elastic, external, total, contact, obstacle_work, hop_work
