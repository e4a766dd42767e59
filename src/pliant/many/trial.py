"""One evaluation of a fit: which scenes, of what, and where points should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.errors import shown
from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.take import Take

from .targets import Target

#: What makes the scene, or scenes for several loads, of parameters: `make(young=1e5)`.
Make = Callable[..., Any]


@dataclass(frozen=True)
class FitTrial:
    """One evaluation, as it travels to a worker."""

    make: Make
    values: Mapping[str, float]
    targets: Sequence[Sequence[Target]]
    dt: float
    stepper: Stepper | None

    def missed(self) -> np.ndarray:
        """How far points are from where they should be [m], of all scenes."""
        return self.missed_by(self.seen())

    def seen(self) -> list[Any]:
        """What came of each scene: where its bodies rest, or a take."""
        scenes = scenes_of(self.make, self.values)
        return [self._seen(scene, own) for scene, own in zip(scenes, self.targets, strict=True)]

    def missed_by(self, seen: Sequence[Any]) -> np.ndarray:
        """How far points are from where they should be [m], flat."""
        pairs = zip(seen, self.targets, strict=True)
        parts = [
            target.missed_in(one) if isinstance(one, Take) else target.missed_at_rest(one)
            for one, own in pairs
            for target in own
        ]
        return np.concatenate(parts)

    def _seen(self, scene: Scene, targets: Sequence[Target]) -> Any:
        seconds = max(target.seconds for target in targets)
        if seconds == 0.0:
            return [track.positions[0] for track in scene.equilibrium().tracks]
        return scene.run(seconds=seconds, dt=self.dt, stepper=self.stepper, progress=False)


def scenes_of(make: Make, values: Mapping[str, float]) -> list[Scene]:
    """The scenes that `make` returns: one, several, or a body, which is in a scene by itself."""
    found = make(**values)
    listed = found if isinstance(found, (list, tuple)) else [found]
    scenes = [Scene([one]) if isinstance(one, Deformable) else one for one in listed]
    if not scenes or not all(isinstance(one, Scene) for one in scenes):
        raise TypeError(
            f"fit: make(**values) returned {shown(found)}; expected a pl.Scene, or a list of them"
        )
    return scenes


def missed_of(packed: bytes) -> np.ndarray:
    """A trial that came to a worker."""
    import cloudpickle

    trial: FitTrial = cloudpickle.loads(packed)
    return trial.missed()
