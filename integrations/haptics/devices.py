"""Haptic devices for `pl.haptics.Loop`, by the drivers of their makers.

Copy this file beside your script: the loop imports it in a process of its own. None of these was tried
on a device; see the README.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

#: OpenHaptics counts in millimetres.
MILLIMETRE = 1e-3


class Placed(ABC):
    """A device whose hand is somewhere in a scene.

    scale: metres of the scene for a metre of the hand. centre [m], (3,): where the middle of the device
    is in the scene. most [N]: no force is larger than this. A device is opened when it is first read,
    in the process of the loop.
    """

    def __init__(
        self, *, scale: float = 1.0, centre: Any = (0.0, 0.0, 0.0), most: float = 3.0
    ) -> None:
        self.scale, self.most = float(scale), float(most)
        self.centre = np.asarray(centre, dtype=float)
        self._driver: Any = None

    def read(self) -> np.ndarray:
        """Where the hand is [m], (3,)."""
        self._opened()
        return np.asarray(self.centre + self.scale * np.asarray(self.place(), dtype=float))

    def write(self, force: np.ndarray) -> None:
        """The force on the hand [N], (3,)."""
        self._opened()
        size = float(np.linalg.norm(force))
        self.push([float(f) * min(1.0, self.most / size) if size else 0.0 for f in force])

    def _opened(self) -> None:
        if self._driver is None:
            self._driver = self.open()

    @abstractmethod
    def open(self) -> Any:
        """The driver, ready."""

    @abstractmethod
    def place(self) -> Any:
        """Where the hand is from the middle of the device [m], (3,)."""

    @abstractmethod
    def push(self, force: list[float]) -> None:
        """Push the hand [N]."""


class ForceDimension(Placed):
    """An omega, delta, sigma, lambda or Falcon: the first that is connected, or the one of a number.

    Needs the SDK of Force Dimension and `pip install forcedimension-core`.
    """

    def __init__(self, number: int | None = None, **placed: Any) -> None:
        super().__init__(**placed)
        self.number = number

    def open(self) -> Any:
        """The SDK, with the device open."""
        from forcedimension_core import dhd

        self._id = dhd.open() if self.number is None else dhd.openID(self.number)
        self._check(dhd, self._id)
        return dhd

    def place(self) -> Any:
        """Where the hand is from the middle of the device [m], (3,)."""
        out = [0.0, 0.0, 0.0]
        self._check(self._driver, self._driver.getPosition(out=out, ID=self._id))
        return out

    def push(self, force: list[float]) -> None:
        """Push the hand [N]."""
        self._check(self._driver, self._driver.setForce(force, ID=self._id))

    @staticmethod
    def _check(dhd: Any, answer: int) -> None:
        if answer == -1:
            raise OSError(f"Force Dimension: {dhd.errorGetLastStr()}")


class OpenHaptics(Placed):
    """A Touch or Touch X of 3D Systems, by its name. x is to the right, y up, z towards the user.

    Needs OpenHaptics and `pip install pyOpenHaptics`. Its driver has a thread of its own.
    """

    def __init__(self, name: str = "Default Device", **placed: Any) -> None:
        super().__init__(**placed)
        self.name = name
        self._place, self._force = (0.0, 0.0, 0.0), [0.0, 0.0, 0.0]

    def open(self) -> Any:
        """The device, when its driver has said where it is."""
        from pyOpenHaptics import hd
        from pyOpenHaptics.hd_callback import hd_callback
        from pyOpenHaptics.hd_device import HapticDevice

        known = threading.Event()

        @hd_callback  # type: ignore[untyped-decorator]
        def exchange() -> None:
            turned = hd.get_transform()
            self._place = (turned[3][0], turned[3][1], turned[3][2])
            hd.set_force(self._force)
            known.set()

        driver = HapticDevice(callback=exchange, device_name=self.name, scheduler_type="async")
        if not known.wait(1.0):
            raise OSError(f"OpenHaptics: {self.name!r} does not answer")
        return driver

    def place(self) -> Any:
        """Where the hand is from the middle of the device [m], (3,)."""
        return MILLIMETRE * np.asarray(self._place, dtype=float)

    def push(self, force: list[float]) -> None:
        """Push the hand [N], from the next turn of its driver on."""
        self._force = force


class Inverse3(Placed):
    """An Inverse3 of Haply: the first that is connected, or the one at a port.

    Needs `pip install HaplyHardwareAPI`. It answers to a force with its place, and so a force acts when
    the place is read next; none at all is sent at once, since it may be the last.
    """

    def __init__(self, port: str | None = None, **placed: Any) -> None:
        super().__init__(**placed)
        self.port, self._force = port, [0.0, 0.0, 0.0]

    def open(self) -> Any:
        """The device, awake."""
        import HaplyHardwareAPI as api

        ports = [self.port] if self.port else list(api.detect_inverse3s())
        if not ports:
            raise OSError("Haply: no Inverse3 is connected")
        driver = api.Inverse3(api.SerialStream(ports[0]))
        driver.device_wakeup_dict()
        return driver

    def place(self) -> Any:
        """Where the hand is from the middle of the device [m], (3,)."""
        return self._driver.end_effector_force(self._force)[0]

    def push(self, force: list[float]) -> None:
        """Push the hand [N]."""
        self._force = force
        if not any(force):
            self.place()
