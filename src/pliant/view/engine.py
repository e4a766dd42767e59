"""The simulation behind the stage: one thread that owns the bodies, and takes wishes from others."""

from __future__ import annotations

import logging
import threading
import time as clock
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pliant.backend import one_thread
from pliant.control import Damping
from pliant.errors import SolverError, is_finite, is_whole, shown
from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.take import Take

from .act import Act
from .mailbox import Mailbox
from .observe import Mood, observe
from .pace import NO_EFFORT, Effort, Pace
from .snapshot import StageSnapshot
from .tape import Tape
from .trail import Trails, place_of

log = logging.getLogger("pliant")

#: How long a paused engine sleeps between two looks at its mailbox [s].
NAP = 0.2
#: Processor time after which the searches of a step are cut short on the stage [s]: no slider stalls it.
BUDGET = 0.1
#: Steps in one call of `tick`: wishes are heard only between calls.
MOST_TICKS = 10_000


class Engine:
    """Runs a scene in real time in its own thread, with steps of dt [s].

    All methods up to `start` may be called from any thread: they leave a wish, which is carried out
    between two steps. `snapshot` is the newest state. `tick` does by hand what the thread does.
    A step that fails pauses the engine and says why; `reset` makes it go on.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        dt: float = 1 / 60,
        device: str = "cpu",
        stepper: Stepper | None = None,
    ):
        self.act = Act(scene, dt=dt, device=device, stepper=stepper)
        self._mail = Mailbox()
        self._pace = Pace(self.act.dt, clock.perf_counter())
        self._holder: Any = None  # who grabbed: several browsers may look, one hand pulls
        self._mood = Mood()
        self._trails = Trails()
        self.tape = Tape()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self.snapshot = self._now()

    def grab(self, body: int, point: Any, *, who: Any = None) -> None:
        """Take a body in hand at the surface point nearest to a place [m], (3,)."""
        self._trails.begin(who)

        def go() -> None:
            if self.act.grip is None and not self._mood.failed:
                self.act.grab(body, place_of("grab", point))
                self._holder, self._mood.message = who, ""

        self._mail.post(go)

    def pull(self, to: Any, *, who: Any = None) -> None:
        """Move the hand [m], (3,)."""
        self._trails.add(who, self._hand_time(), to)

        def go() -> None:
            if self.act.grip is not None and self._holder == who:
                self.act.grip.pull(place_of("pull", to))

        self._mail.post(go, key=f"pull {who}")

    def let_go(self, *, who: Any = None) -> None:
        """Open the hand; the clock of `rest_in` starts.

        A body without pins flies on as fast as the pointer moved at last.
        """
        flick = self._trails.end(who, self._hand_time())

        def go() -> None:
            if self._holder == who:
                self.act.let_go(None if flick is None else flick / self._pace.scale)

        self._mail.post(go)

    def settle(self, damping: Damping | None, body: int | None = None) -> None:
        """Give a body, or all, a damping at once; None gives back their own. Their clocks start anew."""
        self._set(lambda: self.act.settle(damping, body), f"settle {body}")

    def choose(self, body: int) -> None:
        """Put a body in focus: its curve is drawn, and it is told of first."""
        self._set(lambda: self.act.choose(body), "choose")

    def stiffen(self, factor: float) -> None:
        """Multiply the stiffness that bodies were given by a factor."""
        self._set(lambda: self.act.stiffen(factor), "stiffen")

    def gravity(self, value: Any) -> None:
        """Another gravity [m/s^2], (d,)."""
        self._set(lambda: self.act.gravity(value), "gravity")

    def show_contacts(self, shown: bool) -> None:
        """Whether snapshots have what touches."""

        def go() -> None:
            self._mood.contacts = bool(shown)

        self._set(go, "contacts")

    def speed(self, scale: float) -> None:
        """Simulated seconds per second on the wall."""

        def go() -> None:
            if not (is_finite(scale) and scale > 0.0):
                raise ValueError(f"time scale: got {scale!r}; expected a number > 0, e.g. 0.5")
            self._pace.scale = float(scale)
            self._pace.resume(clock.perf_counter())

        self._set(go, "speed")

    def pause(self, paused: bool = True) -> None:
        """Pause, or continue. A scene that failed continues only after `reset`."""
        self._mail.post(lambda: self._pause(paused))

    def step(self) -> None:
        """Make one step, and pause."""

        def go() -> None:
            self._mood.paused = True
            if not self._mood.failed:
                self._step()

        self._mail.post(go)

    def reset(self) -> None:
        """Back to how the scene began, with the present settings."""

        def go() -> None:
            again = self.act.recording is not None
            self.act.reset()
            self._mood.failed = False
            self._mood.message = "the recording began anew at the reset" if again else ""
            self._pause(False)

        self._mail.post(go)

    def record(self, taken: Callable[[Take], None]) -> None:
        """Keep every step from now on; `taken` gets them, in the thread of the simulation."""
        self._mail.post(lambda: self.act.record(taken))

    def cut(self) -> None:
        """End the recording."""
        self._mail.post(self.act.cut)

    def ask(self, question: Callable[[], None]) -> None:
        """Run a function between two steps, while nothing moves."""
        self._mail.post(question)

    def say(self, message: str) -> None:
        """Show a line on the page."""
        self._mail.post(lambda: setattr(self._mood, "message", message))

    def start(self, *, waiting: bool = False) -> None:
        """Run until `stop`. waiting: nothing moves before `begin`."""
        if self._thread is not None:
            raise RuntimeError("this engine was started already; make another Engine(scene)")
        self._mood.waiting = waiting
        self.snapshot = self._now()
        self._thread = threading.Thread(target=self._run, name="pliant-stage", daemon=True)
        self._thread.start()

    def begin(self) -> None:
        """Let go on what waits for the first page; does nothing the second time."""

        def go() -> None:
            if self._mood.waiting:
                self._mood.waiting = False
                self._pace.resume(clock.perf_counter())

        self._mail.post(go)

    def stop(self) -> None:
        """End the thread after the step it is in."""
        self._stopping.set()
        self._mail.post(lambda: None)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def tick(self, steps: int = 1) -> None:
        """Carry out the wishes, then make so many steps, unless paused."""
        if not (is_whole(steps) and 0 <= steps <= MOST_TICKS):
            raise ValueError(
                f"tick: got steps={shown(steps)}; expected a whole number up to {MOST_TICKS}, e.g. 1"
            )
        self._tick(int(steps))

    def _tick(self, steps: int, budget: float | None = None) -> None:
        errands = self._mail.take()
        for errand in errands:
            self._carry_out(errand)
        for _ in range(steps):
            if not self._mood.paused:
                self._step(budget)
        if errands or steps:
            self.snapshot = self._now()
            self.tape.add(self.snapshot)

    def _run(self) -> None:
        with one_thread():
            self._pace.resume(clock.perf_counter())
            while not self._stopping.is_set():
                stands = self._mood.paused or self._mood.waiting
                wait = NAP if stands else self._pace.wait(clock.perf_counter())
                if wait > 0.0:
                    self._mail.wait(wait)
                if not self._stopping.is_set():
                    due = not stands and self._pace.wait(clock.perf_counter()) == 0.0
                    # The first step may have to compile kernels, which is no work of its own.
                    budget = BUDGET if self._mood.steps else None
                    try:
                        self._tick(1 if due else 0, budget)
                    except Exception as error:  # a thread that dies says nothing to the page
                        self._fail(error)
                        self.snapshot = replace(
                            self.snapshot, message=self._mood.message, failed=True, paused=True
                        )

    def _step(self, budget: float | None = None) -> None:
        began, solved, effort = clock.perf_counter(), False, NO_EFFORT
        try:
            effort = self.act.step(self.act.dt / self._pace.scale, budget)
            self._mood.steps, solved = self._mood.steps + 1, True
        except Exception as error:
            effort = Effort(retries=1)
            if isinstance(error, SolverError) and self.act.grip is not None:
                if not self.act.grip.slow_down():  # too far: no reason to stop the show
                    self.act.let_go()
                    self._mood.message = f"let go, since this pull could not be solved: {error}"
            else:
                self._fail(error)
        self._pace.stepped(began, clock.perf_counter(), solved=solved, effort=effort)
        if self.act.recording is not None and self.act.recording.full:
            self._carry_out(self.act.cut)

    def _carry_out(self, errand: Callable[[], None]) -> None:
        """Carry out a wish. If it is refused, the page says why, and the scene goes on."""
        try:
            errand()
        except (ValueError, SolverError, OSError) as error:
            self._mood.message = str(error)
        except Exception as error:
            self._fail(error)

    def _set(self, errand: Callable[[], None], key: str) -> None:
        def go() -> None:
            self._mood.message = "" if not self._mood.failed else self._mood.message
            errand()

        self._mail.post(go, key=key)

    def _pause(self, paused: bool) -> None:
        self._mood.paused = paused or self._mood.failed
        self._pace.resume(clock.perf_counter())

    def _fail(self, error: Exception) -> None:
        log.error("the stage stands still: %s", error, exc_info=not isinstance(error, SolverError))
        self._mood.failed = self._mood.paused = True
        if isinstance(error, SolverError):
            self._mood.message = f"this step could not be solved: {error}."
            return
        self._mood.message = f"something went wrong in pliant: {type(error).__name__}: {error}."

    def _hand_time(self) -> float:
        """The time in which hands move [s]: of the wall, or of a scene that is stepped by hand."""
        by_hand = self._thread is None
        return self.act.scene.time / self._pace.scale if by_hand else clock.perf_counter()

    def _now(self) -> StageSnapshot:
        return observe(self.act, self._pace, self._mood)
