"""The Damping base class."""

from __future__ import annotations

from typing import Any

from .inertia import Dissipation, Inertia
from .moment import Moment


class Damping:
    """How a body loses its motion: a choice of inertia, or a dissipation, in the step.

    `controlled` dampings change the inertia of deformation only. The step then carries the body
    rigidly by its momentum and the damping acts on what is left, so that free fall, spin and the
    shape at rest are untouched. The others leave inertia alone and add a dissipation.
    """

    controlled = False
    needs_rest = False  # whether `moment.rest` must be kept up to date
    resident = False  # whether it leaves arrays to `moment`, so that they can stay on a device
    swing = True  # whether what hangs on a hinge turns about it undamped, as rigid motion

    def inertia(self, moment: Moment) -> Inertia:
        """The inertia term of the step: its masses, and this damping's dissipation."""
        loss, d = self.dissipation(moment), moment.difference
        weight, anchor = d.weight, d.anchor
        if loss.drag:
            weight += loss.drag / d.span
            mixed, share = moment.vectors.mixed, d.weight / weight
            anchor = mixed(share, anchor, 1.0 - share, d.before(mixed))
        energies = (*loss.energies, *moment.resisting(d))
        return Inertia(weight, anchor, energies, loss.quadratics, onward=1.0)

    def dissipation(self, moment: Moment) -> Dissipation:
        """What is dissipated in the step; nothing by default."""
        return Dissipation()

    def review(self, moment: Moment, inertia: Inertia, x_new: Any) -> Inertia | None:
        """A better inertia after seeing the result of the step, or None to accept it."""
        return None

    def retreat(self, moment: Moment, inertia: Inertia) -> Inertia | None:
        """A more robust inertia after the step could not be solved, or None if there is none."""
        return None

    def lost(self, moment: Moment, x_new: Any) -> bool:
        """Whether the body no longer approaches `moment.rest`: it must have another equilibrium."""
        return False

    def pull_home(self, moment: Moment) -> None:
        """From now on drive the body to its rest shape, even against its own forces."""

    def finish(self, moment: Moment, x_new: Any) -> None:
        """Remember what the next step will need."""


class Undamped(Damping):
    """No damping but what backward Euler itself dissipates."""

    resident = True

    def __repr__(self) -> str:
        return "Undamped()"
