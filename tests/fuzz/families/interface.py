"""The Python interface: every exported name and the methods of what it makes, with wrong arguments."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pliant as pl
from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.control import Damping
from pliant.materials import Material
from pliant.take import Track
from pliant.view import Engine

from ..calling import Caller, unsound
from ..verdict import Verdict, finding
from . import arguments, spoiling
from .calls import bound, is_short, wrong

#: What steppers and stores call, not people: docs/api leaves it out, too.
INNER = (
    "system", "state", "problem", "loads_at", "constant_load", "following_loads", "loads_resident",
    "pin_positions", "prepare",
    "account", "bear", "bearers_at", "has_contact", "let_pass", "planned", "points_at",
    "prepare_for", "resume", "tied", "touching",
    "apply_events", "energies", "facts", "components", "meet", "touch",
    "restart_clock", "take_up", "take_up_changes", "take_up_events", "take_up_flow", "meet_stepper",
    "to_host", "brought_together", "load_values", "with_parts", "of_sides",
    "plan", "inertia", "dissipation", "finish", "lost", "pull_home", "retreat",
    "review", "gains", "show",
    "start", "stop", "ask",
)  # fmt: skip
#: Whose methods people call; of the others only what they make is tried.
ASKED = (Deformable, pl.Scene, pl.Mesh, pl.Surface, pl.Take, Track, Engine)
#: Seconds each or more: tried once in a while.
SLOW = ("tetrahedralise",)
STEPS = 3


def exported() -> dict[str, Callable[..., Any]]:
    """Everything that `pliant` and `pliant.meshes` export and that can be called."""
    found: dict[str, Callable[..., Any]] = {"Engine": Engine, "Surface.of": pl.Surface.of}
    for name in pl.__all__:
        value = getattr(pl, name)
        if isinstance(value, type) and issubclass(value, Exception):
            continue
        if callable(value):
            found[name] = value
    for name in pl.meshes.__all__:
        found[name] = getattr(pl.meshes, name)
    found.pop("Take")  # made by runs
    return found


class Interface:
    """Calls with arguments that may be wrong."""

    def __init__(self, home: Path):
        self._names = exported()
        self._take = arguments.scene().run(seconds=0.05, dt=0.01, progress=False)

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Make something with a wrong argument, or ask something sound for something wrong."""
        caller.fence.names(caller.fence.work)
        name = rng.choice(sorted(self._names))
        if name in SLOW and rng.random() < 0.95:
            name = "box"
        if rng.random() < 0.5:
            return self._make(rng, caller, name)
        made = self._sound(name)
        things = [made] if isinstance(made, ASKED) else []
        things += [
            arguments.body(),
            arguments.scene(),
            arguments.solid(),
            self._take,
            self._take.tracks[0],
        ]
        return self._ask(rng, caller, things[0] if rng.random() < 0.4 else rng.choice(things))

    def _sound(self, name: str) -> Any:
        function = self._names[name]
        return None if name in SLOW else function(**bound(name, function, None))

    def _make(self, rng: random.Random, caller: Caller, name: str) -> Verdict:
        function = self._names[name]
        given, did = wrong(rng, name, function)
        caller.note(f"pl.{name}({did})")
        kept: list[Any] = []
        verdict = caller.call(lambda: function(**given), kept)
        if kept and not verdict.found:
            verdict = self._try_out(rng, caller, kept[0])
        return verdict.about(f"pl.{name}({did})")

    def _ask(self, rng: random.Random, caller: Caller, thing: Any) -> Verdict:
        owner = type(thing).__name__
        methods, settable = public(type(thing))
        if settable and (not methods or rng.random() < 0.3):
            name = rng.choice(settable)
            value = spoiling.spoilt(rng, getattr(thing, name), name)
            verdict, did = (
                caller.call(lambda: setattr(thing, name, value)),
                f"{owner}.{name} = {value!r:.80}",
            )
        elif methods:
            name = rng.choice(methods)
            method = getattr(thing, name)
            given, words = wrong(rng, name if owner != "Engine" else f"Engine.{name}", method)
            if name == "run" and not is_short(given):
                return Verdict("ok", did="too long a run")
            caller.note(f"{owner}.{name}({words})")
            positional = [given.pop(k) for k in list(given) if k == "things"]
            verdict, did = (
                caller.call(lambda: method(*positional, **given)),
                f"{owner}.{name}({words})",
            )
        else:
            return self._try_out(rng, caller, thing).about(f"{owner} as it is")
        if not verdict.found and verdict.kind == "ok":
            verdict = self._try_out(rng, caller, thing)
        return verdict.about(did)

    def _try_out(self, rng: random.Random, caller: Caller, thing: Any) -> Verdict:
        """Use what was made: a few steps, and only finite numbers."""
        if isinstance(thing, (pl.Mesh, pl.Surface)):
            if not np.isfinite(thing.points).all():
                return finding("a silent NaN", f"{type(thing).__name__} points", repr(thing)[:200])
            return caller.call(
                lambda: (
                    repr(thing),
                    thing.volume if isinstance(thing, pl.Mesh) else thing.report(),
                )
            )
        if isinstance(thing, Engine):
            return caller.call(lambda: thing.tick(2))
        kept: list[Any] = []
        verdict = caller.call(lambda: _run(thing), kept)
        return unsound(kept[0]) if kept and kept[0] is not None and not verdict.found else verdict


def _run(thing: Any) -> pl.Take | None:
    """A few steps with it: a body, a damping, a material, a stepper, an obstacle, a wind, a scene."""
    repr(thing)
    stepper, dt = None, 0.01
    if isinstance(thing, pl.Scene):
        scene = thing
    elif isinstance(thing, Deformable):
        scene = pl.Scene([thing], gravity=(0, -9.81, 0)[: thing.dim])
        if isinstance(thing, pl.ImpactRods):
            stepper, dt = pl.Impact(), 1e-6
    else:
        scene = arguments.scene()
        body = scene.bodies[0]
        if isinstance(thing, Damping):
            body.damping = thing
        elif isinstance(thing, Material):
            body.material = thing
        elif isinstance(thing, Obstacle):
            scene.add(thing)
        elif isinstance(thing, pl.Wind):
            body.push(wind=thing)
        elif hasattr(thing, "step"):
            body.damping, stepper, dt = None, thing, 1e-4
        else:
            return None
    return scene.run(seconds=STEPS * dt, dt=dt, stepper=stepper, progress=False)


def public(kind: type) -> tuple[list[str], list[str]]:
    """The methods of a class that people call, and what they may set."""
    members = {
        name: value
        for name, value in inspect.getmembers(kind)
        if name[0] != "_" and name not in INNER
    }
    methods = [n for n, v in members.items() if callable(v) and not isinstance(v, type)]
    settable = [n for n, v in members.items() if isinstance(v, property) and v.fset is not None]
    return methods, settable
