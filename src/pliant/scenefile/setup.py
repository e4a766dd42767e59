"""A scene that is ready to run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.errors import ImpossibleWishError, SolverError, in_scene
from pliant.io import TakeFolder, load
from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.step import XPBD, Implicit, QuasiStatic
from pliant.take import Show, Take

from .source import Here


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
    loop: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the bodies, in the order of the file."""
        return [body.name for body in self.scene.bodies]

    @property
    def bodies(self) -> dict[str, Deformable]:
        """The bodies by name."""
        return {body.name: body for body in self.scene.bodies}

    @property
    def steps(self) -> int:
        """The number of time steps."""
        return max(1, math.ceil(self.seconds / self.dt - 1e-6))

    def run(self, *, progress: bool | None = None) -> Take:
        """Run it as its file says."""
        return self._simulate(self.seconds, progress, None)

    def _simulate(self, seconds: float, progress: Show, into: TakeFolder | None) -> Take:
        """A run, or a loop, of some seconds."""
        how: dict[str, Any] = {
            "dt": self.dt,
            "fps": self.fps,
            "device": self.device,
            "stepper": self.stepper,
            "progress": progress,
            "into": into,
        }
        if self.loop:
            return self.scene.loop(seconds, **how)
        return self.scene.run(seconds=seconds, **how)

    def run_into(self, store: TakeFolder, *, resume: bool = False, progress: Show = None) -> Take:
        """Run it into a folder; resume: go on where the run of the take that is there ended."""
        length = self.seconds
        if resume and self.loop:
            raise ValueError(
                f"{store.path} is a loop, which is not taken up; run it with --overwrite"
            )
        if resume:
            length -= store.resume(self.scene, device=self.device)
        if length <= 0.5 * self.dt:
            return load(store.path)
        return self._simulate(length, progress, store)

    @property
    def steps_per_frame(self) -> int:
        """The number of time steps from one frame of the take to the next."""
        return 1 if self.fps is None else round(1.0 / (self.fps * self.dt))


def lay_to_rest(body: Deformable, scene: Scene, here: Here) -> None:
    """Place a body where gravity and its loads let it rest."""
    try:
        body.place(body.rest_shape(scene.gravity))
    except SolverError as error:
        raise here.error(f"it finds no rest: {in_scene(error)}") from error


def hang_as_drawn(body: Deformable, scene: Scene, here: Here) -> None:
    """Give a body the rest shape with which it hangs where it starts."""
    velocity = body.velocity
    try:
        with here:
            body.rest_at(gravity=scene.gravity)
    except SolverError as error:
        raise here.error(in_scene(error)) from error
    body.velocity = velocity


def check_stepper(setup: Setup, here: Here) -> None:
    """Refuse a stepper that a body is not made for."""
    if not isinstance(setup.stepper, XPBD):
        return
    for name, body in setup.bodies.items():
        if not body.of_conditions:
            raise here.error(
                f"got XPBD, which moves springs, cloth and preserving only, and {name} is "
                f'a {type(body).__name__}; expected "Implicit"'
            )


def check_wish(setup: Setup, name: str, here: Here) -> None:
    """Refuse a damping that a run would refuse, with its place and in the words of the file."""
    body, damping = setup.bodies[name], setup.bodies[name].damping
    here = here / ("settle" if isinstance(damping, Settle) else "damping")
    if damping.controlled and not isinstance(setup.stepper, (Implicit, QuasiStatic)):
        raise here.error(
            f"{type(damping).__name__} needs the implicit step; expected stepper = "
            '"Implicit" in [run], or damping = { model = "StrainRate", ... }'
        )
    if damping.controlled and setup.scene.obstacles:
        with here:
            body.system(device=setup.device)  # refuses contact of what may fall
    hops = setup.scene.lands and not body.pinned.any()  # bounces of what lands
    if isinstance(damping, Settle) and isinstance(setup.stepper, Implicit) and not hops:
        try:
            damping.gains(setup.dt)
        except ImpossibleWishError as error:
            raise here.error(in_scene(error)) from error
