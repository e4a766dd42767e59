"""What the page may know of the simulation at one moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.contact import FrameContacts
from pliant.mesh import Mesh, Skin


@dataclass(frozen=True)
class BodySnapshot:
    """How one body does.

    curve: (times [s], share of the largest distance); asked and rested [s]. landing: how a body that
    lands does, in words. speed: of its centre [m/s], if no pin holds it, else 0.
    """

    name: str
    curve: tuple[np.ndarray, np.ndarray]
    asked: float | None
    bounces: int | None
    rested: float | None
    landing: str
    held: bool
    speed: float
    size: float


@dataclass(frozen=True)
class StageSnapshot:
    """One moment of the engine; nothing in it changes any more, so that any thread may read it.

    positions and `before`, those one step earlier: per body (n, d) [m]. made: when, on the monotonic
    clock [s]. held: the point in the hand, (d,). bodies: how each does; focus: the number of the one
    that was chosen. waiting: whether no page has been opened yet. cost: of a step [s]. rate:
    simulated seconds per second over the last one, None if it is not known yet; slowness: 1 in real
    time, inf if the clock stands. retries, cuts: how often steps of the last second had to be repeated,
    and how many of them were cut short. pins: per body (k, d). shapes: the mesh of each body and what
    is shown of it, others after a cut. motions: where moving obstacles are, as in `SceneFrame`;
    contacts: what touches, if it is to be shown.
    """

    time: float
    made: float
    steps: int
    dt: float
    positions: tuple[np.ndarray, ...]
    before: tuple[np.ndarray, ...]
    pins: tuple[np.ndarray, ...]
    held: np.ndarray | None
    bodies: tuple[BodySnapshot, ...]
    focus: int
    paused: bool
    waiting: bool
    scale: float
    cost: float
    rate: float | None
    slowness: float
    retries: int
    cuts: int
    recorded: float | None  # [s] of the recording under way
    message: str
    failed: bool
    shapes: tuple[tuple[Mesh, Skin], ...]
    motions: tuple[np.ndarray, ...] = ()
    contacts: FrameContacts | None = None

    @property
    def body(self) -> BodySnapshot:
        """The body in focus."""
        return self.bodies[self.focus]

    @property
    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and shares of the body in focus."""
        return self.body.curve

    @property
    def asked(self) -> float | None:
        """When the body in focus is to rest [s]."""
        return self.body.asked

    @property
    def rested(self) -> float | None:
        """When the body in focus came to rest [s], if it has."""
        return self.body.rested

    @property
    def landing(self) -> str:
        """How the body in focus lands, in words."""
        return self.body.landing
