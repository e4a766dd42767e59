"""A scene file as it was left on the stage."""

from __future__ import annotations

from typing import Any

from pliant.control import Settle
from pliant.scenefile import SceneFile, validate

from .act import Act


def played(file: SceneFile, act: Act) -> SceneFile:
    """The file with the wish, the stiffness and the gravity that the sliders have now.

    Where bodies are at the moment is not written: a scene begins where it began.
    """
    source = file.source
    for name, body in file.body.items():
        if isinstance(act.asked, Settle):
            source = source.put(("body", name, "settle"), _wish(act.asked))
        if act.factor != 1.0 and body.material is not None:  # the slider is that of solids
            young = act.factor * body.material.young
            source = source.put(("body", name, "material", "young"), young)
    gravity = act.scene.gravity.tolist()
    if gravity != list(file.run.gravity or [0.0] * len(gravity)):
        source = source.put(("run", "gravity"), gravity)
    return validate(source)


def _wish(settle: Settle) -> dict[str, Any]:
    """The wish as a table; what is left out there is as by default."""
    wish: dict[str, Any] = {"rest_in": settle.rest_in}
    if settle.bounces is not None:
        wish["bounces"] = settle.bounces
    if settle.within != 0.01:
        wish["within"] = settle.within
    if settle.law != "every-shape":
        wish["law"] = settle.law
    if not settle.swing:
        wish["swing"] = False
    return wish
