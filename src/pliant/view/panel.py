"""The panel beside the picture: what can be asked for, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .chart import Chart
from .controls import Controls
from .engine import Engine
from .file_controls import FileControls
from .replay import Replay
from .snapshot import StageSnapshot
from .status import status
from .tape import TAPE
from .wish_controls import WishControls
from .world_controls import WorldControls

if TYPE_CHECKING:
    import viser

PAUSE, PLAY, STEP_LABEL, RESET, REPLAY = "Pause", "Play", "Step", "Reset", "Replay"


class Panel(Controls):
    """Status, buttons, curve and the tabs of sliders; each leaves a wish and returns at once."""

    def __init__(
        self,
        server: viser.ViserServer,
        engine: Engine,
        *,
        record: Callable[[str], None],
        save: Callable[[], None] | None,
        scenes: Sequence[Path] = (),
        opens: Callable[[Path], None] = lambda path: None,
        now: Path | None = None,
    ):
        super().__init__(engine)
        gui = server.gui
        self.replay = Replay(engine)
        self._text, self._told = gui.add_html(""), ""
        self._ago, self._focus = 0.0, 0  # that are shown
        self.run = gui.add_button_group("scene", (PAUSE, STEP_LABEL, RESET, REPLAY))
        self.past: Any = gui.add_slider(
            "past [s]", -TAPE, 0.0, 0.05, 0.0, hint="Look again at the last seconds"
        )
        self._names = _different([body.name for body in engine.act.scene.bodies])
        self.body: Any = gui.add_dropdown(
            "body", self._names, visible=len(self._names) > 1,
            hint="Whose wish and curve; a body that is grabbed is chosen, too",
        )  # fmt: skip
        self.chart = Chart(server, len(self._names))
        tabs = gui.add_tab_group()
        with tabs.add_tab("Rest on cue"):
            self.wish = WishControls(gui, engine)
        with tabs.add_tab("World"):
            self.world = WorldControls(gui, engine)
        with tabs.add_tab("Files"):
            self.files = FileControls(
                gui, engine, record=record, save=save, scenes=scenes, opens=opens, now=now
            )
        self.run.on_click(self._safely(self._run))
        self._slides(self.past, lambda: self.replay.scrub(-self.past.value))
        self._answers(self.body, lambda: engine.choose(self._names.index(self.body.value)))

    def _run(self) -> None:
        if self.run.value == REPLAY:
            self.replay.play()
            return
        self.replay.end()
        if self.run.value == STEP_LABEL:
            self._engine.step()
        elif self.run.value == RESET:
            self._engine.reset()
        elif self.run.value in (PAUSE, PLAY):
            self._engine.pause(self.run.value == PAUSE)

    def show(self, snapshot: StageSnapshot, now: float) -> None:
        """Say how it goes; sends only what has changed."""
        ago = self.replay.ago
        text = status(snapshot, now, ago)
        if text != self._told:
            self._told = self._text.content = text
        first = PLAY if snapshot.paused else PAUSE
        if self.run.options[0] != first:
            self.run.options = (first, STEP_LABEL, RESET, REPLAY)
        if ago != self._ago or snapshot.focus != self._focus:
            self._ago, self._focus = ago, snapshot.focus
            with self._set_by_us():
                self.past.value = -round(ago, 2)
                self.body.value = self._names[snapshot.focus]
            self.wish.show(snapshot.focus)
        self.files.show(snapshot)
        self.chart.show(snapshot)


def _different(names: Sequence[str]) -> list[str]:
    """Names for a list, in which none comes twice."""
    return [name if names.count(name) == 1 else f"{name} ({i + 1})" for i, name in enumerate(names)]
