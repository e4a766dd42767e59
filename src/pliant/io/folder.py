"""Takes as folders that grow while a run goes on: `beam.zarr`.

The arrays of `arrays.py` in the Zarr format, one chunk per frame. A frame counts when its time is
written, which happens last, so whatever ends a run, all complete frames can be read. `.zattrs` has
the facts: scene file, versions, settings.

Why Zarr and not VTKHDF: an HDF5 file is one file that a killed writer may leave locked or torn, and
it cannot be looked at while it is written; here every frame is whole as soon as it is there. For
ParaView, `pliant convert beam.zarr beam.vtkhdf`.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.kinds import STEPPERS
from pliant.reduced import ReducedShape
from pliant.scene import Scene
from pliant.take import (
    OUTCOMES,
    Frames,
    SceneFrame,
    Snapshot,
    Take,
    about,
    asked,
    motions_at,
    wish_outcome,
)

from .again import Again
from .arrays import (
    CHANGES,
    COORDINATES,
    NO_ENERGIES,
    contact_facts,
    facts,
    group_names,
    shared_arrays,
    track_arrays,
)
from .atomic import current_umask
from .body_folder import BodyFolder, write_arrays
from .checkpoint import restore, save
from .chunks import ATTRIBUTES, Chunked, make_group
from .folder_reader import (
    BY_FRAME,
    CHANGED,
    FORMAT,
    REDUCED,
    SPANS,
    facts_of,
    load_folder,
    open_written,
    said_of,
)
from .lock import Lock
from .registry import writes
from .shared_arrays import SharedArrays

#: Most of a run's time that checkpoints may take. Frames after the last one are computed again when a
#: run is taken up, so a checkpoint comes with every frame where that is cheap enough.
CHECKPOINT_SHARE = 0.2


class TakeFolder:
    """A take on disk, written frame by frame; `said` is kept with it, e.g. the scene file.

    energies: whether to count and record them with every frame. They cannot be
    computed later from the take alone.
    """

    def __init__(
        self, path: str | Path, said: dict[str, Any] | None = None, *, energies: bool = True
    ):
        self.path = Path(path)
        self._said = said or {}
        self._energies = energies
        self._frames = 0
        self._bodies: list[BodyFolder] = []
        self._lock: Lock | None = None
        self._saved, self._cost = time.monotonic(), 0.0  # when the last checkpoint was, its time
        self._again: Again | None = None  # frames of the run that this one goes on with
        self._complete = 0  # how many those are
        self._shared = SharedArrays(self.path)

    def resume(self, scene: Scene, *, device: str = "cpu") -> float:
        """Put the bodies where the last checkpoint left them; returns how long it ran until there [s].

        The frames after it are computed again; see `Again`.
        """
        there = load_folder(self.path, None)  # refuses links, too: they would be written
        stepper = STEPPERS.find(str(there.about["run"].get("stepper")))
        if stepper is not None:
            scene.prepare_for(stepper())
        now, made_by = about(scene), there.about
        same = [_wish(told) for told in facts_of(self.path)["asked"]] == _asked(scene)
        # Takes of the first versions do not tell obstacles.
        same &= made_by.get("obstacles", now["obstacles"]) == now["obstacles"]
        if not same or made_by.get("bodies") != now["bodies"]:
            raise ValueError(
                f"{self.path} is of another scene than this one; run it with --overwrite, or to "
                "another name"
            )
        self._complete = len(there)
        self._frames = restore(self.path, scene, frames=self._complete, device=device)
        self._again = Again(self.path, scene, there, self._frames)
        return scene.time - float(there.times[0])

    def begin(self, scene: Scene, frames: int, steps: int, dt: float) -> None:
        """Make the folder and its arrays, or open those of the run that goes on."""
        try:
            if self._again is not None:
                self._go_on(scene, frames, dt)
            else:
                self._make(scene, frames, steps, dt)
        except BaseException:
            if self._lock is not None:
                self._lock.release()
            raise

    def _make(self, scene: Scene, frames: int, steps: int, dt: float) -> None:
        """A new folder instead of the take that was there."""
        clear(self.path)
        said = {
            "dt": dt,
            "names": [body.name for body in scene.bodies],
            "asked": _asked(scene),
            "about": about(scene) | self._said,
            "groups": [group_names(body) for body in scene.bodies],
            **({} if self._energies else NO_ENERGIES),
        }
        contacts, _ = scene.touching([body.state.x for body in scene.bodies])
        first = SceneFrame(contacts, motions_at(scene.obstacles, scene.time))
        if first.contacts is not None:
            said |= contact_facts(first.contacts.names)
        reduced = [isinstance(body.state.x, ReducedShape) for body in scene.bodies]
        make_group(self.path, FORMAT | (REDUCED if any(reduced) else {}) | said)
        self._lock = Lock(self.path)
        self._scene = scene
        self._shared.make(frames, first)
        self._times = Chunked.create(self.path / "times", (frames,), float, rows=1)
        self._bodies = self._body_folders(scene)
        for own in self._bodies:
            own.make(frames, steps, scene.time)

    def _body_folders(self, scene: Scene) -> list[BodyFolder]:
        return [
            BodyFolder(self.path / f"body{i}", body, energies=self._energies)
            for i, body in enumerate(scene.bodies)
        ]

    def _go_on(self, scene: Scene, frames: int, dt: float) -> None:
        """Open the arrays again; the first frame to come is that of the checkpoint."""
        said = facts_of(self.path)
        if said["dt"] != dt:
            raise ValueError(
                f"{self.path} has steps of {said['dt']:g} s; got dt={dt:g}: a take has one time step"
            )
        self._energies = said.get("energies", True)  # as the run began
        self._lock = Lock(self.path)
        for half in self.path.rglob("*.part"):  # of a write that was killed
            half.unlink()
        self._scene = scene
        frames = max(frames + self._frames, self._complete)
        self._times = Chunked.open(self.path / "times")
        self._times.resize(frames)
        self._shared.open(frames)
        self._bodies = self._body_folders(scene)
        for own in self._bodies:
            own.open(frames, complete=self._complete, begin=self._frames)

    def frame(self, now: float, snapshots: Sequence[Snapshot]) -> None:
        """Write a frame, or compare it with the one that is there already."""
        f = self._frames
        if f < self._complete:
            assert self._again is not None
            self._again.compare(f, now, [np.asarray(s.x) for s in snapshots])
            for own in self._bodies:
                own.pass_over()
        else:
            self._write(f, now, snapshots)
        self._frames += 1
        # None of a frame that was there: on CUDA, or another machine, the one that was computed again
        # differs from it in the last digits.
        due = f == 0 or (time.monotonic() - self._saved) * CHECKPOINT_SHARE > self._cost
        if due and f >= self._complete:
            began = time.monotonic()
            save(self.path, self._scene, [s.system for s in snapshots], f)
            self._saved = time.monotonic()
            self._cost = self._saved - began

    def _write(self, f: int, now: float, snapshots: Sequence[Snapshot]) -> None:
        groups = [own.new_groups for own in self._bodies]
        if any(groups):
            self._tell_changes(groups)
        for own, snapshot in zip(self._bodies, snapshots, strict=True):
            own.write(f, snapshot)
        self._shared.write(f, snapshots[0].shared)
        self._times.put(f, np.array([now]))  # from here on the frame counts

    def step(self, records: Sequence[tuple[Any, ...]]) -> None:
        """Remember what the solver did until the next frame is written."""
        for own, record in zip(self._bodies, records, strict=True):
            own.step(record)

    def take(self) -> Take:
        """Say how many frames there are now; they are read from the folder when asked for."""
        if self._lock is not None:
            self._lock.release()
        frames = max(self._frames, self._complete)
        self._times.resize(frames)
        self._shared.resize(frames)
        for own in self._bodies:
            own.finish(frames)
        self._tell_outcomes()
        take = open_written(self.path)
        for track, body in zip(take.tracks, self._scene.bodies, strict=True):
            track.body = body
        return take

    def _tell_changes(self, groups: Sequence[dict[str, Any]]) -> None:
        """Write that bodies have other meshes from now on, with the groups of these."""
        said = said_of(self.path)
        told = [
            names | {CHANGES: names.get(CHANGES, {}) | new}
            for names, new in zip(said.get("groups", [{}] * len(groups)), groups, strict=True)
        ]
        make_group(self.path, said | CHANGED | {"groups": told})

    def _tell_outcomes(self) -> None:
        """Write what became of wishes beside them."""
        found = [wish_outcome(body) for body in self._scene.bodies]
        if any(found):
            said = said_of(self.path)  # as it began: a cut changes a wish for each point
            told = [wish | more for wish, more in zip(said["asked"], found, strict=True)]
            make_group(self.path, said | {"asked": told})


def store_at(path: Path) -> TakeFolder:
    """The store that `scene.run(into=path)` writes to."""
    if path.suffix.lower() != ".zarr":
        raise ValueError(
            f"run: got into={str(path)!r}; expected a name that ends in .zarr: the other formats are "
            "written when a run is over, with take.save"
        )
    return TakeFolder(path)


@writes(".zarr")
def save_folder(take: Take, path: Path) -> None:
    """Write a take frame by frame."""
    draft = Path(tempfile.mkdtemp(prefix=".writing-", suffix=".zarr", dir=path.parent))
    try:
        found = [track_arrays(track) for track in take.tracks]
        reduced = any(COORDINATES in rows for _, rows in found)
        cut = any(track.several for track in take.tracks)
        version = FORMAT | (REDUCED if reduced else {}) | (CHANGED if cut else {})
        make_group(draft, version | facts(take))
        for i, (arrays, rows) in enumerate(found):
            rows |= {name: arrays.pop(name) for name in BY_FRAME if name in arrays}
            write_arrays(draft / f"body{i}", arrays)
            for name, values in rows.items():
                make_group((draft / f"body{i}" / name).parent)
                _write_rows(draft / f"body{i}" / name, values)
        arrays, rows = shared_arrays(take)
        for name in (*arrays, *rows):
            make_group((draft / name).parent)
        for name, array in arrays.items():
            if name == SPANS:
                rows[name] = array
            else:
                Chunked.write(draft / name, array)
        for name, values in rows.items():
            _write_rows(draft / name, values)
        _write_rows(draft / "times", take.times)
        draft.chmod(0o777 & ~current_umask())  # mkdtemp's folders are for their owner only
        old = draft.with_name(f"{draft.name}.old")
        if path.exists():  # moved aside first: a kill must not leave half of it
            require_clearable(path)
            if take.source is not None and path.samefile(take.source):
                for track in take.tracks:
                    track.load()
            path.rename(old)
        draft.rename(path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def clear(path: Path) -> None:
    """Make way for a take; what is not a take stays, and is refused."""
    require_clearable(path)
    if not path.exists():
        return
    # Last what the folder is known by: a kill must not leave one that nobody dares to remove.
    for entry in path.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name != ATTRIBUTES:
            entry.unlink()
    shutil.rmtree(path)


def require_clearable(path: Path) -> None:
    """Refuse what is neither a take that nobody writes to, nor an empty folder, nor missing."""
    if path.is_symlink():
        raise ValueError(f"{path} is a link; expected the folder itself: {path.resolve()}")
    if path.exists() and not (path.is_dir() and all(map(_half_said, path.iterdir()))):
        said_of(path)
        Lock(path).release()  # refused while another run writes to it


def _half_said(entry: Path) -> bool:
    """Whether an entry is the unfinished first file of a take whose run was killed."""
    return entry.name.startswith(f"{ATTRIBUTES}.") and entry.suffix == ".part"


def _write_rows(folder: Path, values: Frames) -> None:
    first = np.asarray(values[0])
    array = Chunked.create(folder, (len(values), *first.shape), first.dtype, rows=1)
    for k, row in enumerate(values):
        array.put(k, np.asarray(row)[None])


def _wish(told: dict[str, Any]) -> dict[str, Any]:
    """A wish without what became of it."""
    return {name: value for name, value in told.items() if name not in OUTCOMES}


def _asked(scene: Scene) -> list[dict[str, Any]]:
    """The wishes of all bodies."""
    return [
        asked(body, touches=scene.lands, tied=scene.tied(body)) for body in scene.bodies
    ]
