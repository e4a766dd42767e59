"""A scene file as it was left on the stage."""

from __future__ import annotations

from typing import Any

from pliant.control import Settle
from pliant.declared import parameters_of
from pliant.scenefile import SceneFile, validate

from .act import Act

#: What the slider of stiffness multiplies: all that is in pascals.
STIFFNESS = ("young", "fibre", "yield_stress", "hardening")


def played(file: SceneFile, act: Act) -> SceneFile:
    """The file with the wish, the stiffness and the gravity that the sliders have now.

    Where bodies are at the moment is not written: a scene begins where it began.
    """
    source = file.source
    asked = {b.name: own for b, own in zip(act.scene.bodies, act.asked, strict=True)}
    for name, body in file.body.items():
        own = asked.get(name)
        if isinstance(own, Settle):
            source = source.put(("body", name, "settle"), _wish(own))
        stiffened = act.factor != 1.0 and name in act.stiffened
        if stiffened and body.material is not None:
            for field in STIFFNESS:
                if getattr(body.material, field, None):
                    scaled = act.factor * getattr(body.material, field)
                    source = source.put(("body", name, "material", field), scaled)
    gravity = act.scene.gravity.tolist()
    if gravity != list(file.run.gravity or [0.0] * len(gravity)):
        source = source.put(("run", "gravity"), gravity)
    return validate(source)


def _wish(settle: Settle) -> dict[str, Any]:
    """The fields of `settle = { ... }` that are not as they are if left out."""
    given = {p.name: (getattr(settle, p.name), p.default) for p in parameters_of(Settle)}
    return {name: value for name, (value, default) in given.items() if value != default}
