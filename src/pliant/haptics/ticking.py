"""The loop itself. Whatever happens, the last force that it writes is zero."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from .coordinates import Coordinates
from .device import Device
from .model import TouchModel
from .watch import LET_GO, MOTION, SHOWN, STOP, TICKS, Watch

Array = np.ndarray
#: The loop wakes so much before it is due, and waits in a circle [s].
EARLY = 2e-4


@dataclass(frozen=True, eq=False)
class Job:
    """What a loop is to do, for so many seconds."""

    model: TouchModel
    device: Device
    hz: float
    seconds: float


@dataclass(frozen=True, eq=False)
class Ticks:
    """What a loop has measured in each of its ticks: how late it began and how long it took [s], the
    force on the hand [N], (n, 3), and where the hand was [m], (n, 3); and the body at the end. trouble:
    what ended it early. refused: why the device did not take the force of zero at its end."""

    late: Array
    cost: Array
    forces: Array
    hands: Array
    coordinates: Coordinates
    trouble: str
    refused: str


def ticked(job: Job, shared: Array) -> Ticks:
    """Run a loop; the force is zero at its end."""
    model, device, dt = job.model, job.device, 1.0 / job.hz
    n = round(job.seconds * job.hz)
    late, cost = np.zeros(n), np.zeros(n)
    forces, hands = np.zeros((n, 3)), np.zeros((n, 3))
    clock, trouble, refused, done = time.perf_counter, "", "", 0
    watch = Watch(device, shared)
    watch.start()
    try:
        model.step(_read(device))  # what is made once is made before
        begin = clock() + 0.01
        for i in range(n):
            due = begin + i * dt
            left = due - clock()
            if left > EARLY + 5e-5:
                time.sleep(left - EARLY)
            while clock() < due:
                pass
            start = clock()
            hand = _read(device)
            force = model.step(hand)
            device.write(force)
            late[i], cost[i] = start - due, clock() - start
            forces[i], hands[i] = force, hand
            _follow(model, shared)
            shared[SHOWN:] = model.coordinates.q
            shared[TICKS] = done = i + 1
            if shared[STOP]:
                break
    except BaseException as error:  # whatever it is, the hand must not be pushed any more
        trouble = f"{type(error).__name__}: {error}"
    finally:
        refused = _released(device)
        shared[STOP] = 1.0
        watch.end()
    measured = late[:done], cost[:done], forces[:done], hands[:done]
    return Ticks(*measured, model.coordinates, trouble, refused)


def _released(device: Device) -> str:
    """Write zero force; why the device did not take it, or nothing."""
    try:
        device.write(np.zeros(3))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _follow(model: TouchModel, shared: Array) -> None:
    """Tell the other process how the body was let go, and take up the motion that it found for that.

    To find it takes longer than a tick.
    """
    left, count = model.left
    if shared[LET_GO + 4] != count:
        shared[LET_GO : LET_GO + 4] = left.uu, left.up, left.pp, left.share
        shared[LET_GO + 4] = count  # last, so that the others are there
    elif count and shared[MOTION + 4] == count:
        shared[MOTION + 4] = 0.0
        if not model.touched:
            a, b, c, d = (float(v) for v in shared[MOTION : MOTION + 4])
            model.move_by((a, b, c, d))


def _read(device: Device) -> Array:
    hand = np.asarray(device.read(), dtype=float)
    if hand.shape != (3,) or not np.isfinite(hand).all():
        raise ValueError(f"the device gave {hand}; expected three finite numbers [m]")
    return hand
