"""A scene that is played with: bodies, the hand that holds one, the curve and the recording."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant.bodies import Body
from pliant.control import Damping, Settle
from pliant.errors import is_finite, shown
from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.step import (
    BDF2,
    XPBD,
    Explicit,
    Implicit,
    LinearisedImplicit,
    Newmark,
    QuasiStatic,
    accept_stepper,
)
from pliant.take import Take

from .beginning import Beginning
from .curve import Curve
from .grip import Grip
from .recording import Recording


class Act:
    """The scene and what is done to it between two steps of dt [s]; for one thread only.

    `curve` is that of the body held last. Everything that changes a body starts its clock anew.
    """

    def __init__(self, scene: Scene, *, dt: float, device: str, stepper: Stepper | None):
        if not isinstance(scene, Scene):
            raise TypeError(f"stage: got {shown(scene)}; expected a scene, as pl.Scene([body])")
        if not (is_finite(dt) and dt > 0.0):
            raise ValueError(f"stage: got dt={shown(dt)}; expected dt > 0 in seconds, e.g. dt=1/60")
        self.scene, self.dt = scene, float(dt)
        if isinstance(stepper, (Explicit, QuasiStatic, Newmark, BDF2, LinearisedImplicit, XPBD)):
            raise ValueError(
                f"stage: got the stepper {type(stepper).__name__}; expected Implicit, since a body "
                "in the hand has no inertia: leave stepper out, or pliant play --set "
                "run.stepper=Implicit"
            )
        self._device, self._stepper = device, accept_stepper(stepper, "stage")
        self._begin = [Beginning(body) for body in scene.bodies]
        self._begin_time = scene.time
        for begin in self._begin:
            for damping in (begin.damping, *(key for _, key in begin.keys)):
                self._require_possible(damping)
        self.given: list[Damping | None] = [begin.damping for begin in self._begin]
        self._wish = list(self.given)
        self.asked: Damping | None = None  # for all bodies, if anything
        self.factor = 1.0  # of the stiffness
        self._materials = [(b, b.material) for b in scene.bodies if isinstance(b, Body)]
        self._systems = [body.system(device=device) for body in scene.bodies]
        self.grip: Grip | None = None
        self.recording: Recording | None = None
        self._taken: Callable[[Take], None] | None = None
        self._focus = 0
        self.before = self.positions
        self.restart_curve()

    @property
    def positions(self) -> list[np.ndarray]:
        """Where the points of every body are [m], (n, d)."""
        bodies = self.scene.bodies
        return [s.to_host(b.state.x) for b, s in zip(bodies, self._systems, strict=True)]

    @property
    def pins(self) -> list[np.ndarray]:
        """Masks of the points that the scene itself holds or drives, (n,)."""
        masks = [body.pinned for body in self.scene.bodies]
        if self.grip is not None:
            masks[self.scene.bodies.index(self.grip.body)][self.grip.points] = False
        return masks

    @property
    def focus(self) -> int:
        """The body whose curve is drawn."""
        return self._focus

    def step(self, hand: float) -> int:
        """One step of dt, in which the hand moves for so long [s] of wall time.

        Returns how often the solver had to begin anew. On an error all is as it was before the step.
        """
        bodies = self.scene.bodies
        self._turn_keys()
        self._systems = [body.system(device=self._device) for body in bodies]
        before, changes = self.positions, [body.changes for body in bodies]
        if self.grip is not None:
            at = bodies.index(self.grip.body)
            self.grip.advance(self._systems[at], before[at], hand)
        try:
            reports = self.scene.step(self.dt, device=self._device, stepper=self._stepper)
        except BaseException:  # an interrupt, too
            if self.grip is not None:
                self.grip.undo()
            raise
        changed = [body.changes != known for body, known in zip(bodies, changes, strict=True)]
        if any(changed):  # by cuts and tears
            self._systems = [body.system(device=self._device) for body in bodies]
            now = self.positions
            before = [x if len(x) == len(y) else y for x, y in zip(before, now, strict=True)]
        self.before = before
        body, system = bodies[self._focus], self._systems[self._focus]
        if changed[self._focus]:
            self.restart_curve()
        elif self.grip is None or self.grip.body is not body:
            self.curve.add(system, self.scene.time, system.to_host(body.state.x))
        if self.recording is not None:
            self.recording.add(self._systems, reports)
        return sum(report.retries for report in reports)

    def _turn_keys(self) -> None:
        """Give bodies the dampings whose time has come, but not those that a hand or the panel has."""
        given = [begin.damping_at(self.scene.time) for begin in self._begin]
        if all(new is old for new, old in zip(given, self.given, strict=True)):
            return
        self.given = given
        if self.asked is None:
            self._give_wishes()

    def _give_wishes(self) -> None:
        """Give bodies what they are to have now; a held one gets it when it is let go."""
        self._lower()
        before = self._wish
        self._wish = [self.asked or given for given in self.given]
        for body, old, wish in zip(self.scene.bodies, before, self._wish, strict=True):
            held = self.grip is not None and self.grip.body is body
            if not held and (wish is not old or self.asked is not None):
                body.damping = wish
        self.restart_curve()

    def grab(self, index: int, point: np.ndarray) -> None:
        """Take a body in hand at the surface point nearest to a place [m], (3,)."""
        body = self.scene.bodies[index]
        self._lower()
        self.grip = Grip(body, body.positions, point[: body.dim], dt=self.dt)
        self._focus = index
        self.curve = Curve()

    def let_go(self) -> None:
        """Open the hand."""
        if self.grip is None:
            return
        self._lower()
        grip, self.grip = self.grip, None
        grip.let_go(self._wish[self.scene.bodies.index(grip.body)])
        self.restart_curve()

    def settle(self, damping: Damping | None) -> None:
        """Give all bodies a damping; None gives back their own. A held one gets it when let go."""
        self._require_possible(damping)
        self.asked = damping
        self._give_wishes()

    @property
    def stiffened(self) -> set[str]:
        """The names of the bodies whose stiffness `factor` multiplies: solids."""
        return {body.name for body, _ in self._materials}

    def stiffen(self, factor: float) -> None:
        """Multiply the stiffness that bodies were given by a factor."""
        if not (is_finite(factor) and factor > 0.0):
            raise ValueError(f"stiffness: got {factor!r}; expected a factor > 0, e.g. 2.0")
        self._lower()
        for body, material in self._materials:
            body.material = material.scaled(factor)
        self.factor = float(factor)
        self.restart_curve()

    def gravity(self, value: Any) -> None:
        """Another gravity [m/s^2], (d,)."""
        self._lower()
        self.scene.gravity = value
        self.restart_curve()

    def reset(self) -> None:
        """Back to how the scene began, with the present settings; a recording begins anew."""
        self.let_go()
        self._lower()
        self.scene.time = self._begin_time
        changed = [begin.put_back() for begin in self._begin]
        for body, material in self._materials:
            if changed[self.scene.bodies.index(body)] and self.factor != 1.0:
                body.material = material.scaled(self.factor)
        self._turn_keys()
        self._systems = [body.system(device=self._device) for body in self.scene.bodies]
        self.before = self.positions
        self.restart_curve()
        if self.recording is not None:  # the times of a take only grow
            self._begin_recording()

    def record(self, taken: Callable[[Take], None]) -> None:
        """Keep every step from now on; `taken` gets them."""
        self._taken = taken
        self._begin_recording()

    def _begin_recording(self) -> None:
        self._lower()
        self.recording = Recording(self.scene, self._systems, self.dt)

    def cut(self) -> None:
        """End the recording and hand over the take."""
        recording, self.recording = self.recording, None
        if recording is None or recording.frames < 2:
            raise ValueError("record: nothing was recorded; press Record and let the scene run")
        assert self._taken is not None
        self._taken(recording.take())

    def restart_curve(self) -> None:
        """Measure from now on."""
        held = self.grip is not None and self.grip.body is self.scene.bodies[self._focus]
        body, x = self.scene.bodies[self._focus], self.positions[self._focus]
        began = (self.scene.time, x, self.scene.gravity)
        self.curve = Curve() if held else Curve.since(body, *began)

    def _lower(self) -> None:
        """Bring all bodies back from the device, so that they can be changed."""
        for body, system in zip(self.scene.bodies, self._systems, strict=True):
            body.to_host(system)

    def _require_possible(self, damping: Damping | None) -> None:
        if isinstance(damping, Settle) and isinstance(self._stepper, Implicit):
            damping.gains(self.dt)
