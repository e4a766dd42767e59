"""A table of responses: recorded, kept in a file, played."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.errors import is_finite, is_whole, shown
from pliant.given import MOST_STEPS, check_dt, path_of
from pliant.mesh import Mesh
from pliant.resources import require_memory
from pliant.scene import Scene
from pliant.take import Show

from .body_state import require_recordable, require_unchanging
from .entries import Entries
from .excite import Excite
from .parts import PartedRecording, check_parts, engine_of
from .player import Player, points_of
from .random_run import Found, ResponseRecording, frames_of
from .report import ResponsesReport, report_of

Array = np.ndarray
#: Rank is not known before; memory is asked for as if it were this.
SUPPOSED = 20


@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """What pushes do to a body, computed once and played back without a step.

        tip = mesh.points[:, 0] > 3.99
        push = pl.Excite(on=tip, force=(0, -50, 0), seconds=0.2)
        table = pl.Responses.record(pl.Scene(body), excitations=[push], seconds=300)
        table.save("beam.responses.npz")
        player = table.player()
        player.excite(0)
        player.positions(0.5)

    Made by `record` or `load`. entries: in coordinates z, of which positions are rest + columns z.
    excitations: the pushes. dt [s]: between frames. rest [m], (n, d); columns (n d, r); values: the
    singular ones of all that was recorded, as shares. goals (pushes, 2 r): where forces that stay
    lead to. mesh: a hash of the mesh it belongs to.
    """

    entries: Entries
    excitations: tuple[Excite, ...]
    dt: float
    rest: Array
    columns: Array
    values: Array
    goals: Array
    mesh: str

    def __post_init__(self) -> None:
        arrays = (self.rest, self.columns, self.values, self.goals)
        sound = isinstance(self.entries, Entries) and isinstance(self.excitations, tuple)
        sound &= all(isinstance(array, np.ndarray) for array in arrays) and is_finite(self.dt)
        if not (sound and isinstance(self.mesh, str)):
            raise TypeError(
                "Responses: got parts that are no table; expected one made by "
                "pl.Responses.record(scene, ...) or pl.Responses.load(path)"
            )

    def __repr__(self) -> str:
        pushes = "; ".join(str(push) for push in self.excitations)
        return f"<Responses: {len(self.entries)} entries of rank {self.entries.rank} to {pushes}>"

    @classmethod
    def record(
        cls,
        scene: Scene,
        excitations: Sequence[Excite],
        seconds: float = 300.0,
        *,
        dt: float = 1 / 60,
        each: float | None = None,
        error: float = 0.01,
        seed: int = 0,
        parts: int | None = None,
        workers: int | None = None,
        scheduler: str | None = None,
        client: Any = None,
        progress: Show = None,
    ) -> Responses:
        """Push the one body of a scene at random for so long [s], and keep what follows.

        each: how long a response is kept [s]; by default until `Settle` rests, or 1 s after the push.
        error: what is left out of positions and velocities at most, as a share of them; the rank
        follows. Obstacles and loads must stand still. Ctrl-C keeps what has been recorded, if each
        push has come at least once. The scene is afterwards as it was.

        parts: so many runs, each by a seed of its own, on the workers of a sweep: processes of this
        machine, one per core or `workers` (0: this process), those of a scheduler by its address, or
        those of a client of dask.distributed. The table depends on the number of parts, not on who
        made them.
        """
        recording = _recording(scene, excitations, dt=dt, each=each, error=error)
        _require_span("seconds", seconds, recording.dt)
        require_unchanging(scene, float(seconds))
        if not (is_whole(seed) and seed >= 0):
            raise ValueError(f"Responses.record: got seed={shown(seed)}; expected 0, 1, 2, ...")
        span = recording.frames * recording.dt
        count = max(recording.kinds, round(float(seconds) / span))
        size = 16.0 * SUPPOSED * count * recording.frames
        require_memory("Responses.record", size, "fewer seconds, or a longer dt")
        body = scene.bodies[0]
        before, time, changes = body.state, scene.time, body.loads
        try:
            if parts is None:
                _require_no_workers(workers, scheduler, client)
                found = _found(recording, count, int(seed), progress)
            else:
                parts = check_parts(parts, count, recording.kinds)
                with engine_of(client, scheduler, workers) as engine:
                    by_parts = PartedRecording(recording, parts, engine, progress)
                    found = by_parts.found(count, int(seed))
        finally:
            for load in body.loads:
                if not any(load is k for k in changes):
                    body.unpush(load)
            body.take_up(before)
            scene.time = time
        return cls._of(found, recording.pushes, recording.dt, body.mesh)

    @classmethod
    def _of(cls, found: Found, pushes: tuple[Excite, ...], dt: float, mesh: Mesh) -> Responses:
        parts = (found.rest, found.columns, found.values, found.goals)
        return cls(found.entries, pushes, dt, *parts, hash_of(mesh))

    def save(self, path: str | Path) -> None:
        """Write the table, e.g. to "duck.responses.npz"."""
        from .files import write

        write(self, path_of("Responses.save", path))

    @classmethod
    def load(cls, path: str | Path, body: Deformable | None = None) -> Responses:
        """Read a table. A table of another mesh than that of a body is refused."""
        from .files import read

        table = read(path_of("Responses.load", path))
        table._require_of(body, "Responses.load")
        return table

    def player(self, body: Deformable | None = None, points: Any = None) -> Player:
        """A player that begins at rest; points: those that it shows, a mask or indices.

        A body is asked for its mesh only, so that no other one is played by mistake.
        """
        self._require_of(body, "player")
        return Player(self, points_of(points, len(self.rest)))

    def report(self) -> ResponsesReport:
        """Errors and sizes, against the rank and the number of entries; print it."""
        return report_of(self.entries, self.values, self.columns.shape[0])

    def _require_of(self, body: Deformable | None, who: str) -> None:
        if body is None:
            return
        if not isinstance(body, Deformable):
            raise TypeError(f"{who}: got body of type {type(body).__name__}; expected pl.Body(...)")
        if hash_of(body.mesh) != self.mesh:
            raise ValueError(
                f"{who}: the table is of another mesh than that of {body.name}; expected the body that "
                "was recorded: record it again with pl.Responses.record(scene, ...)"
            )


def hash_of(mesh: Mesh) -> str:
    """A hash of points and cells."""
    digest = hashlib.sha256(np.ascontiguousarray(mesh.points).tobytes())
    for kind, cells in sorted(mesh.cells.items()):
        digest.update(kind.encode())
        digest.update(np.ascontiguousarray(cells, dtype=np.int64).tobytes())
    return digest.hexdigest()[:32]


def _the_body(scene: Scene) -> Deformable:
    if not isinstance(scene, Scene):
        raise TypeError(
            f"Responses.record: got scene of type {type(scene).__name__}; expected pl.Scene(body)"
        )
    if len(scene.bodies) != 1:
        raise ValueError(
            f"Responses.record: got a scene of {len(scene.bodies)} bodies; expected one body"
        )
    require_recordable(scene.bodies[0])
    return scene.bodies[0]


def _recording(
    scene: Scene, excitations: Any, *, dt: float, each: float | None, error: float
) -> ResponseRecording:
    body, pushes = _the_body(scene), _the_pushes(excitations)
    dt = check_dt("Responses.record", dt)
    if each is not None:
        _require_span("each", each, dt)
    if not (is_finite(error) and 0.0 < error < 1.0):
        raise ValueError(
            f"Responses.record: got error={shown(error)}; expected a share of the motion between 0 "
            "and 1, e.g. 0.01"
        )
    frames = frames_of(body, pushes, None if each is None else float(each), dt)
    return ResponseRecording(scene, pushes, dt, frames, float(error))


def _found(recording: ResponseRecording, count: int, seed: int, progress: Show) -> Found:
    """What one run finds, in this process."""
    run = recording.run()

    def free(columns: Array, small: Array) -> Array:
        return run.free(columns, small, range(len(small)), progress)

    return run.found(run.record(count, seed=seed, progress=progress), free)


def _require_no_workers(workers: int | None, scheduler: str | None, client: Any) -> None:
    given = {"workers": workers, "scheduler": scheduler, "client": client}
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                f"Responses.record: got {name}={shown(value)} without parts; expected as many parts as "
                "there are workers, or some times that, e.g. parts=8"
            )


def _the_pushes(given: Any) -> tuple[Excite, ...]:
    pushes = given if isinstance(given, (list, tuple)) else [given]
    if not pushes or not all(isinstance(push, Excite) for push in pushes):
        raise TypeError(
            f"Responses.record: got excitations={shown(given)}; expected a list, e.g. "
            "[pl.Excite(on=tip, force=(0, -50, 0), seconds=0.2)]"
        )
    return tuple(pushes)


def _require_span(what: str, value: Any, dt: float) -> None:
    if not (is_finite(value) and 0.0 < float(value) <= MOST_STEPS * dt):
        raise ValueError(
            f"Responses.record: got {what}={shown(value)}; expected more than 0 [s], and at most "
            f"{MOST_STEPS:g} steps of dt"
        )
