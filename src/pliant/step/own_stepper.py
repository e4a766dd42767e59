"""What moves a body that is alone."""

from __future__ import annotations

from pliant.problem import Stepper, System
from pliant.reduced import ReducedStep, ReducedSystem, SubspaceSystem

from .subspace import SubspaceStep


def own_stepper(system: System, given: Stepper) -> Stepper:
    """What moves a body that touches nothing: the stepper of the run, or that of few coordinates."""
    if isinstance(system, SubspaceSystem):
        return SubspaceStep(given)
    return ReducedStep() if isinstance(system, ReducedSystem) else given
