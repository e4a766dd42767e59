"""The thesis's damping, by its own parameters."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from pliant.declared import Quantity, accept
from pliant.problem import Damping, Inertia, StepContext, Trial, Vibration


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

    def __init__(
        self,
        *,
        tau: Annotated[
            float | None,
            Quantity(
                "larger rests sooner",
                "s",
                above=0.0,
                none="none",
                says="tau > 0 in seconds, or tau=None for the unmodified total energy",
                example=0.05,
            ),
        ] = 1.0,
        kappa: Annotated[
            float,
            Quantity(
                "how much of the velocity is kept",
                "-",
                at_least=0.0,
                says="0 <= kappa, e.g. 0.0",
            ),
        ] = 0.0,
    ):
        self.tau, self.kappa = accept(self, tau=tau, kappa=kappa)

    @classmethod
    def trials(cls) -> list[Trial]:
        """The slowest mode falls by 1/(1 + tau omega^2 dt) a step for the inertia M/tau: see (2.19)."""

        def make(body: Any, mode: Vibration) -> EnergyMinimising:
            per_step = np.exp(mode.rate * mode.dt)
            return cls(tau=float((per_step - 1.0) / (mode.omega**2 * mode.dt)))

        return [Trial("EnergyMinimising", make, "tau from the slowest mode")]

    def inertia(self, context: StepContext) -> Inertia:
        """1/(w dt^2) M about the carried shape, moved on by kappa times its drift."""
        dt = context.dt
        w = 1.0 if self.tau is None else self.tau / dt
        return Inertia(1.0 / (w * dt**2), context.extrapolated(self.kappa))
