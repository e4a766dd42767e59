"""The arrays of one body in a folder that grows while a run goes on."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.reduced import OF_FRAME, ReducedShape, ReducedVelocity, row_of
from pliant.take import ENERGIES, SAME_MOMENT, SOLVER, Snapshot, as_one, energies

from .arrays import (
    CHANGES,
    COORDINATES,
    FIRST,
    basis_arrays,
    change_arrays,
    fixed_arrays,
    group_names,
)
from .chunks import Chunked, make_group
from .folder_reader import BY_FRAME, OF_TOPOLOGY, first_frames

Rows = dict[str, tuple[tuple[int, ...], Any]]


class BodyFolder:
    """Writes the frames of one body; when its mesh has changed, those that follow go to a new place."""

    def __init__(self, place: Path, body: Deformable, *, energies: bool):
        self._place, self._body, self._energies = place, body, energies
        self._cuts = len(body.mesh_changes)  # that the last frame knew of
        self._number, self._first = 0, 0  # of the mesh on disk, and its first frame
        self._arrays: dict[str, Chunked] = {}  # of all frames, and of steps
        self._own: dict[str, Chunked] = {}  # of the frames that have the present mesh
        self._steps: list[tuple[Any, ...]] = []
        self._rest: np.ndarray | None = None  # the last that was written
        self._changed = 0.0  # when something changed last, as far as is known [s]
        self._frames = 0  # that there is room for

    def make(self, frames: int, steps: int, began: float) -> None:
        """New arrays for a run that begins at a time [s]."""
        self._frames, self._changed = frames, began
        write_arrays(self._place, fixed_arrays(self._body))
        rows: Rows = {"resting": ((frames,), np.int64), "changed": ((frames,), float)}
        if self._energies:
            rows["energies"] = ((frames, len(ENERGIES.names or ())), float)
        self._arrays = _created(self._place, rows)
        make_group(self._place / "solver")
        every = steps // max(1, frames - 1)
        for name in SOLVER.names or ():
            log = Chunked.create(self._place / "solver" / name, (steps,), SOLVER[name], rows=every)
            self._arrays[f"solver/{name}"] = log
        self._begin(self._place, 0)

    def _begin(self, place: Path, first: int) -> None:
        """Make the arrays of frames from the first on, in which the mesh is the present one."""
        body, room = self._body, self._frames - first
        x, shape = body.state.x, body.mesh.points.shape
        rows: Rows = {}
        if isinstance(x, ReducedShape):
            write_arrays(place, basis_arrays(x.basis))
            rows[COORDINATES] = ((room, 2 * len(x.q) + OF_FRAME), float)
        else:
            rows |= {name: ((room, *shape), float) for name in ("positions", "velocities")}
        if body.flowing_terms:
            rows["plastic"] = ((room, body.flowing_terms), float)
        self._own = _created(place, rows | {"rests": ((0, *shape), float)})
        self._first, self._rest = first, None

    def open(self, frames: int, *, complete: int, begin: int) -> None:
        """Open the arrays again, of which so many frames are complete; `begin` is computed next."""
        self._frames, place = frames, self._place
        there = [k for k in BY_FRAME if (place / k).exists()]  # not all are in every take
        self._arrays = {k: Chunked.open(place / k) for k in there}
        for array in self._arrays.values():
            array.resize(frames)
        for name in SOLVER.names or ():
            log = self._arrays[f"solver/{name}"] = Chunked.open(place / "solver" / name)
            log.resize((frames - 1) * log.rows)
        firsts = first_frames(place, complete)
        self._number = len(firsts)
        for unfinished in _numbered(place / CHANGES, self._number + 1):
            shutil.rmtree(unfinished)
        for number, first in enumerate([0, *firsts]):
            end = firsts[number] if number < len(firsts) else frames
            self._open_own(self._topology(number), first, end)
        found = self._own["rests"].get()
        self._rest = found[-1] if len(found) else None
        if "changed" in self._arrays:
            self._changed = float(self._arrays["changed"].row(begin))

    def _open_own(self, place: Path, first: int, end: int) -> None:
        names = [name for name in (*OF_TOPOLOGY, "rests") if (place / name).exists()]
        self._own, self._first = {k: Chunked.open(place / k) for k in names}, first
        for name in OF_TOPOLOGY:
            if name in self._own:
                self._own[name].resize(end - first)

    def _topology(self, number: int) -> Path:
        return self._place / CHANGES / str(number) if number else self._place

    @property
    def new_groups(self) -> dict[str, Any]:
        """Names of the groups of the mesh by its number, if it has changed since the last frame."""
        changed = len(self._body.mesh_changes) > self._cuts
        return {str(self._number + 1): group_names(self._body)} if changed else {}

    def pass_over(self) -> None:
        """The present frame is on disk already."""
        self._steps, self._cuts = [], len(self._body.mesh_changes)

    def _change(self, frame: int) -> None:
        """Write the mesh that the body has from a frame on. It counts when the frame does."""
        changes = [change for _, change in self._body.mesh_changes[self._cuts :]]
        for name in OF_TOPOLOGY:
            if name in self._own:
                self._own[name].resize(frame - self._first)
        self._number += 1
        place = self._topology(self._number)
        make_group(self._place / CHANGES)
        shutil.rmtree(place, ignore_errors=True)  # of a run that was killed
        write_arrays(place, fixed_arrays(self._body) | change_arrays(as_one(changes)))
        self._begin(place, frame)
        Chunked.write(place / FIRST, np.array([frame]))  # a place without it is unfinished
        self._cuts = len(self._body.mesh_changes)

    def write(self, frame: int, s: Snapshot) -> None:
        """Write a frame, and what the solver did before it."""
        if len(self._body.mesh_changes) > self._cuts:
            self._change(frame)
        self._write_own(frame - self._first, s)
        arrays = self._arrays
        if self._energies:
            more = s.contact, s.obstacle_work, s.hop_work
            found = energies(s.system, s.x, s.v, s.external, None, *more)
            # A run of an earlier version has fewer.
            arrays["energies"].put(frame, np.array([found[: arrays["energies"].shape[1]]]))
        arrays["resting"].put(frame, np.array([self._resting(s.rest)]))
        if "changed" in arrays:
            if s.changed is not None and abs(s.changed - self._changed) >= SAME_MOMENT:
                self._changed = s.changed
            arrays["changed"].put(frame, np.array([self._changed]))
        if self._steps:
            records = np.array(self._steps, SOLVER)
            for name in SOLVER.names or ():
                arrays[f"solver/{name}"].put(frame - 1, records[name])
            self._steps = []

    def _write_own(self, row: int, s: Snapshot) -> None:
        """Write what is of the points or cells of the present mesh."""
        own = self._own
        if COORDINATES in own:
            own[COORDINATES].put(row, _coordinates(s)[None])
        else:
            own["positions"].put(row, np.asarray(s.x)[None])
            own["velocities"].put(row, np.asarray(s.v)[None])
        if "plastic" in own:
            own["plastic"].put(row, s.plastic[None])

    def step(self, record: tuple[Any, ...]) -> None:
        """Remember what the solver did until the next frame is written."""
        self._steps.append(record)

    def finish(self, frames: int) -> None:
        """Say that there are so many frames."""
        for name, array in self._arrays.items():
            array.resize(frames if name in BY_FRAME else max(0, frames - 1) * array.rows)
        for name in OF_TOPOLOGY:
            if name in self._own:
                self._own[name].resize(frames - self._first)
        if len(self._body.mesh_changes) == self._cuts:
            place = self._topology(self._number)
            Chunked.write(place / "components", self._body.components)  # springs may have been cut

    def _resting(self, rest: np.ndarray | None) -> int:
        """The number of a rest shape, which is written if it is a new one."""
        shapes, last = self._own["rests"], self._rest
        if rest is None:
            return -1
        if last is None or not (rest is last or np.array_equal(rest, last)):
            shapes.put(shapes.shape[0], rest[None])
            shapes.resize(shapes.shape[0] + 1)
            self._rest = rest
        return shapes.shape[0] - 1


def write_arrays(folder: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write whole arrays; a name may be a path."""
    make_group(folder)
    for name, values in arrays.items():
        for parent in Path(name).parents[:-1]:  # a name of ours, e.g. groups/3
            make_group(folder / parent)
        Chunked.write(folder / name, values)


def _created(place: Path, rows: Rows) -> dict[str, Chunked]:
    """Empty arrays of these shapes and types, one chunk per row."""
    return {name: Chunked.create(place / name, *how, rows=1) for name, how in rows.items()}


def _numbered(folder: Path, first: int) -> Sequence[Path]:
    """The folders in a folder that are numbered from the first on."""
    if not folder.is_dir():
        return []
    return [p for p in folder.iterdir() if p.name.isdigit() and int(p.name) >= first]


def _coordinates(s: Snapshot) -> np.ndarray:
    """A reduced body in one frame."""
    assert isinstance(s.x, ReducedShape)
    return row_of(s.x, s.v.p if isinstance(s.v, ReducedVelocity) else None)
