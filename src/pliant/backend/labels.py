"""Which group each of many things is in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp


@dataclass(frozen=True, eq=False)
class Labels:
    """The number of the group of each cell or point, (n,), kept on each device that asked for it."""

    numbers: np.ndarray
    _arrays: dict[str, Any] = field(default_factory=dict)

    def on(self, device: str) -> Any:
        """The numbers as an array of a device."""
        if device not in self._arrays:
            self._arrays[device] = wp.array(self.numbers, dtype=wp.int32, device=device)
        return self._arrays[device]
