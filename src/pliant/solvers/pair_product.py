"""Blocks of pairs in arrays that stay in place, so that recorded launches find them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import warp as wp

from pliant.backend import Launches

from .pair_blocks import PairBlocks
from .rows import Storage

#: Blocks for which there is room at first.
ROOM = 1024


class PairProduct:
    """The blocks of a matrix off its pattern, in the precision of a storage, for kernels.

    `arguments` are the number of blocks, their rows and columns, and the blocks. There is room for
    `room` of them, a multiple of the threads of a block, and none before any was loaded.
    """

    def __init__(self, storage: Storage, device: Any):
        self._storage, self._device = storage, device
        self._launches = Launches(device)
        self._count: Any = wp.zeros(1, dtype=wp.int32, device=device)
        self._make(0)

    @property
    def arguments(self) -> list[Any]:
        """What kernels take."""
        return [self._count, self._rows, self._columns, self._blocks]

    @property
    def key(self) -> int:
        """A number for the place of the arrays; 0 if nothing is to be multiplied."""
        return int(self._rows.ptr or 0) if self.room else 0

    def load(self, pairs: Sequence[PairBlocks]) -> None:
        """Take these blocks."""
        total = sum(len(p.rows) for p in pairs)
        if total > self.room:
            room = ROOM
            while room < total:
                room *= 2
            self._make(room)
        at = 0
        for p in pairs:
            end = at + len(p.rows)
            wp.copy(self._rows, p.rows, dest_offset=at)
            wp.copy(self._columns, p.columns, dest_offset=at)
            if p.above.dtype is self._blocks.dtype:
                wp.copy(self._blocks, p.above, dest_offset=at)
            else:
                wp.utils.array_cast(p.above, self._blocks[at:end])
            at = end
        if self.room:
            self._count.fill_(total)

    def _make(self, room: int) -> None:
        self.room = room
        self._rows: Any = wp.zeros(room, dtype=wp.int32, device=self._device)
        self._columns: Any = wp.zeros(room, dtype=wp.int32, device=self._device)
        self._blocks: Any = wp.zeros(room, dtype=self._storage.mat, device=self._device)
