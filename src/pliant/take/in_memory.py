"""Takes in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.contact import FrameContacts
from pliant.mesh import MeshChange
from pliant.problem import System
from pliant.reduced import ReducedShape
from pliant.resources import require_memory

from .frames import CoordinateFrames
from .recorder import RecordedScene, SceneFrame, Snapshot, about, energies
from .take import Take
from .topology import Topology, as_one, track_fields
from .track import ENERGIES, SOLVER, Track
from .wishes import asked, wish_outcome


class InMemory:
    """Fills preallocated arrays, so that a long run does not pay for growing lists."""

    def begin(self, scene: RecordedScene, frames: int, steps: int, dt: float) -> None:
        """Make room for the frames."""
        taken = sum(map(_bytes, scene.bodies)) * frames
        taken += float(steps) * SOLVER.itemsize * len(scene.bodies)
        require_memory(
            f"run: a take of {frames} frames and {steps} steps",
            taken,
            'a shorter run, fewer frames with fps=, or a take on disk with into="take.zarr"',
        )
        self._scene, self._dt = scene, dt
        self._times = np.zeros(frames)
        self._solver = [np.zeros(steps, SOLVER) for _ in scene.bodies]
        self._bodies = [_BodyFrames(body, frames) for body in scene.bodies]
        self._shared: list[SceneFrame] = []
        self._frames = self._steps = 0

    def frame(self, time: float, snapshots: Sequence[Snapshot]) -> None:
        """Keep a frame."""
        self._times[self._frames] = time
        for kept, snapshot in zip(self._bodies, snapshots, strict=True):
            kept.add(snapshot, self._times[0])
        self._shared.append(snapshots[0].shared)
        self._frames += 1

    def step(self, records: Sequence[tuple[Any, ...]]) -> None:
        """Keep what the solver did."""
        for log, record in zip(self._solver, records, strict=True):
            log[self._steps] = record
        self._steps += 1

    def take(self) -> Take:
        """The frames so far."""
        tracks = [self._track(i, kept) for i, kept in enumerate(self._bodies)]
        motions = [np.stack(m) for m in zip(*(s.motions for s in self._shared), strict=True)]
        return Take(
            tracks,
            dt=self._dt,
            about=about(self._scene),
            contacts=self._contacts(),
            motions=motions,
        )

    def _contacts(self) -> list[FrameContacts] | None:
        """Those of every frame; what is looked at only after a cut touched nothing before it."""
        known = [s.contacts for s in self._shared if s.contacts is not None]
        if not known:
            return None
        nothing = FrameContacts.none(known[0].points.shape[1], known[0].names)
        return [nothing if s.contacts is None else s.contacts for s in self._shared]

    def _track(self, i: int, kept: _BodyFrames) -> Track:
        body = kept.body
        return Track(
            name=body.name,
            body=body,
            times=self._times[: self._frames],
            count_energies=kept.energies,
            solver=self._solver[i][: self._steps],
            asked=asked(body, touches=self._scene.lands, tied=self._scene.tied(body)) | wish_outcome(body),
            changed=kept.changed[: self._frames],
            **track_fields(kept.topologies()),
        )


class _BodyFrames:
    """The frames of one body; there is a new stretch when its mesh changes."""

    def __init__(self, body: Deformable, frames: int):
        self.body, self._room = body, frames
        self.changed = np.zeros(frames)
        self._cuts = len(body.mesh_changes)  # that have been seen
        self._stretches = [_Stretch(body, 0, frames)]

    def add(self, s: Snapshot, began: float) -> None:
        """Keep a frame of a run that began at a time [s]."""
        now, changes = self._stretches[-1], self.body.mesh_changes
        frame = now.first + now.count
        if len(changes) > self._cuts:
            now.close()
            change = as_one([change for _, change in changes[self._cuts :]])
            now = _Stretch(self.body, frame, self._room - frame, change)
            self._stretches.append(now)
            self._cuts = len(changes)
        now.add(s)
        self.changed[frame] = began if s.changed is None else s.changed

    def energies(self) -> np.ndarray:
        """One record for each frame: see `Track.energies`."""
        return np.concatenate([stretch.energies() for stretch in self._stretches])

    def topologies(self) -> list[Topology]:
        """All meshes with their frames."""
        return [stretch.topology() for stretch in self._stretches]


class _Stretch:
    """Frames of a body while its mesh stays; `change` has made it."""

    def __init__(self, body: Deformable, first: int, room: int, change: MeshChange | None = None):
        self.first, self.count = first, 0
        self._body, self._change, self._cuts = body, change, len(body.mesh_changes)
        self._mesh, self._skin, self._components = body.mesh, body.skin, body.components
        self._x: Any = _room(body, room)
        self._v: Any = _room(body, room)
        self._plastic = np.zeros((room, body.flowing_terms))
        self._external = np.zeros(room)
        self._more = np.zeros((room, 3))  # the energy of contact, and works
        self._rests: list[np.ndarray] = []
        self._systems: list[System] = []  # springs may be cut
        self._elastic: list[float] = []  # of muscles and clay
        self._energies: np.ndarray | None = None  # of a stretch that is over

    def add(self, s: Snapshot) -> None:
        """Keep a frame."""
        f, body = self.count, self._body
        self._systems.append(s.system)
        if body.time_dependent or s.system.flows:
            self._elastic.append(s.system.assembly.value(s.x))
        if body.flowing_terms:
            self._plastic[f] = s.plastic
        self._x[f], self._v[f], self._external[f] = s.x, s.v, s.external
        self._more[f] = s.contact, s.obstacle_work, s.hop_work
        if s.rest is not None:
            self._rests.append(s.rest)  # not copied: mostly the same array
        self.count += 1

    def close(self) -> None:
        """No frame will follow: keep no more memory than the frames need, and no system but the last."""
        self._energies = self.energies()
        self._x, self._v = self._x[: self.count].copy(), self._v[: self.count].copy()
        self._plastic = self._plastic[: self.count].copy()
        self._systems = self._systems[-1:]

    def energies(self) -> np.ndarray:
        """One record for each frame."""
        if self._energies is not None:
            return self._energies
        f = self.count
        known: Sequence[float | None] = self._elastic or [None] * f
        frames = zip(
            self._systems,
            self._x[:f],
            self._v[:f],
            self._external[:f],
            known,
            *self._more[:f].T,
            strict=True,
        )
        return np.array([energies(*frame) for frame in frames], dtype=ENERGIES)

    def topology(self) -> Topology:
        """The mesh with the frames so far."""
        f, system, body = self.count, self._systems[-1], self._body
        ended, known = len(body.mesh_changes) > self._cuts, self._rests
        return Topology(
            first=self.first,
            mesh=self._mesh,
            skin=self._skin if ended else body.skin,
            masses=system.masses,
            pinned=system.pinned,
            components=self._components if ended else body.components,
            positions=_expanded(self._x[:f], self._mesh.points.shape),
            velocities=_expanded(self._v[:f], self._mesh.points.shape),
            # Frame 0 is recorded before the damping has looked for its rest shape.
            rests=[known[0]] * (f - len(known)) + known if known else None,
            plastic=self._plastic[:f] if self._plastic.shape[1] else None,
            change=self._change,
        )


def _room(body: Deformable, frames: int) -> Any:
    """Of reduced bodies coordinates are kept, and expanded when they are asked for."""
    if isinstance(body.state.x, ReducedShape):
        return [None] * frames
    return np.zeros((frames, *body.mesh.points.shape))


def _bytes(body: Deformable) -> float:
    """What a frame of a body takes."""
    whole = not isinstance(body.state.x, ReducedShape)
    return 8.0 * body.flowing_terms + (16.0 * body.mesh.points.size if whole else 0.0)


def _expanded(kept: Any, shape: tuple[int, ...]) -> Any:
    """Frames as an array, or computed from coordinates when they are asked for."""
    if isinstance(kept, np.ndarray):
        return kept
    return CoordinateFrames((len(kept), *shape), lambda frame: np.asarray(kept[frame]), kept)
