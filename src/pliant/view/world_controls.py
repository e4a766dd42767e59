"""What acts on all bodies: stiffness, gravity and the pace of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pliant.bodies import Body
from pliant.scene import Scene

from .controls import Controls
from .engine import Engine

if TYPE_CHECKING:
    import viser


class WorldControls(Controls):
    """Sliders of the scene, and whether contacts are shown."""

    def __init__(self, gui: viser.GuiApi, engine: Engine):
        super().__init__(engine)
        scene = engine.act.scene
        self.stiffness = gui.add_slider(
            "stiffness ×", 0.1, 5.0, 0.1, 1.0,
            disabled=not any(isinstance(body, Body) for body in scene.bodies),
            hint="Of solids: the other kinds keep theirs",
        )  # fmt: skip
        pull = round(float(np.linalg.norm(scene.gravity)), 2)
        self.gravity = gui.add_slider("gravity [m/s²]", 0.0, max(20.0, pull), 0.01, pull)
        self.speed = gui.add_slider("time scale", 0.05, 2.0, 0.05, 1.0)
        self.contacts = gui.add_checkbox(
            "contacts", False, disabled=not scene.lands, hint="What touches, with forces"
        )
        self._down = _direction(scene)
        self._answers(self.contacts, lambda: engine.show_contacts(self.contacts.value))
        self._slides(self.stiffness, lambda: engine.stiffen(self.stiffness.value))
        self._slides(self.gravity, lambda: engine.gravity(self.gravity.value * self._down))
        self._slides(self.speed, lambda: engine.speed(self.speed.value))


def _direction(scene: Scene) -> np.ndarray:
    """The direction of gravity."""
    pull = np.linalg.norm(scene.gravity)
    down = np.zeros(scene.dim)
    down[1] = -1.0
    return scene.gravity / pull if pull > 0.0 else down
