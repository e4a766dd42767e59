"""A scene: bodies, gravity, and time."""

from __future__ import annotations

import logging
import time as clock
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.backend import check_device, computing, one_thread, parallel
from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.contact import FrameContacts
from pliant.declared import parameters_of
from pliant.errors import shown
from pliant.given import check_dt, gravity_of, path_of, steps_and_frames
from pliant.problem import BodyProblem, Island, Loads, Problem, Stepper as Stepper
from pliant.solvers import Report
from pliant.step import XPBD, Implicit, SceneState, accept_stepper, step
from pliant.take import InMemory, Recorder, Show, Store, Take, progress_bar

from .cut_bodies import (
    brought_together,
    check_ties,
    divided,
    summed,
    told,
    whole_positions,
    whole_reports,
    whole_systems,
)
from .equilibria import rest_shapes
from .islands import make_islands
from .lifting import crossing_now, start_apart
from .looping import periodic, require_loop
from .preparing import contact_on_host, prepare
from .reduced_bodies import check_reduced
from .scene_contact import SceneContact
from .separating import ways_apart
from .starts import check_start, inside_out, warn_if_thrown
from .status import tell_travel, warn_of_shapes
from .ties import Tie, check_tie, held_by_ties
from .together import set_together

log = logging.getLogger("pliant")


