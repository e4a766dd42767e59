"""A scene that is played with: bodies, the hand that holds one, the curve and the recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from pliant.bodies import Body, Deformable
from pliant.control import Damping, Settle
from pliant.errors import is_finite, is_whole, shown
from pliant.problem import Stepper, System
from pliant.scene import Scene
from pliant.solvers import time_budget
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
from .body_curve import BodyCurve
from .curve import Curve
from .grip import Grip
from .pace import Effort
from .recording import Recording

#: So many bodies are followed on their way to rest, and the one in focus.
FOLLOWED = 12


class Act:
    """The scene and what is done to it between two steps of dt [s]; for one thread only.

    Each body has its wish and its curve, of many the first ones; `curve` is that of the body in focus,
    which was chosen or held last. Everything that changes a body starts its clock anew.
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
        self.asked: list[Damping | None] = [
            None for _ in self.given
        ]  # in place of that, if anything
        self.factor = 1.0  # of the stiffness
        self._materials = [(b, b.material) for b in scene.bodies if isinstance(b, Body)]
        self._systems = [body.system(device=device) for body in scene.bodies]
        self.grip: Grip | None = None
        self.recording: Recording | None = None
        self._taken: Callable[[Take], None] | None = None
        self.focus = 0  # the body whose curve is drawn
        self.before = self.positions
        self.curves = [self._new_curve(i) for i in range(len(scene.bodies))]

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
    def curve(self) -> Curve:
        """The curve of the body in focus."""
        return self.curves[self.focus].shown

    def choose(self, index: int) -> None:
        """Put a body in focus."""
        if not (is_whole(index) and 0 <= index < len(self.scene.bodies)):
            raise ValueError(
                f"choose: got {shown(index)}; expected the number of a body, 0 to "
                f"{len(self.scene.bodies) - 1}"
            )
        self.focus = int(index)
        if index >= FOLLOWED:
            self.restart_curves(index)

    def step(self, hand: float, budget: float | None = None) -> Effort:
        """One step of dt, in which the hand moves for so long [s] of wall time.

        budget: the processor time after which its searches are cut short [s]. On an error all is as
        it was before the step.
        """
        bodies = self.scene.bodies
        self._turn_keys()
        self._systems = [body.system(device=self._device) for body in bodies]
        before, changes = self.positions, [body.changes for body in bodies]
        if self.grip is not None:
            at = bodies.index(self.grip.body)
            self.grip.advance(self._systems[at], before[at], hand)
        try:
            with nullcontext() if budget is None else time_budget(budget):
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
        for i, curve in enumerate(self.curves):
            if i >= FOLLOWED and i != self.focus:
                continue
            if changed[i] or not curve.current:
                self.restart_curves(i)
            else:
                curve.add(self._system_of, self.scene.time)
        if self.recording is not None:
            self.recording.add(self._systems, reports)
        return Effort(sum(r.retries for r in reports), sum(r.cuts for r in reports))

    def _turn_keys(self) -> None:
        """Give bodies the dampings whose time has come, but not those that a hand or the panel has."""
        given = [begin.damping_at(self.scene.time) for begin in self._begin]
        if all(new is old for new, old in zip(given, self.given, strict=True)):
            return
        self.given = given
        self._give_wishes(())

    def _give_wishes(self, anew: Sequence[int]) -> None:
        """Give bodies what they are to have now; a held one gets it when it is let go.

        anew: the numbers of those whose clock starts even if they have it already.
        """
        self._lower()
        before = self._wish
        self._wish = [own or given for own, given in zip(self.asked, self.given, strict=True)]
        for i, (body, wish) in enumerate(zip(self.scene.bodies, self._wish, strict=True)):
            if i not in anew and wish is before[i]:
                continue
            if not self._holds(i):
                body.damping = wish
            self.restart_curves(i)

    def _holds(self, index: int) -> bool:
        """Whether a body is in the hand."""
        return self.grip is not None and self.grip.body is self.scene.bodies[index]

    def _system_of(self, part: Deformable) -> System:
        """The prepared form of a body, or of a part that it was cut into."""
        for body, system in zip(self.scene.bodies, self._systems, strict=True):
            if body is part:
                return system
        return part.system(device="cpu")

    def grab(self, index: int, point: np.ndarray) -> None:
        """Take a body in hand at the surface point nearest to a place [m], (3,)."""
        body = self.scene.bodies[index]
        self._lower()
        self.grip = Grip(body, body.positions, point[: body.dim], dt=self.dt)
        self.focus = index
        self.restart_curves(index)

    def let_go(self, flick: np.ndarray | None = None) -> None:
        """Open the hand; flick: the velocity that a body without pins gets from it [m/s], (3,)."""
        if self.grip is None:
            return
        self._lower()
        grip, self.grip = self.grip, None
        index = self.scene.bodies.index(grip.body)
        grip.let_go(self._wish[index])
        if flick is not None:
            grip.throw(flick)
        self.restart_curves(index)

    def settle(self, damping: Damping | None, index: int | None = None) -> None:
        """Give a body, or all, a damping; None gives back their own. A held one gets it when let go."""
        self._require_possible(damping)
        chosen = range(len(self.asked)) if index is None else [index]
        for i in chosen:
            self.asked[i] = damping
        self._give_wishes(chosen if damping is not None else ())

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
        self.restart_curves()

    def gravity(self, value: Any) -> None:
        """Another gravity [m/s^2], (d,)."""
        self._lower()
        self.scene.gravity = value
        self.restart_curves()

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
        self.restart_curves()
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

    def restart_curves(self, index: int | None = None) -> None:
        """Measure a body, or all, from now on."""
        for i in range(len(self.curves)) if index is None else [index]:
            self.curves[i] = self._new_curve(i)

    def _new_curve(self, index: int) -> BodyCurve:
        body, scene = self.scene.bodies[index], self.scene
        return BodyCurve(body, scene.time, scene.gravity, held=self._holds(index))

    def _lower(self) -> None:
        """Bring all bodies back from the device, so that they can be changed."""
        for body, system in zip(self.scene.bodies, self._systems, strict=True):
            body.to_host(system)

    def _require_possible(self, damping: Damping | None) -> None:
        if isinstance(damping, Settle) and isinstance(self._stepper, Implicit):
            damping.gains(self.dt)
