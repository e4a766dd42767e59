"""The three scenes of the paper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import pliant as pl
from pliant.contact import PenaltyContact
from pliant.control import Damping
from pliant.problem.filter import Points
from pliant.step.filtering import filter_points

from .bodies import Dragger, Tied
from .meshes import Parts, bridge_and_bars, membrane_and_ball, sneaker

GRAVITY = (0.0, -9.81, 0.0)
#: When the hand has lifted the sneaker, and when it lets go [s].
LIFTED, RELEASE = 0.2, 0.3


@dataclass(frozen=True)
class Case:
    """A scene that is run again and again.

    seconds: how long [s]; main: the points whose vibrations are to be damped (the membrane, not the
    ball), (n,); flying: those that fly (the ball); velocity: at the start [m/s].
    """

    name: str
    parts: Parts
    body: Tied
    scene: pl.Scene
    seconds: float
    main: np.ndarray
    flying: np.ndarray
    velocity: np.ndarray | float = 0.0

    def begin(self, damping: Damping | None) -> None:
        """Back to the start, with a damping."""
        self.body.reset()
        self.body.velocity = self.velocity * np.ones_like(self.body.mesh.points)
        self.body.damping = damping
        self.scene.time = 0.0

    @property
    def points(self) -> Points:
        """The undeformed body as a damping sees it, with nothing remembered of another one."""
        return replace(self._points, made={})

    @cached_property
    def _points(self) -> Points:
        return filter_points(self.body.system())

    def bound(self, projected: bool) -> float:
        """What dt gamma of spring damping must not exceed at rest, 2/lambda_max [kg]: Lemma 1."""
        return self._bounds[int(projected)]

    @cached_property
    def _bounds(self) -> tuple[float, ...]:
        return tuple(
            pl.SpringDamping(1.0, projected=p).bound(self.points, 1.0) for p in (False, True)
        )

    @cached_property
    def limit(self) -> float:
        """2/omega of the fastest vibration about the rest shape [s]: the limit without damping."""
        return float(pl.SymplecticEuler().longest_dt(self.body.system()))

    @cached_property
    def slowest(self) -> tuple[float, np.ndarray]:
        """The slowest vibration of `main`: omega [1/s] and velocities (n, 3), at the rest shape."""
        system = self.body.system()
        m, free = np.repeat(system.masses[system.free], 3), self.main[system.free].repeat(3)
        k = system.stiffness(system.undeformed) @ np.eye(len(m))
        root = 1.0 / np.sqrt(m[free])
        values, modes = np.linalg.eigh(root[:, None] * k[np.ix_(free, free)] * root)
        first = int(np.argmax(values > 1e-7 * values[-1]))  # those before it move it as a whole
        v = np.zeros((len(system.masses), 3))
        inside = np.flatnonzero(system.free & self.main)
        v[inside] = (root * modes[:, first]).reshape(-1, 3)
        return float(np.sqrt(values[first])), v


def shoe() -> Case:
    """A sneaker, dragged up and along by its heel, and let go."""
    parts = sneaker()
    x = parts.mesh.points
    held = np.flatnonzero((x[:, 0] < -0.1) & (x[:, 1] > 0.04))

    def hand(t: float) -> np.ndarray:
        s = np.clip(t / LIFTED, 0.0, 1.0)
        return np.array([0.02 * np.sin(2.0 * np.pi * s), 0.07 * s**2 * (3.0 - 2.0 * s), 0.0])

    body = Tied(
        parts.mesh,
        ties=parts.ties,
        tie=0.0,
        dragger=Dragger(held, 60.0, hand, RELEASE),
        distance=0.3,
        volume=0.3,
        mass=parts.masses(250.0),
        name="sneaker",
    )
    scene = pl.Scene(body, gravity=GRAVITY)
    return Case(
        "sneaker",
        parts,
        body,
        scene,
        0.48,
        *np.ones((2, len(x)), dtype=bool),
    )


def drum() -> Case:
    """A ball falls on a membrane that is held at its rim."""
    parts = membrane_and_ball()
    x, sheet = parts.mesh.points, parts.part == 0
    edge = sheet[parts.mesh.edges].all(axis=1)
    body = Tied(
        parts.mesh,
        ties=parts.ties,
        tie=0.0,
        distance=np.where(edge, 1.5, 6.0),
        volume=1.5,
        mass=parts.masses(100.0),
        name="membrane",
    )
    body.fix(sheet & (np.hypot(x[:, 0], x[:, 2]) > 0.5 - 1e-6))
    body.touch(PenaltyContact(thickness=0.02, stiffness=400.0))
    falling = np.where(sheet, 0.0, -1.0)[:, None] * [0.0, 1.0, 0.0]
    return Case(
        "membrane",
        parts,
        body,
        pl.Scene(body, gravity=GRAVITY),
        0.4,
        sheet,
        ~sheet,
        falling,
    )


def bridge() -> Case:
    """Two bars fall on a rope bridge of nine planks."""
    parts = bridge_and_bars()
    x = parts.mesh.points
    last = int(parts.ties.max()) + 1
    deck = parts.part <= parts.part[last - 1]
    body = Tied(
        parts.mesh,
        ties=parts.ties,
        tie=2.0e4,
        distance=30.0,
        volume=30.0,
        mass=parts.masses(200.0),
        name="bridge",
    )
    ends = deck & (np.abs(x[:, 0]) > np.abs(x[deck, 0]).max() - 0.05)
    body.fix(ends)
    body.touch(PenaltyContact(thickness=0.02, stiffness=4000.0))
    return Case(
        "bridge",
        parts,
        body,
        pl.Scene(body, gravity=GRAVITY),
        0.4,
        deck,
        parts.part == parts.part[-1],
    )


CASES = {"sneaker": shoe, "membrane": drum, "bridge": bridge}