class Scene:
    """Bodies that share gravity [m/s^2], obstacles and time. Gravity is zero unless given.

    contact: how bodies touch each other, themselves and obstacles, e.g. pl.Contact(friction=0.4).
    Without a word they touch with a friction of 0.3, and pairs that start inside of each other are left
    out, with a warning. False: bodies touch obstacles, but neither each other nor themselves.
    """

    def __init__(
        self,
        bodies: Sequence[Deformable] | Deformable,
        *,
        gravity: Any = None,
        contact: Contact | bool | None = None,
    ):
        if not isinstance(bodies, (Deformable, Sequence)):
            raise TypeError(f"Scene: got {type(bodies).__name__}; expected pl.Scene([body])")
        self.bodies = [bodies] if isinstance(bodies, Deformable) else list(bodies)
        if not self.bodies:
            raise ValueError("Scene: got no bodies; expected pl.Scene([body])")
        for body in self.bodies:
            if not isinstance(body, Deformable):
                raise TypeError(f"Scene: got {type(body).__name__}; expected pl.Body(...)")
        if len({id(b) for b in self.bodies}) < len(self.bodies):
            raise ValueError("Scene: the same body was given twice")
        dims = {body.dim for body in self.bodies}
        if len(dims) > 1:
            raise ValueError("Scene: got 2D and 3D bodies together; put them in two scenes")
        self.dim = dims.pop()
        self.gravity = gravity
        self.obstacles: tuple[Obstacle, ...] = ()
        self.ties: tuple[Tie, ...] = ()
        self._islands: tuple[Island, ...] = ()  # made last, to be used again
        self._parted: tuple[int, ...] = ()  # `changes` of bodies whose start is known to be apart
        self._stepper: Stepper = Implicit()  # of the last run
        self.contact = contact
        self.time = 0.0
        self.settings: dict[str, Any] = {}  # of the last run, for takes

    def __repr__(self) -> str:
        names = ", ".join(repr(body.name) for body in self.bodies)
        return f"<Scene of {names} at {self.time:.3g} s>"

    def _repr_html_(self) -> str:
        """Its bodies where they are now, for notebooks."""
        from pliant import io

        return io.inline_scene(self.bodies, list(self.obstacles), self.gravity, self.time)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy in another process needs: all but what was prepared."""
        return self.__dict__ | {"_islands": (), "_parted": ()}

    def add(self, *things: Obstacle | Tie) -> None:
        """Put obstacles in the way of all bodies, or tie bodies to each other.

        As in scene.add(pl.Sphere((0, 0, 0), 0.3)) and scene.add(pl.Tie(rope, [20], block, [3])).
        """
        for o in things:
            if isinstance(o, Tie):
                check_tie(o, self.bodies)
                continue
            if not isinstance(o, Obstacle):
                raise TypeError(
                    f"add: got {type(o).__name__}; expected e.g. pl.Sphere(...) or pl.Tie(...)"
                )
            if o.dim != self.dim:
                raise ValueError(f"add: got {o!r} in {o.dim}D; the bodies are in {self.dim}D")
        self.obstacles += tuple(o for o in things if isinstance(o, Obstacle))
        ties = tuple(o for o in things if isinstance(o, Tie))
        self.ties += ties
        self._islands, self._parted = (), ()
        for tie in ties:
            for body in tie.bodies:
                body.restart_clock()
        for body in self.moving:
            body.forget_bristles()

    @property
    def moving(self) -> list[Deformable]:
        """What moves by itself: bodies, and of those that were cut all parts."""
        return [part for body in self.bodies for part in body.parts]

    @property
    def contact(self) -> Contact | bool | None:
        """How bodies touch; may be set between runs."""
        return self._contact.given

    @contact.setter
    def contact(self, value: Contact | bool | None) -> None:
        self._contact, self._islands, self._parted = SceneContact(value), (), ()
        for body in self.moving:
            body.forget_bristles()

    def _rule(self, stepper: Stepper, device: str) -> Contact | None:
        """The contact of a run; None: nothing touches but obstacles, which push points."""
        return self._contact.rule(self.moving, self.obstacles, self.ties, stepper, device)

    def _meet(self, pushing: tuple[Obstacle, ...]) -> None:
        """Tell all bodies of obstacles that push them: none if contact or the stepper sees to them."""
        if isinstance(self._stepper, XPBD):
            pushing = ()
        for body in self.moving:
            if body.obstacles != pushing:
                body.meet(pushing)

    def has_contact(self, stepper: Stepper, device: str = "cpu") -> bool:
        """Whether nothing passes through anything in a run; refuses what cannot be combined."""
        return self._rule(stepper, device) is not None

    @property
    def lands(self) -> bool:
        """Whether a body in flight may touch something, from when on it then counts."""
        rule = self._rule(self._stepper, str(self.settings.get("device", "cpu")))
        return rule is not None and len(self.moving) + len(self.obstacles) > 1

    def tied(self, body: Deformable) -> bool:
        """Whether ties hold a body that could move rigidly without them: all of its motion counts."""
        held = held_by_ties(self.bodies, self.ties)
        return any(one for one, known in zip(held, self.bodies, strict=True) if known is body)

    @property
    def gravity(self) -> np.ndarray:
        """[m/s^2], shape (d,)."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        self._gravity = gravity_of(value, self.dim)
        for body in self.moving:
            body.restart_clock()

    def run(
        self,
        *,
        seconds: float,
        dt: float = 1 / 60,
        device: str = "cpu",
        fps: float | None = None,
        stepper: Stepper | None = None,
        progress: Show = None,
        into: str | Path | Store | None = None,
    ) -> Take:
        """Simulate, and return what happened.

        Starts from what the bodies hold and leaves them where they ended, so that a second run
        continues. Frame 0 is the start; every step is a frame unless `fps` is given. progress: a bar
        on a terminal by default, or a function of (steps done, steps). into: a folder such as
        "beam.zarr" that frames are written to as they come, instead of memory. If a step fails, or
        the run is interrupted, the error has the frames so far in `error.take`; all bodies are as
        after the last whole step, and a second run goes on as if nothing had happened.
        """
        steps, every = steps_and_frames(seconds, dt, fps)
        dt = float(dt)
        stepper = accept_stepper(stepper, "run")
        store, before = self._store(into), self._kept()
        try:
            problem = self._check_start(self.problem(device, stepper), device, moves=True)
            if parallel(device):
                tell_travel(problem, self._loads(), self._why_on_host())
            self._take_up(stepper, dt)
            self.settings = _settings(
                stepper, seconds=float(seconds), dt=dt, fps=fps, device=device
            )
            store.begin(self, steps // every + 1, steps, dt)
            recorder = Recorder(self, whole_systems(self.bodies, problem.systems), store)
        except BaseException:
            self._put_back(before)
            raise
        started = clock.perf_counter()
        with one_thread(), progress_bar(steps, "simulating", progress) as advance:
            try:
                for k in range(steps):
                    problem, reports = self._step(problem, dt, device)
                    before = []  # from here on there is something to go on from
                    recorder.step(whole_systems(self.bodies, problem.systems), reports)
                    if (k + 1) % every == 0:
                        recorder.frame()
                    advance()
            except BaseException as error:
                self._put_back(before)  # another stepper finds all as it was
                self._to_host(problem)
                error.take = store.take()  # type: ignore[attr-defined]
                raise
        self._to_host(problem)
        warn_of_shapes(self.moving, problem)
        spent = clock.perf_counter() - started
        log.info("%d steps of %g s in %.2f s, %.1f ms each", steps, dt, spent, 1e3 * spent / steps)
        return store.take()

    def loop(
        self,
        period: float,
        *,
        dt: float = 1 / 60,
        device: str = "cpu",
        fps: float | None = None,
        stepper: Stepper | None = None,
        tolerance: float = 5e-4,
        periods: int = 200,
        progress: Show = None,
        into: str | Path | Store | None = None,
    ) -> Take:
        """The motion that repeats after a period [s]: a take whose last frame is its first.

        For pins, loads and obstacles that repeat after `period`, a whole number of steps. There is no
        preroll in the take. tolerance: of the seam, as a share of the amplitude of positions, and of the
        largest speed. periods: how many are tried before it is refused. progress: of the last period.
        Bodies are left where they ended, which is where they began.

            body.move(root, lambda t: at + 0.1 * np.sin(2 * np.pi * t) * [0, 1, 0])
            take = pl.Scene([body]).loop(1.0, dt=1 / 60)
        """
        period, dt = check_dt("loop", period, "period"), check_dt("loop", dt)
        require_loop(self, period, dt, tolerance, periods)
        how: dict[str, Any] = {"dt": dt, "device": device, "stepper": stepper}
        before = self._kept()

        def run(last: bool) -> Take:
            given = (
                {"fps": fps, "progress": progress, "into": into} if last else {"progress": False}
            )
            return self.run(seconds=period, **how, **given)

        try:
            return periodic(self, period, float(tolerance), int(periods), run)
        except BaseException:
            self._put_back(before)
            raise

    def step(
        self, dt: float, *, device: str = "cpu", stepper: Stepper | None = None
    ) -> list[Report]:
        """Take one step and record nothing, for programs with a clock of their own.

        Returns what the solver did for each body; on an error all bodies are as they were, clocks
        included, to the last bit.
        """
        dt = check_dt("step", dt)
        stepper = accept_stepper(stepper, "step")
        problem = self.problem(device, stepper)
        if self._parted != self._changes():
            problem = self._part(problem, device)
        with one_thread():
            problem, reports = self._step(problem, dt, device)
        self._to_host(problem)
        return reports

    def equilibrium(self, *, device: str = "cpu") -> Take:
        """The static answer from where the bodies are now, as a take of one frame.

        Refused where it does not exist (a free body under a net load) or is unstable. Changes
        nothing: a run goes on as if it had not been asked.
        """
        before = self._kept()
        try:
            for body in self.bodies:
                body.apply_events(self.time)
            problem = self.problem(device, Implicit())
            for body in self.moving:
                body.prepare(self.time)
            problem = self._check_start(problem, device, moves=False)
            found, reports = [], []
            with one_thread():
                states = [body.state for body in self.moving]
                for x, report in rest_shapes(problem, states, self._loads()):
                    found.append(x)
                    reports.append(report)
            store = InMemory()
            store.begin(self, 1, 1, 0.0)
            systems, reports = (
                whole_systems(self.bodies, problem.systems),
                whole_reports(self.bodies, reports),
            )
            at = whole_positions(self.bodies, found)
            Recorder(self, systems, store, positions=at).step(systems, reports)
            return store.take()
        finally:
            self._put_back(before)

    def separate(self) -> dict[str, np.ndarray]:
        """Pull solids that overlap apart; returns how far each was moved [m], by its name.

        Contact refuses a start that intersects. The ways are short: each pair parts in one of the
        directions of its facets, and both bodies go, or the one that no pin holds. Sheets and lines that
        are tangled, and bodies that go through themselves, are refused.
        """
        meeting = self.problem("cpu", Implicit()).meeting
        if meeting is None:
            raise ValueError(
                "separate: got dampings that contact is not for; expected e.g. damping = None"
            )
        system, moved = meeting.island.system, {}
        with one_thread():
            ways = ways_apart(self.moving, self.obstacles, system)
        for body, way in zip(self.moving, ways, strict=True):
            if way.any():
                body.place(body.positions + way)
                moved[body.name] = way
        return moved

    @staticmethod
    def _store(into: str | Path | Store | None) -> Store:
        if into is None:
            return InMemory()
        if not isinstance(into, (str, Path)):
            if not isinstance(into, Store):
                raise TypeError(
                    f'run: got into={shown(into)}; expected the name of a folder, e.g. into="beam.zarr"'
                )
            return into
        from pliant.io import store_at

        return store_at(path_of("run(into=...)", into))

    def _loads(self) -> list[Loads]:
        """What acts on each body now."""
        return [Loads.of(b, b.state.x, self.time, self.gravity) for b in self.moving]

    def _take_up(self, stepper: Stepper, dt: float) -> None:
        """Prepare all bodies for steps of dt."""
        now = [(body, body.damping) for body in self.moving]
        later = [(body, key) for body in self.bodies for key, _ in body.keyed_dampings[1:]]
        for body, damping in (*now, *later):
            damping.check_body(body)
            lands = self.lands and not body.pinned.any()
            if isinstance(stepper, Implicit) and not lands:  # bounces of what lands are hops
                damping.check_dt(dt)
        for body in self.moving:
            if body.state.stepper is not type(stepper):
                body.meet_stepper(type(stepper))

    @computing
    def problem(
        self, device: str, stepper: Stepper | None = None, before: Problem | None = None
    ) -> Problem:
        """All bodies, prepared for steps. Bodies that have not changed are not prepared again."""
        check_device(device)
        self._stepper = stepper or self._stepper
        check_reduced(self.moving, self._stepper)
        check_ties(self.ties)
        rule = self._rule(self._stepper, device)
        obstacles = self.obstacles if rule is None else ()
        self._meet(obstacles)
        tied = {id(body) for tie in self.ties for body in tie.bodies}
        if rule is not None and self._why_on_host():
            tied = {id(body) for body in self.moving}
        systems = prepare(self.moving, device, before, on_host=tied, together=rule is not None)
        pairs = zip(self.moving, systems, strict=True)
        prepared = [BodyProblem(b.name, system, b.damping, obstacles) for b, system in pairs]
        self._islands = make_islands(self.moving, prepared, self.ties, self._islands)
        meeting = None
        if rule is not None:
            known = (self.moving, prepared, self.obstacles, self.ties, self._islands)
            meeting = self._contact.meeting(rule, *known)
        return Problem(tuple(prepared), self._stepper, self._islands, meeting)

    def _why_on_host(self) -> str | None:
        """Why a device cannot compute the contact of this scene, or None."""
        return contact_on_host(self.moving, self.obstacles, self.ties, self._stepper)

    def touching(self, positions: Sequence[Any]) -> tuple[FrameContacts | None, np.ndarray]:
        """What touches now at positions of all bodies, and the barrier's energy of each [J]."""
        each = divided(self.bodies, positions)
        contacts, energies = self._contact.touching(self.moving, each, self.time)
        return told(self.bodies, contacts), summed(self.bodies, energies)

    @computing
    def _step(self, problem: Problem, dt: float, device: str) -> tuple[Problem, list[Report]]:
        """One step of all bodies, or of none if it fails. Returns the problem, which may be new."""
        before = self._kept()
        try:
            was_cut = self._apply_events(problem)
            if not self._is_current(problem):
                problem = self.problem(device, problem.stepper, problem)
            if was_cut:
                problem = self._check_cut(problem, device)
            time, states = self.time + dt, tuple(body.state for body in self.moving)
            loads = [
                Loads.of(body, state.x, time, self.gravity)
                for body, state in zip(self.moving, states, strict=True)
            ]
            new, reports = step(problem, SceneState(self.time, states), loads, dt)
            replaced = [(b, "_state", s) for b, s in zip(self.moving, new.bodies, strict=True)]
            whole = brought_together(self.bodies, new.bodies)
            set_together([(self, "time", new.time), *replaced, *whole])
            for body, state in zip(self.moving, states, strict=True):
                body.account(state, new.time, self.gravity)
        except BaseException:  # an interrupt, too
            self._put_back(before)
            raise
        return problem, whole_reports(self.bodies, reports)

    def _apply_events(self, problem: Problem) -> bool:
        """Make the changes that wait for this time, such as cuts; whether there was a cut."""
        moving, meshes = self.moving, [body.mesh for body in self.bodies]
        parted = self._parted == self._changes()
        for body in self.bodies:
            body.apply_events(self.time)
        for body, known in zip(moving, problem.bodies, strict=True):
            if body.prepared is not known.system:
                body.to_host(known.system)
        changed = [b for b, m in zip(self.bodies, meshes, strict=True) if b.mesh is not m]
        if changed:
            for body in self.moving:  # contacts are numbered anew
                body.forget_bristles()
            if parted:  # a blade leaves what it parts apart
                self._parted = self._changes()
        return any(body.touches_itself for body in changed)  # what tears does not

    def _check_cut(self, problem: Problem, device: str) -> Problem:
        """Let parts that a blade has drawn into each other pass, with a warning."""
        pairs = zip(self.moving, problem.systems, strict=True)
        self._contact.begin([inside_out(body, system) for body, system in pairs])
        problem = self.problem(device, problem.stepper, problem)
        while problem.meeting is not None:
            if self._contact.lenient and not problem.meeting.near(self._positions(), self.time):
                break
            crossing = crossing_now(self.moving, problem.meeting.island.system, self.time)
            if not crossing:
                break
            self._contact.leave_out(crossing, cut_at=self.time)
            problem = self.problem(device, problem.stepper, problem)
        return problem

    def _is_current(self, problem: Problem) -> bool:
        """Whether nothing that a problem is made of has changed."""
        if len(self.moving) != len(problem.bodies):
            return False
        return problem.islands is self._islands and all(
            body.prepared is known.system
            and body.damping is known.damping
            and (not known.obstacles or known.obstacles is self.obstacles)
            for body, known in zip(self.moving, problem.bodies, strict=True)
        )

    def _kept(self) -> list[tuple[Any, str, Any]]:
        """References to all that a step replaces."""
        kept: list[tuple[Any, str, Any]] = [(self, "time", self.time)]
        kept.append((self, "_parted", self._parted))
        for body in {id(b): b for b in (*self.bodies, *self.moving)}.values():
            kept += body.kept()
        return kept

    def _put_back(self, kept: list[tuple[Any, str, Any]]) -> None:
        set_together(kept)
        if kept:
            for body in self.moving:
                body.prepare(self.time)

    def _to_host(self, problem: Problem) -> None:
        for body, prepared in zip(self.moving, problem.bodies, strict=True):
            body.to_host(prepared.system)

    @computing
    def _check_start(self, problem: Problem, device: str, *, moves: bool) -> Problem:
        """Refuse a start that cannot be. Returns the problem, with pairs left out that intersect."""
        for body, known in zip(self.moving, problem.bodies, strict=True):
            check_start(body, known.system, self.obstacles if self._contact.lenient else ())
            if moves and known.obstacles and self.time == 0.0:
                load = body.loads_at(body.state.x, self.time, self.gravity)
                warn_if_thrown(body, known, load)
        return problem if self._parted == self._changes() else self._part(problem, device)

    @computing
    def _part(self, problem: Problem, device: str) -> Problem:
        """Lift what touches to the gap; refuse what intersects, or let it pass."""
        if problem.meeting is not None:
            pairs = zip(self.moving, problem.systems, strict=True)
            inverted = [inside_out(body, system) for body, system in pairs]
            self._contact.begin(inverted)
            problem = self.problem(device, problem.stepper)
        while problem.meeting is not None:
            if self._contact.lenient and not problem.meeting.near(self._positions(), self.time):
                break
            crossing = start_apart(self.moving, problem.meeting.island.system, self.time)
            if not crossing:
                break
            self._contact.leave_out(crossing)
            problem = self.problem(device, problem.stepper)
        for body in self.moving:
            body.flow_to_yield()
        set_together(brought_together(self.bodies, [body.state for body in self.moving]))
        self._parted = self._changes()
        return problem

    @property
    def passing(self) -> list[tuple[int, int]]:
        """The numbers of pairs that started inside of each other and were left out; for checkpoints."""
        return sorted(self._contact.passing)

    def let_pass(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Leave out pairs of numbers, as a run did that is taken up again."""
        self._contact.passing = frozenset((int(i), int(j)) for i, j in pairs)

    def prepare_for(self, stepper: Stepper) -> None:
        """The next run goes on with one of a stepper: what touches depends on it."""
        self._stepper = stepper

    def resume(self, time: float) -> None:
        """Go on at a time [s]; bodies have taken up their states."""
        set_together(brought_together(self.bodies, [body.state for body in self.moving]))
        self.time, self._parted = time, self._changes()

    def _positions(self) -> list[np.ndarray]:
        return [body.state.x for body in self.moving]

    def _changes(self) -> tuple[int, ...]:
        """How often each body was changed from outside."""
        return tuple(body.changes for body in self.moving)


def _settings(stepper: Stepper, **given: Any) -> dict[str, Any]:
    """What is said of a run in its take."""
    declared = {p.name: getattr(stepper, p.name) for p in parameters_of(type(stepper))}
    told = {"stepper": type(stepper).__name__, "tolerance": declared.get("tolerance")}
    return given | told
