"""The thesis's damping, by its own parameters."""

from __future__ import annotations

from pliant.errors import check_not_negative, check_size, is_finite
from pliant.given import shown

from .base import Damping
from .context import StepContext
from .inertia import Inertia


class EnergyMinimising(Damping):
    """Each step minimises kinetic plus scaled potential energy.

        min  kappa KE(v - v_old) + (1 - kappa) KE(v) + (tau/dt) PE(x + dt v)

    under unchanged momentum, in the inertia form: PE and loads stay physical, the inertia of
    deformation is divided by w = tau/dt. A larger tau [s] rests sooner; kappa = 0 never oscillates,
    kappa = 1 keeps the velocity. tau = None is the unmodified total energy (2.10), w = 1, whose rest
    time depends on dt. Source: [young2007] (2.10), (2.22), (5.4).

    The rest time follows from tau only by trial, and stiff shapes vanish first: `Settle` asks for the
    time itself.
    """

    controlled = resident = True

    def __init__(self, *, tau: float | None = 1.0, kappa: float = 0.0):
        if tau is not None and not (is_finite(tau) and tau > 0.0):
            raise ValueError(
                f"EnergyMinimising: got tau={shown(tau)}; expected tau > 0 in seconds, or tau=None "
                "for the unmodified total energy"
            )
        if not (is_finite(kappa) and kappa >= 0.0):
            raise ValueError(
                f"EnergyMinimising: got kappa={shown(kappa)}; expected 0 <= kappa, e.g. 0.0"
            )
        if tau is not None:
            check_size("EnergyMinimising", "tau", tau, "s")
        check_not_negative("EnergyMinimising", "kappa", kappa, "-")
        self.tau, self.kappa = None if tau is None else float(tau), float(kappa)

    def __repr__(self) -> str:
        return f"EnergyMinimising(tau={self.tau}, kappa={self.kappa})"

    def inertia(self, context: StepContext) -> Inertia:
        """1/(w dt^2) M about the carried shape, moved on by kappa times its drift."""
        dt = context.dt
        w = 1.0 if self.tau is None else self.tau / dt
        return Inertia(1.0 / (w * dt**2), context.onward(self.kappa))
