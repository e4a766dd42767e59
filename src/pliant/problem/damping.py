"""The Damping base class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from pliant.declared import Declared

from .context import StepContext
from .control_state import ControlState
from .inertia import Dissipation, Inertia
from .trials import Trial


class Damping(Declared):
    """How a body loses its motion: a choice of inertia, or a dissipation, in the step.

    `controlled` dampings change the inertia of deformation only. The step then carries the body
    rigidly by its momentum and the damping acts on what is left, so that free fall, spin and the
    shape at rest are untouched. The others leave inertia alone and add a dissipation.

    A class that has `trials()`, a class method, says how the laboratory tunes it (`trials.py`).

    A damping has no state of its own: what a controller knows from step to step is given to `plan`,
    `review`, `retreat`, `lost` and `finish`, which return it changed.
    """

    word: ClassVar[str] = ""
    """Its name in scene files, if not that of the class."""
    controlled = False
    needs_rest = False  # whether `context.rest` must be kept up to date
    resident = False  # whether it leaves arrays to `context`, so that they can stay on a device
    swing = True  # whether what hangs on a hinge turns about it undamped, as rigid motion

    def wish(self) -> dict[str, Any]:
        """What was asked of it, for takes: rest_in [s], bounces, within; nothing by default."""
        return {}

    def check_dt(self, dt: float) -> None:
        """Refuse a wish that cannot be met with steps of dt [s], before anything moves."""

    def check_body(self, body: Any) -> None:
        """Refuse a body that this is not made for, before anything moves."""

    def after(self, carried: Callable[[np.ndarray], np.ndarray]) -> Damping:
        """This damping of a body with new points; carried: from numbers of points to theirs."""
        return self

    def inertia(self, context: StepContext) -> Inertia:
        """The inertia term of the step: its masses, and this damping's dissipation."""
        loss, d = self.dissipation(context), context.difference
        weight, anchor = d.weight, d.anchor
        if loss.drag:
            weight += loss.drag / d.span
            mixed, share = context.vectors.mixed, d.weight / weight
            anchor = mixed(share, anchor, 1.0 - share, d.before(mixed))
        energies = (*loss.energies, *context.resisting(d))
        return Inertia(weight, anchor, energies, loss.quadratics, extrapolation=1.0)

    def dissipation(self, context: StepContext) -> Dissipation:
        """What is dissipated in the step; nothing by default."""
        return Dissipation()

    def plan(
        self, context: StepContext, control: ControlState | None
    ) -> tuple[Inertia, ControlState | None]:
        """The inertia of this step, and the state of the controller within it."""
        return self.inertia(context), control

    def review(
        self, context: StepContext, control: ControlState | None, inertia: Inertia, x_new: Any
    ) -> tuple[Inertia | None, ControlState | None]:
        """A better inertia after seeing the result of the step, or None to accept it."""
        return None, control

    def retreat(
        self, context: StepContext, control: ControlState | None, inertia: Inertia
    ) -> tuple[Inertia | None, ControlState | None]:
        """A more robust inertia after the step could not be solved, or None if there is none."""
        return None, control

    def swings_limply(self, control: ControlState | None) -> bool:
        """Whether the body swings on a hinge, and was found too limp to be led to a rest shape."""
        return False

    def lost(
        self, context: StepContext, control: ControlState | None, x_new: Any
    ) -> tuple[bool, ControlState | None]:
        """Whether the body no longer approaches `context.rest`: it must have another equilibrium."""
        return False, control

    def pull_home(
        self, control: ControlState | None, *, for_good: bool = False
    ) -> ControlState | None:
        """Drive the body to its rest shape, even against its own forces, `for_good` or for a while."""
        return control

    def finish(
        self, context: StepContext, control: ControlState | None, x_new: Any
    ) -> ControlState | None:
        """The state of the controller that the next step begins with."""
        return control


class Undamped(Damping):
    """No damping but what backward Euler itself dissipates."""

    word = "none"
    resident = True

    @classmethod
    def trials(cls) -> list[Trial]:
        """One trial, without parameters."""
        how = "only what the time step itself dissipates"
        return [Trial("none", lambda body, mode: cls(), how)]
