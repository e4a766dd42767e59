"""The moving state of one body, and what steppers remember between steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pliant.solvers import Report

from .rest import Rest
from .system import Loads


@dataclass
class State:
    """Positions and velocities, and the memory that makes a second run continue the first."""

    x: np.ndarray  # [m], (n, d)
    v: np.ndarray  # [m/s], (n, d)
    drift: np.ndarray | None = None  # velocity of deformation; None: to be split from v
    correction: np.ndarray | None = None  # where the last step ended, less where it began, if easy
    rest: Rest | None = None
    memory: dict[str, Any] = field(default_factory=dict)
    stepper: type | None = None  # the one that moved it last

    def forget(self) -> None:
        """The user changed something: the clock starts anew."""
        self.drift, self.correction, self.rest = None, None, None
        self.memory.clear()


@dataclass(frozen=True)
class Surroundings:
    """What acts on a body at the end of a step."""

    time: float
    pinned: np.ndarray  # positions of all points; only those of pins are read
    loads: Loads  # forces [N] on a body at given positions, (n, d)
    load: np.ndarray  # those at the start of the step, which the step holds fixed


#: The report of a step that needed no iteration.
NOTHING = Report(0, 0, 0.0, "explicit")
