"""The take-off of a hop: rigid motion that is driven."""

from __future__ import annotations

import numpy as np

from pliant.control import TakeOff


def drives(off: TakeOff) -> bool:
    """Whether the body is still driven."""
    return off.elapsed < off.lasts * (1.0 - 1e-9)


def mean_velocity(off: TakeOff, h: float) -> np.ndarray:
    """The rigid velocity over the next h [s] of a drive that lasts so long."""
    share = (off.elapsed + 0.5 * h) / off.lasts
    return np.asarray(off.turn + share * (off.end - off.turn))


def velocity_after(off: TakeOff, h: float) -> np.ndarray:
    """The rigid velocity after another h [s]."""
    share = min((off.elapsed + h) / off.lasts, 1.0)
    return np.asarray(off.turn + share * (off.end - off.turn))
