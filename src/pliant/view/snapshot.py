"""What the page may know of the simulation at one moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.contact import FrameContacts
from pliant.mesh import Mesh, Skin


@dataclass(frozen=True)
class StageSnapshot:
    """One moment of the engine; nothing in it changes any more, so that any thread may read it.

    positions and `before`, those one step earlier: per body (n, d) [m]. made: when, on the monotonic
    clock [s]. held: the point in the hand, (d,). curve: (times [s], share of the largest distance);
    asked and rested [s]. landing: how a body that lands does, in words. cost: of a step [s]. rate:
    simulated seconds per second over the last one, None if it is not known yet; slowness: 1 in real
    time, inf if the clock stands. retries: how often steps of the last second had to be repeated. pins:
    per body (k, d). shapes: the mesh of each body and what is shown of it, others after a cut. motions:
    where moving obstacles are, as in `SceneFrame`; contacts: what touches, if it is to be shown.
    """

    time: float
    made: float
    steps: int
    dt: float
    positions: tuple[np.ndarray, ...]
    before: tuple[np.ndarray, ...]
    pins: tuple[np.ndarray, ...]
    held: np.ndarray | None
    curve: tuple[np.ndarray, np.ndarray]
    asked: float | None
    bounces: int | None
    rested: float | None
    landing: str
    paused: bool
    scale: float
    cost: float
    rate: float | None
    slowness: float
    retries: int
    recorded: float | None  # [s] of the recording under way
    message: str
    failed: bool
    shapes: tuple[tuple[Mesh, Skin], ...]
    motions: tuple[np.ndarray, ...] = ()
    contacts: FrameContacts | None = None
