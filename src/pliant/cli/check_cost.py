"""What a run of a scene will cost, measured on its first steps."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pliant.bodies import BoundaryElements, Deformable, LongElements, Modal
from pliant.reduced import OF_FRAME
from pliant.scenefile import Setup

TRIED = 3  # steps that are timed, after one that compiles and prepares
QUICK = 0.1  # [s]; where these take less, more are timed: a run has its own beginning and end
MORE = 30


@dataclass(frozen=True)
class Cost:
    """Time of the start and of one step [s], their number, and the size of the take."""

    start: float
    step: float
    steps: int
    frames: int
    bytes: int
    dt: float
    device: str
    quiet: bool  # nothing happens later that the first steps do not know of


def measure_cost(setup: Setup) -> Cost:
    """Run a few steps of the scene, which is no longer at its start afterwards."""
    start, tried = _steps(setup, 1), TRIED
    took = _steps(setup, tried)
    if took < QUICK and setup.steps > MORE:
        about, tried = _steps(setup, 1), MORE
        took = max(_steps(setup, 1 + tried) - about, 0.1 * took)
    step = took / tried
    frames = setup.steps if setup.fps is None else round(setup.steps * setup.dt * setup.fps)
    return Cost(
        start=max(0.0, start - step),
        step=step,
        steps=setup.steps,
        frames=frames + 1,
        bytes=sum(_once_bytes(b) + (frames + 1) * _frame_bytes(b) for b in setup.scene.bodies),
        dt=setup.dt,
        device=setup.device,
        quiet=all(body.pins_fixed for body in setup.scene.bodies),
    )


def _steps(setup: Setup, count: int) -> float:
    """Take steps; how long they took [s]."""
    began = time.perf_counter()
    setup.scene.run(
        seconds=count * setup.dt,
        dt=setup.dt,
        device=setup.device,
        stepper=setup.stepper,
        progress=False,
    )
    return time.perf_counter() - began


def _once_bytes(body: Deformable) -> int:
    """The columns that coordinates multiply, which a take keeps once."""
    if isinstance(body, (Modal, BoundaryElements)):
        return 8 * body.mesh.points.size * len(body.coordinates)
    return 0


def _frame_bytes(body: Deformable) -> int:
    """Positions and velocities in float64, and the rest shape while it moves; or coordinates."""
    if isinstance(body, (Modal, BoundaryElements)):
        return 8 * (2 * len(body.coordinates) + OF_FRAME)
    if isinstance(body, LongElements):
        return 8 * (2 * len(body.lengthenings) + OF_FRAME)
    arrays = 3 if body.damping.needs_rest and not body.pins_fixed else 2
    return 8 * arrays * body.mesh.points.size
