"""What dampings make of the coordinates of a reduced body."""

from __future__ import annotations

import math

import numpy as np

from pliant.control import Damping, Rayleigh, Settle, Undamped

from .oscillators import ModeOscillators

Array = np.ndarray


def suits(damping: Damping) -> bool:
    """Whether reduced bodies can have a damping."""
    return type(damping) in (Undamped, Rayleigh, Settle)


def oscillators(damping: Damping, eigenvalues: Array, decay: float = 0.0) -> ModeOscillators:
    """The motion of all coordinates under a damping.

    `Settle`: every coordinate follows the one law of the wish, whatever its eigenvalue is, since the
    stiffness is its inertia; law="first-mode": so does the first, and stiffer ones are pulled harder.
    decay [1/s]: that of the law. Source: [young2007] (5.4) with the roots of `control/law.py`.
    """
    if isinstance(damping, Rayleigh):
        loss = damping.mass + damping.stiffness * eigenvalues
        return ModeOscillators(eigenvalues, loss, eigenvalues)
    if not isinstance(damping, Settle):
        return ModeOscillators(eigenvalues, 0.0, eigenvalues)
    first = damping.law == "first-mode"
    share = eigenvalues / eigenvalues.min() if first else np.ones(())
    if damping.bounces is None:
        return ModeOscillators(eigenvalues, 1.0, decay * share, slow=True, held=True)
    omega = 2.0 * math.pi * damping.bounces / damping.rest_in
    return ModeOscillators(eigenvalues, 2.0 * decay, (decay**2 + omega**2) * share, held=True)


def drag_of(damping: Damping) -> float:
    """The rate [1/s] at which a damping slows the fall and the spin of what is free."""
    return float(damping.mass) if isinstance(damping, Rayleigh) else 0.0
