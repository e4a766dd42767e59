"""Arrays of a take that are of no body, written frame by frame: contacts, and obstacles that move."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pliant.take import SceneFrame

from .arrays import contact_rows
from .chunks import Chunked, make_group
from .folder_reader import OBSTACLES, SPANS

#: Contacts in one chunk; every frame begins a new one.
TOGETHER = 64
ROWS = "contacts/rows"


class SharedArrays:
    """The arrays in a folder that is written."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._moving: list[Chunked] = []
        self._spans: Chunked | None = None
        self._rows: Chunked | None = None

    def make(self, frames: int, first: SceneFrame) -> None:
        """Make them for so many frames; first: that of the first frame."""
        if first.motions:
            make_group(self._folder / OBSTACLES)
        for i, motion in enumerate(first.motions):
            place = self._folder / f"{OBSTACLES}{i}"
            self._moving.append(Chunked.create(place, (frames, *motion.shape), float, rows=1))
        if first.contacts is not None:
            make_group(self._folder / "contacts")
            width = contact_rows(first.contacts).shape[1]
            self._spans = Chunked.create(self._folder / SPANS, (frames, 2), np.int64, rows=1)
            self._rows = Chunked.create(self._folder / ROWS, (0, width), float, rows=TOGETHER)

    def open(self, frames: int) -> None:
        """Open those that are there, for so many frames."""
        moving = self._folder / OBSTACLES
        count = len([p for p in moving.iterdir() if p.is_dir()]) if moving.is_dir() else 0
        self._moving = [Chunked.open(moving / str(i)) for i in range(count)]
        if (self._folder / SPANS).exists():
            self._spans = Chunked.open(self._folder / SPANS)
            self._rows = Chunked.open(self._folder / ROWS)
        self.resize(frames)

    def resize(self, frames: int) -> None:
        """Say that there are so many frames."""
        for array in (*self._moving, *([] if self._spans is None else [self._spans])):
            array.resize(frames)

    def write(self, frame: int, shared: SceneFrame) -> None:
        """Write a frame."""
        for array, motion in zip(self._moving, shared.motions, strict=True):
            array.put(frame, motion[None])
        if self._spans is None or self._rows is None or shared.contacts is None:
            return
        rows, begin = contact_rows(shared.contacts), 0
        if frame:
            first, count = (int(n) for n in self._spans.row(frame - 1))
            begin = first + -(-count // TOGETHER) * TOGETHER
        for k in range(0, len(rows), TOGETHER):
            self._rows.put((begin + k) // TOGETHER, rows[k : k + TOGETHER])
        self._rows.resize(begin + -(-len(rows) // TOGETHER) * TOGETHER)
        self._spans.put(frame, np.array([[begin, len(rows)]]))
