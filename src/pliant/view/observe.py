"""A snapshot of a scene that is played."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import numpy as np

from pliant.bodies import Deformable
from pliant.take import motions_at

from .act import Act
from .curve import landing_words
from .pace import Pace
from .snapshot import BodySnapshot, StageSnapshot


@dataclass
class Mood:
    """What a scene that is played is at, besides its bodies."""

    steps: int = 0
    paused: bool = False
    failed: bool = False
    waiting: bool = False  # for the first page
    message: str = ""
    contacts: bool = False  # whether snapshots have what touches


def observe(act: Act, pace: Pace, mood: Mood) -> StageSnapshot:
    """What the page may know of this moment."""
    positions, scene = tuple(act.positions), act.scene
    recording, stands = act.recording, mood.paused or mood.waiting
    return StageSnapshot(
        time=scene.time,
        made=clock.perf_counter(),
        steps=mood.steps,
        dt=act.dt,
        positions=positions,
        before=tuple(act.before),
        pins=tuple(x[pins] for x, pins in zip(positions, act.pins, strict=True)),
        held=None if act.grip is None else act.grip.where,
        bodies=tuple(_body(act, i, body) for i, body in enumerate(scene.bodies)),
        focus=act.focus,
        paused=mood.paused,
        waiting=mood.waiting,
        scale=pace.scale,
        cost=pace.cost,
        rate=None if stands else pace.rate,
        slowness=1.0 if stands else pace.slowness,
        retries=0 if stands else pace.retries,
        cuts=0 if stands else pace.cuts,
        recorded=None if recording is None else (recording.frames - 1) * act.dt,
        message=mood.message,
        failed=mood.failed,
        shapes=tuple((body.mesh, body.skin) for body in scene.bodies),
        motions=motions_at(scene.obstacles, scene.time),
        contacts=scene.touching(positions)[0] if mood.contacts else None,
    )


def _body(act: Act, index: int, body: Deformable) -> BodySnapshot:
    curve, size = act.curves[index].shown, body.mesh.size
    worth = curve.worth(size)
    words = (landing_words(part) for part in body.parts)
    return BodySnapshot(
        name=body.name,
        curve=(np.array(curve.times), curve.shares) if worth else (np.zeros(0), np.zeros(0)),
        asked=curve.asked,
        bounces=curve.bounces,
        rested=curve.rested if worth else None,
        landing=next((said for said in words if said), ""),
        held=act.grip is not None and act.grip.body is body,
        speed=max(_drift(part) for part in body.parts),
        size=size,
    )


def _drift(part: Deformable) -> float:
    """How fast the centre of what no pin holds moves [m/s]; of what is held 0."""
    masses = part.masses
    if part.pinned.any() or not masses.any():
        return 0.0
    return float(np.linalg.norm(masses @ part.velocity / masses.sum()))
