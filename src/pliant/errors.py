"""What can go wrong in a run."""

from __future__ import annotations

from typing import Any


class SolverError(RuntimeError):
    """A step or an equilibrium could not be computed; `take` holds the frames before it, if any."""

    take: Any = None


class UnstableError(SolverError):
    """The equilibrium is unstable or does not exist."""


class ImpossibleWishError(ValueError):
    """What was asked of a damping cannot be met at this time step."""
