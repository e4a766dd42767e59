"""A scene: bodies, gravity, and time."""

from __future__ import annotations

import logging
import time as clock
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.advice import prefixed
from pliant.deformable import Deformable
from pliant.errors import SolverError, UnstableError, usable
from pliant.given import floats, path_of, shown
from pliant.obstacles import Obstacle
from pliant.pacing import check_dt, steps_and_frames
from pliant.progress import Show, progress_bar
from pliant.recorder import InMemory, Recorder, Store
from pliant.runtime import one_thread
from pliant.solvers import Report
from pliant.starts import check_start, warn_if_thrown
from pliant.stepping import Implicit, Surroundings, System, filtered, keep_out
from pliant.stepping.stepper import Stepper as Stepper
from pliant.stepping.stepper import accept_stepper
from pliant.take import Take
from pliant.undo import Undo

log = logging.getLogger("pliant")


class Scene:
    """Bodies that share gravity [m/s^2], obstacles and time. Gravity is zero unless given."""

    def __init__(self, bodies: Sequence[Deformable] | Deformable, *, gravity: Any = None):
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
        self.add()
        self.time = 0.0
        self.settings: dict[str, Any] = {}  # of the last run, for takes

    def __repr__(self) -> str:
        names = ", ".join(repr(body.name) for body in self.bodies)
        return f"<Scene of {names} at {self.time:.3g} s>"

    def add(self, *obstacles: Obstacle) -> None:
        """Put obstacles in the way of all bodies, e.g. scene.add(pl.Sphere((0, 0, 0), 0.3))."""
        for o in obstacles:
            if not isinstance(o, Obstacle):
                raise TypeError(f"add: got {type(o).__name__}; expected e.g. pl.Sphere(...)")
            if o.dim != self.dim:
                raise ValueError(f"add: got {o!r} in {o.dim}D; the bodies are in {self.dim}D")
        self.obstacles += obstacles
        for body in self.bodies:
            if body.obstacles != self.obstacles:
                body.meet(self.obstacles)

    @property
    def gravity(self) -> np.ndarray:
        """[m/s^2], shape (d,)."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        try:
            g = np.zeros(self.dim) if value is None else floats(value)
        except (TypeError, ValueError):
            g = np.array(np.nan)  # refused below
        if g.shape == (3,) and self.dim == 2 and g[2] == 0.0:
            g = g[:2]
        if g.shape != (self.dim,) or not usable(g):
            raise ValueError(
                f"gravity: got {shown(value)}; expected {self.dim} numbers, e.g. "
                f"gravity={(0, -9.81, 0)[: self.dim]}"
            )
        self._gravity = g
        for body in self.bodies:
            body.state.forget()

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
        store, moved = self._store(into), False
        with Undo(self) as start:
            systems = [body.system(device=device) for body in self.bodies]
            self._check_start(systems, moves=True)
            self._take_up(stepper, dt)
            self.settings = {
                "seconds": float(seconds),
                "dt": float(dt),
                "fps": fps,
                "device": device,
                "stepper": type(stepper).__name__,
                "tolerance": getattr(stepper, "tolerance", None),
            }
            store.begin(self, steps // every + 1, steps, dt)
            recorder = Recorder(self, systems, store)
        started = clock.perf_counter()
        with one_thread(), progress_bar(steps, "simulating", progress) as advance:
            try:
                for k in range(steps):
                    reports = self._step(systems, stepper, dt, device)
                    moved = True
                    recorder.step(reports)
                    if (k + 1) % every == 0:
                        recorder.frame()
                    advance()
            except BaseException as error:
                if not moved:  # another stepper finds all as it was
                    start.put_back()
                for body, system in zip(self.bodies, systems, strict=True):
                    body.state.lower(system)
                error.take = store.take()  # type: ignore[attr-defined]
                raise
        for body, system in zip(self.bodies, systems, strict=True):
            body.state.lower(system)
            bad = system.inverted(body.state.x)
            if len(bad):
                warnings.warn(
                    f"{body.name} ended with {len(bad)} cells inside out (first {bad[:10]}); do not "
                    "trust its shape there. Use pl.StableNeoHookean(...), or a mesh with better "
                    "cells: mesh.quality() names the worst",
                    RuntimeWarning,
                    stacklevel=2,
                )
        log.info(
            "%d steps of %g s in %.2f s, %.1f ms per step",
            steps,
            dt,
            clock.perf_counter() - started,
            1e3 * (clock.perf_counter() - started) / steps,
        )
        return store.take()

    def step(
        self, dt: float, *, device: str = "cpu", stepper: Stepper | None = None
    ) -> list[Report]:
        """Take one step and record nothing, for programs with a clock of their own.

        Returns what the solver did for each body; on an error all bodies are as they were, clocks
        included, to the last bit.
        """
        dt = check_dt("step", dt)
        stepper = accept_stepper(stepper, "step")
        systems = [body.system(device=device) for body in self.bodies]
        with one_thread():
            reports = self._step(systems, stepper, dt, device)
        for body, system in zip(self.bodies, systems, strict=True):
            body.state.lower(system)
        return reports

    def equilibrium(self, *, device: str = "cpu") -> Take:
        """The static answer from where the bodies are now, as a take of one frame.

        Refused where it does not exist (a free body under a net load) or is unstable. Changes
        nothing: a run goes on as if it had not been asked.
        """
        before = Undo(self)
        try:
            for body in self.bodies:
                body.due(self.time)
            systems = [body.system(device=device) for body in self.bodies]
            for body in self.bodies:
                body.prepare(self.time)
            self._check_start(systems, moves=False)
            found, reports = [], []
            with one_thread():
                for body, system in zip(self.bodies, systems, strict=True):
                    x, report = self._static(body, system)
                    found.append(x)
                    reports.append(report)
            store = InMemory()
            store.begin(self, 1, 1, 0.0)
            Recorder(self, systems, store, positions=found).step(reports)
            return store.take()
        finally:
            before.put_back()

    @staticmethod
    def _store(into: str | Path | Store | None) -> Store:
        if into is None:
            return InMemory()
        if not isinstance(into, (str, Path)):
            if not hasattr(into, "begin"):
                raise TypeError(
                    f'run: got into={shown(into)}; expected the name of a folder, e.g. into="beam.zarr"'
                )
            return into
        from pliant.io import store_at

        return store_at(path_of("run(into=...)", into))

    def _static(self, body: Deformable, system: System) -> tuple[np.ndarray, Report]:
        x = body.pin_positions(self.time)
        load = body.loads_at(x, self.time, self.gravity)
        try:
            locked = system.locks(x, load)
        except UnstableError as error:
            raise UnstableError(prefixed(f"{body.name}: ", error)) from None
        x, report = system.equilibrium(
            x, lambda y: body.loads_at(y, self.time, self.gravity), locked=locked
        )
        system.require_upright(x)
        system.require_stable(x, locked=locked)
        return x, report

    def _take_up(self, stepper: Stepper, dt: float) -> None:
        """Prepare all bodies for steps of dt."""
        for body in self.bodies:
            gains = getattr(body.damping, "gains", None)
            if gains is not None and isinstance(stepper, Implicit):
                gains(dt)  # an impossible wish is refused before anything moves
        for body in self.bodies:
            if body.state.stepper not in (None, type(stepper)):
                body.state.forget()  # what one stepper remembers means nothing to another
            body.state.stepper = type(stepper)

    def _step(
        self, systems: list[System], stepper: Stepper, dt: float, device: str
    ) -> list[Report]:
        """One step of all bodies, or of none; `systems` are brought up to date."""
        time, reports = self.time + dt, []
        with Undo(self):
            for i, body in enumerate(self.bodies):
                if body.due(self.time):
                    body.state.lower(systems[i])
                    systems[i] = body.system(device=device)
            for body, system in zip(self.bodies, systems, strict=True):
                reports.append(self._step_body(body, system, stepper, time, dt))
            self.time = time
        return reports

    def _step_body(
        self, body: Deformable, system: System, stepper: Stepper, time: float, dt: float
    ) -> Report:
        around = self._around(body, time)
        try:
            report = filtered(stepper.step, system, body.state, around, body.damping, dt)
            if self.obstacles:
                keep_out(system, body.state, self.obstacles)
            return report
        except SolverError as error:
            raise type(error)(prefixed(f"{body.name}: ", error)) from error
        except ValueError as error:  # a stepper or a damping that this body cannot have
            if type(error) is not ValueError or str(error).startswith(f"{body.name}: "):
                raise
            raise ValueError(prefixed(f"{body.name}: ", error)) from error

    def _around(self, body: Deformable, time: float) -> Surroundings:
        body.prepare(time)
        return Surroundings(
            time,
            pinned=lambda: body.pin_positions(time),
            loads=lambda x: body.loads_at(x, time, self.gravity),
            load=lambda: body.load_now(time, self.gravity),
            dead=body.dead,
            still=body.still,
            at=lambda t: self._around(body, t),
            resisting=body.resisting,
        )

    def _check_start(self, systems: Sequence[System], *, moves: bool) -> None:
        for body, system in zip(self.bodies, systems, strict=True):
            check_start(body, system, self.obstacles)
            if moves and self.obstacles and self.time == 0.0:
                load = body.loads_at(body.state.x, self.time, self.gravity)
                warn_if_thrown(body, system, self.obstacles, load)
