"""What a reduced body remembers from step to step, besides where it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.problem import ControlState


@dataclass(frozen=True)
class ReducedControl(ControlState):
    """The load on each coordinate at the end of the last step, (r,), and the law of `Settle`.

    decay [1/s]: that of the law since the body was let go. changed: the load changed in the last step;
    follows: it did so in the step before, too, and the body follows with the asked time constant.
    """

    load: np.ndarray
    decay: float = 0.0
    changed: bool = False
    follows: bool = False
