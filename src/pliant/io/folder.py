"""Takes as folders that grow while a run goes on: `beam.zarr`.

The arrays of `arrays.py` in the Zarr format, one chunk per frame. A frame counts when its time is
written, which happens last, so whatever ends a run, all complete frames can be read. `.zattrs` has
the facts: scene file, versions, settings.

Why Zarr and not VTKHDF: an HDF5 file is one file that a killed writer may leave locked or torn, and
it cannot be looked at while it is written; here every frame is whole as soon as it is there. For
ParaView, `pliant convert beam.zarr beam.vtkhdf`.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.recorder import Snapshot, about, asked, energies
from pliant.take import ENERGIES, SOLVER, Take

from .arrays import facts, fixed_arrays, make_take, track_arrays
from .checkpoint import restore, save
from .chunks import Chunked, make_group
from .lock import Lock
from .registry import reads, writes

if TYPE_CHECKING:
    from pliant.scene import Scene

FORMAT = {"format": "pliant take", "version": 1}
#: Seconds between two checkpoints, of which the first frame is one; each costs about as much as a
#: frame.
EVERY = 2.0
#: Arrays with one row per frame; the rows of `solver/` are steps.
FRAMES = ("positions", "velocities", "energies", "resting")


class TakeFolder:
    """A take on disk, written frame by frame; `said` is kept with it, e.g. the scene file."""

    def __init__(self, path: str | Path, said: dict[str, Any] | None = None):
        self.path = Path(path)
        self._said = said or {}
        self._frames = 0
        self._bodies: list[dict[str, Chunked]] = []
        self._steps: list[list[tuple[Any, ...]]] = []
        self._rests: list[np.ndarray | None] = []
        self._lock: Lock | None = None
        self._resumed = 0  # frames of the run that this one goes on with

    def resume(self, scene: Scene, *, device: str = "cpu") -> float:
        """Put the bodies where an interrupted run left them; returns how long it ran [s]."""
        said, now = facts_of(self.path), about(scene)
        same = said["asked"] == [asked(body) for body in scene.bodies]
        # Takes of the first versions do not tell obstacles.
        same &= said["about"].get("obstacles", now["obstacles"]) == now["obstacles"]
        if not same or said["about"]["bodies"] != now["bodies"]:
            raise ValueError(
                f"{self.path} is of another scene than this one; run it without --resume"
            )
        start = float(Chunked.open(self.path / "times").get(1)[0])
        self._resumed = restore(self.path, scene, device=device) + 1
        return scene.time - start

    def begin(self, scene: Scene, frames: int, steps: int, dt: float) -> None:
        """Make the folder and its arrays, instead of the take that was there."""
        if self._resumed:
            self._go_on(scene, frames, steps, dt)
            return
        clear(self.path)
        said = {
            "dt": dt,
            "names": [body.name for body in scene.bodies],
            "asked": [asked(body) for body in scene.bodies],
            "about": about(scene) | self._said,
        }
        make_group(self.path, FORMAT | said)
        self._lock = Lock(self.path)
        self._scene = scene
        self._times = Chunked.create(self.path / "times", (frames,), float, rows=1)
        self._written = time.monotonic()
        every = steps // max(1, frames - 1)
        for i, body in enumerate(scene.bodies):
            own = self.path / f"body{i}"
            write_arrays(own, fixed_arrays(body))
            shape = body.mesh.points.shape
            rows: dict[str, tuple[tuple[int, ...], Any]] = {
                "positions": ((frames, *shape), float),
                "velocities": ((frames, *shape), float),
                "energies": ((frames, len(ENERGIES.names or ())), float),
                "resting": ((frames,), np.int64),
            }
            arrays = {k: Chunked.create(own / k, *v, rows=1) for k, v in rows.items()}
            arrays["rests"] = Chunked.create(own / "rests", (0, *shape), float, rows=1)
            make_group(own / "solver")
            for name in SOLVER.names or ():
                log = Chunked.create(own / "solver" / name, (steps,), SOLVER[name], rows=every)
                arrays[f"solver/{name}"] = log
            self._bodies.append(arrays)
            self._steps.append([])
            self._rests.append(None)

    def _go_on(self, scene: Scene, frames: int, steps: int, dt: float) -> None:
        """Open the arrays again, and drop the frames after the checkpoint."""
        if facts_of(self.path)["dt"] != dt:
            raise ValueError(
                f"{self.path} has steps of {facts_of(self.path)['dt']:g} s; got dt={dt:g}: a take has "
                "one time step"
            )
        self._lock = Lock(self.path)
        for half in self.path.rglob("*.part"):  # of a write that was killed
            half.unlink()
        self._scene, self._written = scene, time.monotonic()
        self._frames = self._resumed - 1  # the first frame to come is the last one that is there
        frames += self._frames
        self._times = Chunked.open(self.path / "times")
        for i, _ in enumerate(scene.bodies):
            own = self.path / f"body{i}"
            arrays = {k: Chunked.open(own / k) for k in (*FRAMES, "rests")}
            arrays |= {f"solver/{k}": Chunked.open(own / "solver" / k) for k in SOLVER.names or ()}
            for name, array in arrays.items():
                if name != "rests":
                    rows = 1 if name in FRAMES else array.rows
                    array.resize((self._resumed if name in FRAMES else self._frames) * rows)
                    array.resize((frames if name in FRAMES else frames - 1) * rows)
            self._bodies.append(arrays)
            self._steps.append([])
            found = arrays["rests"].get()
            self._rests.append(found[-1] if len(found) else None)
        self._times.resize(self._resumed)
        self._times.resize(frames)

    def frame(self, now: float, snapshots: Sequence[Snapshot]) -> None:
        """Write a frame."""
        f = self._frames
        for i, (arrays, s) in enumerate(zip(self._bodies, snapshots, strict=True)):
            arrays["positions"].put(f, s.x[None])
            arrays["velocities"].put(f, s.v[None])
            arrays["energies"].put(f, np.array([energies(s.system, s.x, s.v, s.external)]))
            arrays["resting"].put(f, np.array([self._resting(i, s.rest)]))
            if self._steps[i]:
                records = np.array(self._steps[i], SOLVER)
                for name in SOLVER.names or ():
                    arrays[f"solver/{name}"].put(f - 1, records[name])
                self._steps[i] = []
        self._times.put(f, np.array([now]))  # from here on the frame counts
        self._frames += 1
        if self._frames == 1 or time.monotonic() - self._written > EVERY:
            save(self.path, self._scene, [s.system for s in snapshots], f)
            self._written = time.monotonic()

    def step(self, records: Sequence[tuple[Any, ...]]) -> None:
        """Remember what the solver did until the next frame is written."""
        for kept, record in zip(self._steps, records, strict=True):
            kept.append(record)

    def take(self) -> Take:
        """Say how many frames there are now, and read them."""
        if self._lock is not None:
            self._lock.release()
        self._times.resize(self._frames)
        for arrays in self._bodies:
            for name, array in arrays.items():
                if name in FRAMES:
                    array.resize(self._frames)
                elif name != "rests":
                    array.resize(max(0, self._frames - 1) * array.rows)
        take = load_folder(self.path)
        for track, body in zip(take.tracks, self._scene.bodies, strict=True):
            track.body = body
        return take

    def _resting(self, i: int, rest: np.ndarray | None) -> int:
        """The number of a rest shape, which is written if it is a new one."""
        shapes, last = self._bodies[i]["rests"], self._rests[i]
        if rest is None:
            return -1
        if last is None or not (rest is last or np.array_equal(rest, last)):
            shapes.put(shapes.shape[0], rest[None])
            shapes.resize(shapes.shape[0] + 1)
            self._rests[i] = rest
        return shapes.shape[0] - 1


def store_at(path: Path) -> TakeFolder:
    """What `scene.run(into=path)` writes to."""
    if path.suffix.lower() != ".zarr":
        raise ValueError(
            f"run: got into={str(path)!r}; expected a name that ends in .zarr: the other formats are "
            "written when a run is over, with take.save"
        )
    return TakeFolder(path)


@writes(".zarr")
def save_folder(take: Take, path: Path) -> None:
    """Write a take that is in memory."""
    clear(path)
    make_group(path, FORMAT | facts(take))
    for i, track in enumerate(take.tracks):
        arrays = track_arrays(track)
        by_frame = {name: arrays.pop(name) for name in FRAMES}
        write_arrays(path / f"body{i}", arrays)
        for name, values in by_frame.items():
            _write_rows(path / f"body{i}" / name, values)
    _write_rows(path / "times", take.times)


@reads(".zarr")
def load_folder(path: Path) -> Take:
    """Read all complete frames of a take, whether its run has ended or not."""
    said = facts_of(path)
    count = count_frames(path)
    if count == 0:
        raise ValueError(f"{path} has no complete frame: its run ended before it began")
    arrays = {}
    for name, array in _arrays(path):
        own = name.split("/", 1)[-1]
        if own in FRAMES:
            arrays[name] = array.get(count)
        elif own.startswith("solver/"):
            arrays[name] = array.get(min((count - 1) * array.rows, array.shape[0]))
        elif array.shape[0] or own != "rests":
            arrays[name] = array.get()
    return make_take(Chunked.open(path / "times").get(count), arrays, said)


def count_frames(path: Path) -> int:
    """How many frames of a take are complete, also while it is written."""
    if not (path / "times" / ".zarray").exists():
        return 0
    times = Chunked.open(path / "times")
    return next(k for k in range(times.shape[0] + 1) if not times.has(k))


def facts_of(path: Path) -> dict[str, Any]:
    """What is said about a take, without reading its frames."""
    said = path / ".zattrs"
    try:
        found = json.loads(said.read_text()) if said.exists() else {}
    except ValueError:
        found = {}
    if found.get("format") != FORMAT["format"]:
        raise ValueError(f"{path} is not a take of pliant; expected a folder that pliant wrote")
    if found["version"] > FORMAT["version"]:
        raise ValueError(
            f"{path} was written by pliant {found['about'].get('pliant')} in a newer format "
            f"({found['version']}); expected {FORMAT['version']}: pip install -U pliant"
        )
    return found


def clear(path: Path) -> None:
    """Make way for a take; what is not a take stays, and is refused."""
    if path.is_dir() and not any(path.iterdir()):
        return
    if path.exists():
        facts_of(path)
        Lock(path).release()  # refused while another run writes to it
        shutil.rmtree(path)


def write_arrays(folder: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write whole arrays; a name may be a path."""
    make_group(folder)
    for name, values in arrays.items():
        for parent in Path(name).parents[:-1]:
            make_group(folder / parent)
        Chunked.write(folder / name, values)


def _write_rows(folder: Path, values: np.ndarray) -> None:
    array = Chunked.create(folder, values.shape, values.dtype, rows=1)
    for k in range(len(values)):
        array.put(k, values[k : k + 1])


def _arrays(path: Path) -> Iterator[tuple[str, Chunked]]:
    for described in sorted(path.rglob(".zarray")):
        name = described.parent.relative_to(path).as_posix()
        if name != "times":
            yield name, Chunked.open(described.parent)
