"""What the laboratory finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan

import numpy as np

from .candidates import Mode
from .case import Case
from .flight import Flight


@dataclass(frozen=True)
class Finding:
    """What one damping did to one body.

    amplitude (frames,): the share that is left of the shape that it began from. rest_time, halved,
    doubled, finer [s]: as run, with half and twice the step, on the finer mesh; inf if it did not rest,
    nan if it blew up or was not run. longest_dt [s]: of symplectic Euler; nan where the damping needs
    the implicit step. cost: processor time per step, as a multiple of that without damping. shift: how
    far a body at rest is moved, over its size. trouble: why it did not run, or not to the end.
    """

    name: str
    body: str
    how: str
    damping: str = ""
    trouble: str = ""
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    amplitude: np.ndarray = field(default_factory=lambda: np.zeros(0))
    rest_time: float = nan
    bounces: float = nan
    halved: float = nan
    doubled: float = nan
    finer: float = nan
    flight: Flight = field(default_factory=Flight)
    shift: float = nan
    longest_dt: float = nan
    cost: float = nan


@dataclass(frozen=True)
class Comparison:
    """All findings on a case; modes: the slowest vibration of every body, and what was asked of it."""

    case: Case
    findings: list[Finding]
    modes: dict[str, Mode]

    def of(self, name: str, body: str | None = None) -> Finding:
        """The finding of one damping, on a body or the first one."""
        for f in self.findings:
            if f.name == name and body in (None, f.body):
                return f
        raise KeyError(f"{name!r} is not in this comparison")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a comparison; `found` is what was known by then."""

    def __init__(self, found: Comparison):
        super().__init__()
        self.found = found
