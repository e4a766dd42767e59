"""A scene that is ready to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pliant.body import Body
    from pliant.scene import Scene, Stepper
    from pliant.take import Take


@dataclass(frozen=True)
class Setup:
    """What `SceneFile.build` makes: the scene, and how its file says to run it.

    seconds, dt [s]; fps [1/s], or None for a frame per step.
    """

    scene: Scene
    seconds: float
    dt: float
    fps: float | None
    device: str
    stepper: Stepper

    @property
    def names(self) -> list[str]:
        """The names of the bodies, in the order of the file."""
        return [body.name for body in self.scene.bodies]

    @property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name."""
        return {body.name: body for body in self.scene.bodies}

    @property
    def steps(self) -> int:
        """The number of time steps."""
        import math

        return max(1, math.ceil(self.seconds / self.dt - 1e-6))

    def run(self, *, progress: bool | None = None) -> Take:
        """Run it as its file says."""
        return self.scene.run(
            seconds=self.seconds,
            dt=self.dt,
            fps=self.fps,
            device=self.device,
            stepper=self.stepper,
            progress=progress,
        )
