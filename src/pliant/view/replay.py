"""Looking again at the last seconds."""

from __future__ import annotations

import time as clock

from .engine import Engine
from .snapshot import StageSnapshot


class Replay:
    """What of the tape is shown: nothing, a moment, or one after the other at the pace of the scene.

    The scene pauses meanwhile, and goes on afterwards if it ran before.
    """

    def __init__(self, engine: Engine):
        self._engine = engine
        self._ago: float | None = None  # [s] before the end of the tape; None: nothing of it
        self._began: float | None = None  # when it began to play, on the wall [s]
        self._from = 0.0
        self._ran = False

    @property
    def ago(self) -> float:
        """How long ago the moment is that is shown [s of the scene]; 0: now."""
        if self._ago is None or self._began is None:
            return self._ago or 0.0
        passed = (clock.perf_counter() - self._began) * self._engine.snapshot.scale
        return max(self._from - passed, 0.0)

    def scrub(self, ago: float) -> None:
        """Show a moment so many seconds before the end of the tape; 0: go on."""
        if ago <= 0.0:
            self.end()
            return
        self._hold()
        self._ago, self._began = min(ago, self._engine.tape.seconds), None

    def play(self) -> None:
        """Show it from the moment that is shown, or from the beginning of the tape, to its end."""
        begin = self.ago or self._engine.tape.seconds
        self._hold()
        self._ago = self._from = begin
        self._began = clock.perf_counter()

    def end(self) -> None:
        """Show the scene itself again."""
        if self._ago is not None:
            self._ago = self._began = None
            self._engine.pause(not self._ran)

    def _hold(self) -> None:
        """Keep the scene, and so the tape, as it is."""
        if self._ago is None:
            self._ran = not self._engine.snapshot.paused
            self._engine.pause()

    def moment(self) -> StageSnapshot | None:
        """What is to be shown instead of the scene, if anything."""
        if self._ago is None:
            return None
        ago = self.ago
        if self._began is not None and ago <= 0.0:
            self.end()
            return None
        return self._engine.tape.at(ago)
