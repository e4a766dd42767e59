"""The panel beside the picture: what can be asked for, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.bodies import Body
from pliant.control import Settle, Undamped
from pliant.scene import Scene

from .chart import Chart
from .engine import Engine
from .snapshot import StageSnapshot
from .status import status

if TYPE_CHECKING:
    import viser

REST_IN = (0.1, 4.0, 0.05)  # [s]: least, most, step of the slider
SLIDER_BOUNCES = 8
PAUSE, PLAY, STEP_LABEL, RESET = "Pause", "Play", "Step", "Reset"
RECORD_LABEL, CUT, SAVE = "Record", "Stop", "Save scene"


class Panel:
    """Sliders and buttons; each leaves a wish with the engine and returns at once."""

    def __init__(
        self,
        server: viser.ViserServer,
        engine: Engine,
        *,
        record: Callable[[], None],
        save: Callable[[], None] | None,
    ):
        self._engine, self._record, self._save = engine, record, save
        gui, scene = server.gui, engine.act.scene
        wish = next((d for d in engine.act.given if isinstance(d, Settle)), None)
        self._off = None if wish is None else Undamped()  # None: what the scene says
        self._within = wish.within if wish else 0.01
        self._law: Any = wish.law if wish else "every-shape"
        self._swing = wish.swing if wish else True
        rest_in, bounces = (wish.rest_in, wish.bounces) if wish else (1.0, None)
        self._text = gui.add_html("")
        self._told = ""
        self.chart = Chart(server)
        with gui.add_folder("Rest on cue"):
            self.cued = gui.add_checkbox("on", wish is not None, hint="Off: the bodies swing on")
            self.rest_in = gui.add_slider(
                "rest in [s]",
                min(REST_IN[0], rest_in),
                max(REST_IN[1], rest_in),
                REST_IN[2],
                rest_in,
                hint="At rest so long after it is let go",
            )
            self.bounces = gui.add_slider(
                "bounces", 0, max(SLIDER_BOUNCES, bounces or 0), 1, bounces or 0
            )
            self.soft = gui.add_checkbox(
                "soft start",
                bounces is not None,
                disabled=bool(bounces),
                hint="Without bounces: begin slowly, instead of at once",
            )
        with gui.add_folder("World"):
            self.stiffness = gui.add_slider(
                "stiffness ×",
                0.1,
                5.0,
                0.1,
                1.0,
                disabled=not any(isinstance(body, Body) for body in scene.bodies),
                hint="Of solids: the other kinds keep theirs",
            )
            pull = round(float(np.linalg.norm(scene.gravity)), 2)
            self.gravity = gui.add_slider("gravity [m/s²]", 0.0, max(20.0, pull), 0.01, pull)
            self.speed = gui.add_slider("time scale", 0.05, 2.0, 0.05, 1.0)
            self.contacts = gui.add_checkbox(
                "contacts", False, disabled=not scene.lands, hint="What touches, with forces"
            )
        self.run = gui.add_button_group("scene", (PAUSE, STEP_LABEL, RESET))
        self.keep = gui.add_button_group(
            "keep", (RECORD_LABEL,) if save is None else (RECORD_LABEL, SAVE)
        )
        self._down = _direction(scene)
        self._listen(engine)

    def _listen(self, engine: Engine) -> None:
        """Answer to every slider, box and button."""
        for box in (self.cued, self.soft):
            box.on_update(self._safely(self._settle))
        self.contacts.on_update(self._safely(lambda: engine.show_contacts(self.contacts.value)))
        self._slides(self.rest_in, self._settle)
        self._slides(self.bounces, self._settle)
        self._slides(self.stiffness, lambda: engine.stiffen(self.stiffness.value))
        self._slides(self.gravity, lambda: engine.gravity(self.gravity.value * self._down))
        self._slides(self.speed, lambda: engine.speed(self.speed.value))
        self.run.on_click(self._safely(self._run))
        self.keep.on_click(self._safely(self._keep))

    def _slides(self, slider: Any, act: Callable[[], None]) -> None:
        """Act on a slider; what is not on its scale is refused and the slider goes back."""
        kept = slider.value

        def moved() -> None:
            nonlocal kept
            value = slider.value
            if value == kept:
                return
            if not slider.min <= value <= slider.max:  # not a number, too
                self._engine.say(
                    f"{slider.label}: got {str(value)[:20]}; expected {slider.min:g} to "
                    f"{slider.max:g}"
                )
                slider.value = kept
                return
            kept = value
            act()

        slider.on_update(self._safely(moved))

    def _safely(self, act: Callable[[], None]) -> Callable[[Any], None]:
        """For viser, which would print a traceback: what goes wrong is said on the page."""

        def heard(_: Any) -> None:
            try:
                act()
            except Exception as error:
                self._engine.say(str(error) or type(error).__name__)

        return heard

    def _settle(self) -> None:
        self.soft.disabled = self.bounces.value > 0
        if not self.cued.value:
            self._engine.settle(self._off)
            return
        bounces = self.bounces.value or (0 if self.soft.value else None)
        self._engine.settle(
            Settle(
                self.rest_in.value, bounces, within=self._within, law=self._law, swing=self._swing
            )
        )

    def _run(self) -> None:
        if self.run.value == STEP_LABEL:
            self._engine.step()
        elif self.run.value == RESET:
            self._engine.reset()
        elif self.run.value in (PAUSE, PLAY):
            self._engine.pause(self.run.value == PAUSE)

    def _keep(self) -> None:
        if self.keep.value == RECORD_LABEL:
            self._record()
        elif self.keep.value == CUT:
            self._engine.cut()
        elif self.keep.value == SAVE and self._save is not None:
            self._save()

    def show(self, snapshot: StageSnapshot, now: float) -> None:
        """Say how it goes; sends only what has changed."""
        text = status(snapshot, now)
        if text != self._told:
            self._told = self._text.content = text
        first = PLAY if snapshot.paused else PAUSE
        if self.run.options[0] != first:
            self.run.options = (first, STEP_LABEL, RESET)
        first = RECORD_LABEL if snapshot.recorded is None else CUT
        if self.keep.options[0] != first:
            self.keep.options = (first, *self.keep.options[1:])
        self.chart.show(snapshot)


def _direction(scene: Scene) -> np.ndarray:
    """The direction of gravity."""
    pull = np.linalg.norm(scene.gravity)
    down = np.zeros(scene.dim)
    down[1] = -1.0
    return scene.gravity / pull if pull > 0.0 else down
