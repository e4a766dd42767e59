"""How a damping is tried beside others: with the coefficients that linear theory gives for one wish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pliant.declared import example_of
from pliant.errors import SolverError

if TYPE_CHECKING:
    from .filter import Points


class Vibration(Protocol):
    """The slowest vibration of a body: what a careful user would tune by.

    omega [rad/s]; shape (n, d) of unit mass; rate [1/s]: at which its amplitude must fall; viscous: the
    rate to ask of a viscosity, at most that of critical damping; dt [s].
    """

    omega: float
    shape: np.ndarray
    rate: float
    dt: float

    @property
    def viscous(self) -> float:
        """[1/s]."""

    def points(self, body: Any) -> Points:
        """The body as dampings of velocities see it."""


@dataclass(frozen=True)
class Trial:
    """A damping by name, and how its coefficients follow from a vibration of a body."""

    name: str
    make: Callable[[Any, Any], Any]
    how: str


class NotApplicable(SolverError):
    """This damping is not for this body; the text says why."""


def trials_of(cls: type[Any], name: str) -> list[Trial]:
    """The trials that a damping states itself, or one with the examples of its parameters.

    Trials are not inherited, since a subclass may have other parameters.
    """
    if "trials" in vars(cls):
        return list(cls.trials())
    return [Trial(name, lambda body, mode: example_of(cls), "the examples that it declares")]
