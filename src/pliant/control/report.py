"""What a wish means for a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from pliant.errors import is_finite, shown
from pliant.given import check_dt

from .hop_limits import HopLimits
from .law import solve_law

if TYPE_CHECKING:
    from .settle import Settle


#: The gap of contact by default, over the size of a body.
GAP = 1e-3

#: Said of what hangs by a point or a line.
SWINGS_ON = (
    "goes on and never rests: it hangs by a point or a line. With swing=False it rests in time. "
    "What the swing bends far moves by its own mass, without bounces"
)


@runtime_checkable
class Restable(Protocol):
    """What a wish can be explained for: a body."""

    def rest_shape(self, gravity: Any = None) -> np.ndarray:
        """Where it rests [m], (n, d)."""

    @property
    def mesh(self) -> Any:
        """Its mesh."""

    def system(self) -> Any:
        """What is minimised for it."""


@dataclass(frozen=True)
class SettleReport:
    """`settle.report(body)`: the numbers behind a wish.

    lambda_1 [1/s^2]: lowest eigenvalue of the deformation at its equilibrium. natural_period [s]:
    2 pi/sqrt(lambda_1), how long one undamped bounce would take. kappa, W: gains of the law at dt;
    w = W/(dt^2 lambda_1): how much lighter (w > 1) or heavier the deformation is made for its first
    mode. tau [s]: the thesis's parameter w dt. longest_dt [s]: beyond it the wish cannot be met.
    hops: of a body that falls; its bounces are hops, and the gains those of bounces=0 beyond longest_dt.
    swings_on: its pins let it swing under its loads, and the wish leaves that alone: it never rests.
    """

    rest_in: float
    bounces: int | None
    dt: float
    lambda_1: float
    natural_period: float
    kappa: float
    W: float
    w: float
    tau: float
    longest_dt: float
    hops: HopLimits | None = None
    swings_on: bool = False

    def __str__(self) -> str:
        rows = [
            ("asked", f"rest in {self.rest_in:g} s, bounces {self.bounces}"),
            ("lambda_1", f"{self.lambda_1:.6g} 1/s^2"),
            ("natural period", f"{self.natural_period:.4g} s"),
            ("kappa", f"{self.kappa:.6g}"),
            (
                "w",
                f"{self.w:.6g}   (W = {self.W:.6g}, tau = {self.tau:.6g} s at dt = {self.dt:.6g} s)",
            ),
            ("longest dt", f"{self.longest_dt:.4g} s"),
        ]
        if self.hops is not None:
            rows[-1] = ("hops", str(self.hops))
        if self.swings_on:
            rows.append(("swing", SWINGS_ON))
        return "\n".join(f"{name:>15}  {value}" for name, value in rows)


def explain(
    settle: Settle, body: Any, *, dt: float, gravity: Any = None, fall: float | None = None
) -> SettleReport:
    """The report of a wish for a body at its equilibrium under gravity and its loads.

    The body is left as it is. A free body is measured at rest in its own frame. fall [m]: of a body that
    lands on something.
    """
    if not isinstance(body, Restable):
        raise TypeError(f"report: got {shown(body)}; expected a body, as in settle.report(body)")
    dt = check_dt("report", dt)
    lambda_1 = float(body.system().modes(body.rest_shape(gravity), 1)[0][0])
    # Bounces of what falls are hops. Before it lands they are drawn if dt allows.
    drawn = fall is None or dt <= settle.longest_dt
    gains = settle.gains(dt) if drawn else solve_law(settle.rest_in, dt, 0, settle.within)
    w = gains.W / (dt**2 * lambda_1)
    hops, pull = None, float(np.linalg.norm(np.zeros(1) if gravity is None else gravity))
    if fall is not None:
        if not (is_finite(fall) and fall > 0.0 and pull > 0.0):
            raise ValueError(
                f"report: got fall={shown(fall)} and gravity {pull:g} m/s^2; expected a fall of some "
                "metres under gravity: settle.report(body, gravity=(0, -9.81, 0), fall=0.5)"
            )
        hops = HopLimits.of(
            settle.bounces or 0,
            speed=float(np.sqrt(2.0 * pull * fall)),
            gravity=pull,
            rest_in=settle.rest_in,
            dt=dt,
            gap=GAP * float(np.ptp(body.mesh.points, axis=0).max()),
        )
    return SettleReport(
        rest_in=settle.rest_in,
        bounces=settle.bounces,
        dt=dt,
        lambda_1=lambda_1,
        natural_period=float(2.0 * np.pi / np.sqrt(lambda_1)),
        kappa=float(gains.kappa),
        W=float(gains.W),
        w=float(w),
        tau=float(w * dt),
        longest_dt=settle.longest_dt,
        hops=hops,
        swings_on=settle.swing and pull > 0.0 and body.system().rigid.swings,
    )
