"""How a body loses its motion: a damping, and others from a time on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.control import Damping, Undamped
from pliant.errors import is_finite, shown
from pliant.given import is_due
from pliant.mesh import Mesh

from .mass_points import MassPoints


class DampedBody(MassPoints):
    """A body that has a damping."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, name: str):
        self._damping: Damping = Undamped()
        self._damped_since: float | None = None
        self._damped_later: tuple[tuple[float, Damping | None], ...] = ()
        super().__init__(mesh, masses, name=name)

    @property
    def damping(self) -> Damping:
        """How the body loses its motion."""
        return self._damping

    @damping.setter
    def damping(self, value: Damping | None) -> None:
        self._damp(value)

    def _damp(self, value: Damping | None) -> None:
        if value is not None and not isinstance(value, Damping):
            raise TypeError(
                f"damping: got {type(value).__name__}; expected e.g. pl.Settle(rest_in=1.0) or None"
            )
        self._damping, self._damped_since = value or Undamped(), None
        self.restart_clock()

    @property
    def keyed_dampings(self) -> Sequence[tuple[Damping, float | None]]:
        """The damping that it has, and those of its keys to come, each with the time of its key [s]."""
        later = [(damping or Undamped(), at) for at, damping in self._damped_later]
        return (self.damping, self._damped_since), *later

    def change_damping(self, damping: Damping | None, *, at: float) -> None:
        """Take another damping at a time of the scene [s]: a key of a wish.

        The clock starts anew with the first step from then on, and the body goes on as fast as it was;
        only bounces=None, which is motion without inertia, drops the velocity of deformation.

            body.damping = pl.Settle(rest_in=3.0, bounces=2)
            body.change_damping(pl.Settle(rest_in=0.5, bounces=0), at=1.0)
        """
        if not is_finite(at):
            raise ValueError(
                f"change_damping: got at={shown(at)}; expected a time of the scene [s]"
            )
        if damping is not None and not isinstance(damping, Damping):
            raise TypeError(
                f"change_damping: got {type(damping).__name__}; expected e.g. pl.Settle(rest_in=1.0) "
                "or None"
            )
        later = (*self._damped_later, (float(at), damping))
        self._damped_later = tuple(sorted(later, key=lambda key: key[0]))

    def drop_keys(self) -> Sequence[tuple[float, Damping | None]]:
        """Forget the dampings that `change_damping` has planned; returns them with their times [s]."""
        keys, self._damped_later = self._damped_later, ()
        return keys

    def planned(self, begin: float, end: float) -> bool:
        """Whether a change waits for a time between two [s]."""
        return any(begin <= at < end for at, _ in self._damped_later)

    def apply_events(self, time: float) -> None:
        """Make the changes that wait for a time [s]; `system` may be another one then."""
        due = [key for key in self._damped_later if is_due(key[0], time)]
        if due:
            self._damped_later = self._damped_later[len(due) :]
            self.damping = due[-1][1]
            self._damped_since = due[-1][0]

    def take_up_events(self, time: float) -> None:
        """Make the changes that waited until a time [s], in a run that is taken up there."""
        self.apply_events(time)
