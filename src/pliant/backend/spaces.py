"""The spaces of one body, and the question in which of them an array lives."""

from __future__ import annotations

from typing import Any

import numpy as np

from .device_space import DeviceSpace
from .host_space import HostSpace
from .space import Space


class Spaces:
    """The host's space and, if the arrays of the body stay on a device while it moves, the device's."""

    def __init__(self, host: HostSpace, device: DeviceSpace | None = None):
        self.host, self.device = host, device
        self.home: Space = host if device is None else device  # where the body is solved for

    def of(self, x: Any) -> Space:
        """The space in which x lives."""
        return self.host if isinstance(x, np.ndarray) else self.home
