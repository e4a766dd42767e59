"""The haptic loop, as a user has it."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.declared import InPython, Quantity, accept
from pliant.touch import Probe

from .coordinates import Departure
from .device import Device, DeviceError
from .modelling import modelled, motion_after
from .report import HapticReport
from .ticking import Job, Ticks
from .watch import LET_GO, MOTION, MUTE, SHOWN, STOP, STOPPED, TICKS

Array = np.ndarray
#: Pictures in a second.
DRAWN = 60.0
#: The other process is looked at so often [s].
POLLED = 4e-3
#: What a process may take to start and to end [s].
GRACE = 30.0
#: A process that has done no tick in so many looks is held by its driver: two seconds.
HELD = 500
#: Of a device that may still push.
NOT_TAKEN = "the loop has ended, and the device did not take a force of zero; switch it off"


class Loop:
    """A hand that feels a body, in a process of its own: position in, force out, at 1 kHz.

    body: `pl.Modal`, `pl.Subspace` or `pl.BoundaryElements`, held, with its damping and loads; or a
    `pl.Probe`, on any body that can be probed, which then has no motion of its own. device: what the
    hand is held by; it is pickled. coupling [N/m]: the spring between hand and body, a virtual
    coupling; force is found implicitly, so that it may be stiff. radius [m]: of the finger; that of
    the probe, if there is one.

        touch = pl.haptics.Loop(body, device=pl.haptics.Simulated(path), coupling=2000.0)
        print(touch.run(seconds=60))

    At the end the force is zero, whatever ends it: an error, Ctrl-C, or a device that has not answered
    for a tenth of a second. If its driver does not take that force either, `run` raises an error that
    says so. Source: [deformablesurvey] (ArtDefo), [colgate1995].
    """

    def __init__(
        self,
        body: Deformable | Probe,
        *,
        device: Annotated[Device, InPython("an object with read and write")],
        hz: Annotated[float, Quantity("ticks in a second", "1/s", above=0.0, at_most=1e4)] = 1000.0,
        coupling: Annotated[float, Quantity("between hand and body", "N/m", above=0.0)] = 2000.0,
        radius: Annotated[float, Quantity("of the finger", "m", above=0.0)] = 0.01,
        gravity: Annotated[Any, InPython("a vector that acts all the time")] = None,
    ):
        self._hz, self._coupling, self._radius = accept(
            self, hz=hz, coupling=coupling, radius=radius
        )
        if not isinstance(body, (Deformable, Probe)):
            raise TypeError(
                f"Loop: got body of type {type(body).__name__}; expected pl.Modal, "
                "pl.Subspace, pl.BoundaryElements or pl.Probe"
            )
        self._model = modelled(
            body, dt=1.0 / self._hz, radius=self._radius, coupling=self._coupling, gravity=gravity
        )
        self._device = device
        self._answered = 0.0
        self._law: Settle | None = None
        if isinstance(body, Deformable) and isinstance(body.damping, Settle):
            self._law = body.damping if body.damping.law != "first-mode" else None
        left = self._model.coordinates.departure()
        if self._law is not None and left.uu:
            self._model.move_by(motion_after(self._law, left, 1.0 / self._hz))

    @property
    def positions(self) -> Array:
        """The surface of the body at the end of the last run [m], (n, 3)."""
        return self._model.positions

    def run(self, *, seconds: float, draw: Callable[[Array], object] | None = None) -> HapticReport:
        """Run the loop; the body goes on where the last run ended.

        draw: called with the positions of the surface [m], (n, 3), sixty times a second, here.
        """
        if not (isinstance(seconds, (int, float)) and 0.0 < seconds < 1e6):
            raise ValueError(f"run: got seconds={seconds!r}; expected a number above 0 [s]")
        try:
            job = pickle.dumps(Job(self._model, self._device, self._hz, float(seconds)))
        except Exception as error:
            raise DeviceError(
                f"the device cannot be sent to the process of the loop: {error}; expected one that can "
                "be pickled, of a class or function that is defined in a module"
            ) from None
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "job").write_bytes(job)
            np.zeros(SHOWN + len(self._model.coordinates.q)).tofile(folder / "shown")
            self._answered = 0.0
            ticks = self._ticks(folder, float(seconds), draw)
        self._model.coordinates = ticks.coordinates
        if ticks.refused:
            why = ticks.trouble or ticks.refused
            raise DeviceError(f"{NOT_TAKEN}: {why}")
        if ticks.trouble:
            raise DeviceError(f"the loop has ended, with zero force: {ticks.trouble}")
        return HapticReport(self._hz, ticks.late, ticks.cost, ticks.forces, ticks.hands)

    def _ticks(self, folder: Path, seconds: float, draw: Callable[[Array], object] | None) -> Ticks:
        """What the process has measured."""
        shared = np.memmap(folder / "shown", dtype=float, mode="r+")
        drawn, ticks, looks = 0.0, 0.0, 0
        call = [sys.executable, "-m", "pliant.haptics.process", str(folder)]
        process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + seconds + GRACE
        try:
            while process.poll() is None and time.monotonic() < end:
                self._answer(shared)
                done = float(shared[TICKS])
                looks = looks + 1 if done == ticks else 0
                ticks = done
                if done and looks > HELD and not shared[STOP]:
                    break
                if draw is not None and time.monotonic() - drawn > 1.0 / DRAWN:
                    drawn = time.monotonic()
                    draw(self._model.points + self._model.columns @ np.array(shared[SHOWN:]))
                time.sleep(POLLED)
        finally:  # also after Ctrl-C, and if draw fails: the loop ends by itself, with zero force
            shared[STOP] = 1.0
            said, killed = _ended(process)
        if process.returncode == STOPPED:
            raise DeviceError("the device has stopped answering; the force was set to zero")
        if killed or process.returncode == MUTE:
            raise DeviceError(f"{NOT_TAKEN}: it has stopped answering")
        try:
            found: Ticks = pickle.loads((folder / "ticks").read_bytes())
        except OSError:
            raise DeviceError(f"the process of the loop has failed: {said[-400:]}") from None
        return found

    def _answer(self, shared: Array) -> None:
        """Find the motion of a body that was let go since the last look, so that it rests on cue."""
        *left, count = (float(v) for v in shared[LET_GO : LET_GO + 5])
        if self._law is None or count == self._answered or not left[0]:
            return
        self._answered = count
        shared[MOTION : MOTION + 4] = motion_after(self._law, Departure(*left), 1.0 / self._hz)
        shared[MOTION + 4] = count


def _ended(process: subprocess.Popen[str]) -> tuple[str, bool]:
    """What it said before its end, and whether it had to be killed."""
    try:
        return process.communicate(timeout=2.0)[1], False
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[1], True
