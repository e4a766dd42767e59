"""Whether a body turns too fast to rest on cue, told before a run."""

from __future__ import annotations

import math

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle

from .check_report import BodyReport

#: A body may spin at this share of its lowest natural frequency: `docs/rest-on-cue.md` has the numbers.
MOST_SPIN = 0.2


def remark_on_turning(body: Deformable, lowest: float | None, report: BodyReport) -> None:
    """Say that a body spins too fast for its wish; lowest: its lowest eigenvalue [1/s^2]."""
    if lowest is None or not isinstance(body.damping, Settle):
        return
    share = _spin(body) / math.sqrt(lowest)
    if share > MOST_SPIN:
        report.remarks.append(
            f"it spins at {share:.2g} of its lowest natural frequency: beyond {MOST_SPIN:g} turning "
            "bends it, and it may rest early, late or never; make it stiffer, or slower"
        )


def _spin(body: Deformable) -> float:
    """The largest angular velocity of its parts at the start [rad/s]."""
    fastest, m = 0.0, np.repeat(body.masses, body.dim)
    x, v = body.positions, body.velocity.ravel()
    for part in body.system().parts:
        first = part.dim if part.translates else 0
        if part.rank > first:
            motions = part.motions(x)
            own = m * (motions != 0.0).any(axis=1)
            rates = np.linalg.lstsq((motions.T * own) @ motions, motions.T @ (own * v), rcond=None)[
                0
            ]
            fastest = max(fastest, float(np.linalg.norm(rates[first:])))
    return fastest
