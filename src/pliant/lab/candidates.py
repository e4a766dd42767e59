"""Every damping, each with the coefficients that linear theory gives for one and the same wish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.backend import one_thread
from pliant.bodies import Deformable
from pliant.control import Points, Settle, Trial, trials_of
from pliant.kinds import DAMPINGS
from pliant.step import filter_points

from .wish import Wish

#: What counts as rest, as a share of the start.
WITHIN = 0.01


@dataclass(frozen=True)
class Mode:
    """The slowest vibration of a body about its rest shape: what a careful user would tune by.

    omega [rad/s]; shape (n, d) of unit mass; rate [1/s]: at which its amplitude must fall as
    exp(-rate t) to be within 1 % at the time asked for, that of its wish.
    """

    omega: float
    shape: np.ndarray
    rate: float
    dt: float
    wish: Wish

    @property
    def viscous(self) -> float:
        """The rate to ask of a viscosity: beyond omega, critical damping, it only creeps longer."""
        return min(self.rate, self.omega)

    def points(self, body: Deformable) -> Points:
        """The body as dampings of velocities see it, where it is now."""
        return replace(filter_points(body.system()), x=body.positions)


def slowest(body: Deformable, rest: np.ndarray, wish: Wish, dt: float) -> Mode:
    """The slowest mode about a rest shape."""
    with one_thread():
        values, modes = body.system().modes(rest, 1)
    shape = modes[0] / np.sqrt((body.masses[:, None] * modes[0] ** 2).sum())
    rate = np.log(1.0 / WITHIN) / wish.rest_in
    return Mode(float(np.sqrt(values[0])), shape, rate, dt, wish)


def settled(wish: Wish, bounces: int | None = None) -> Settle:
    """`Settle` for a wish, without inertia or with bounces."""
    return Settle(wish.rest_in, bounces, swing=wish.swing)


def candidates(wishes: Sequence[Wish]) -> list[Trial]:
    """All dampings of the library that can be tried for these wishes, `Settle` first."""
    bounces = {wish.bounces for wish in wishes if wish.bounces is not None}
    with_bounces = []
    if bounces:
        name = "bounces" if len(bounces) > 1 else f"{min(bounces)} bounce{'s' * (bounces != {1})}"
        with_bounces.append(
            Trial(
                f"Settle, {name}",
                lambda body, mode: settled(mode.wish, mode.wish.bounces),
                "the time and the bounces asked for",
            )
        )
    plain = Trial("Settle", lambda body, mode: settled(mode.wish), "the time asked for")
    others = {name: cls for name, cls in DAMPINGS.every().items() if cls is not Settle}
    first = sorted(others, key=lambda name: name != "none")
    classical = [trial for name in first for trial in trials_of(others[name], name)]
    return [plain, *with_bounces, *classical]
