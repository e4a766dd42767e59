"""What is kept of a scene that is played, and which scenes there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .controls import Controls
from .engine import Engine
from .snapshot import StageSnapshot

if TYPE_CHECKING:
    import viser

RECORD_LABEL, CUT, SAVE = "Record", "Stop", "Save scene"
#: What a recording can be kept as.
FORMATS = (".zarr", ".npz", ".usdc", ".glb", ".html", ".vtkhdf", ".mp4", ".gif")


class FileControls(Controls):
    """Record and save; a list of formats and one of scenes.

    record: begins a recording that is kept in a format. save: writes the scene file, if there is one.
    opens: shows another scene of `scenes`.
    """

    def __init__(
        self,
        gui: viser.GuiApi,
        engine: Engine,
        *,
        record: Callable[[str], None],
        save: Callable[[], None] | None,
        scenes: Sequence[Path],
        opens: Callable[[Path], None],
        now: Path | None,
    ):
        super().__init__(engine)
        self._record, self._save = record, save
        options = (RECORD_LABEL,) if save is None else (RECORD_LABEL, SAVE)
        self.keep = gui.add_button_group("keep", options)
        self.format = gui.add_dropdown(
            "take as", FORMATS, hint="The format of what is recorded; pliant convert makes others"
        )
        self.keep.on_click(self._safely(self._keep))
        names = [path.stem for path in scenes]
        if now is not None and now in scenes and len(scenes) > 1:
            self.scene = gui.add_dropdown(
                "scene", names, initial_value=now.stem, hint="Another scene of this folder"
            )
            self._answers(self.scene, lambda: opens(scenes[names.index(self.scene.value)]))

    def _keep(self) -> None:
        if self.keep.value == RECORD_LABEL:
            self._record(str(self.format.value))
        elif self.keep.value == CUT:
            self._engine.cut()
        elif self.keep.value == SAVE and self._save is not None:
            self._save()

    def show(self, snapshot: StageSnapshot) -> None:
        """Let the first button begin or end a recording."""
        first = RECORD_LABEL if snapshot.recorded is None else CUT
        if self.keep.options[0] != first:
            self.keep.options = (first, *self.keep.options[1:])
