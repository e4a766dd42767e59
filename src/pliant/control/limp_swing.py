"""A limp body that swings on: by its own mass, with its deformation slowed down."""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from pliant.problem import Inertia, StepContext

from .settle_state import Phase, SettleState

if TYPE_CHECKING:
    from .settle import Settle

log = logging.getLogger("pliant")


def limp_swing(
    wish: Settle, context: StepContext, state: SettleState
) -> tuple[Inertia, SettleState]:
    """The inertia of a step of a body on a hinge that its swing bends far.

        1/(2 dt^2) |x - x_n - e^(-2 s dt) dt drift|_M^2,   s = ln(1/within)/rest_in

    Its shape at rest goes with the swing, and with it what a bounce would be. So it swings as it is,
    and the drag 2 s on its deformation brings every vibration faster than s to `within` in time. The
    swing itself was carried rigidly, and is not slowed down.
    """
    if state.phase is not Phase.SWINGS:
        log.info(
            "t = %g s: its swing bends it far: its own mass moves it from now on, without bounces; "
            "swing=False brings it to rest",
            context.time,
        )
        state = replace(state.let_go(), phase=Phase.SWINGS)
    keep = math.exp(2.0 * math.log(wish.within) * context.dt / wish.rest_in)
    return Inertia(1.0 / context.dt**2, context.extrapolated(keep)), state
