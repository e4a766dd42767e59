"""A push that a user may give while a table is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.errors import SMALLEST, described, is_finite, shown, usable
from pliant.given import array_of, floats_or_nan

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Excite:
    """A push on some points, as it will be given: an impulse, or a force for a while or for good.

    on: a mask or indices of points. Give one of `force` [N], a vector on each of them, and `impulse`
    [N s], a vector on each that acts at once. seconds: how long the force acts; None: until the next
    push.

        tap = pl.Excite(on=[20], impulse=(0, -0.3, 0))
        push = pl.Excite(on=tip, force=(0, -50, 0), seconds=0.2)
    """

    on: Any
    force: Any = None
    impulse: Any = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.force is None) == (self.impulse is None):
            got = "neither" if self.force is None else "both"
            raise ValueError(f"Excite: got {got}; expected one of force= [N] and impulse= [N s]")
        what = "force" if self.impulse is None else "impulse"
        given = floats_or_nan(getattr(self, what))
        if given.ndim != 1 or len(given) not in (2, 3) or not usable(given):
            raise ValueError(
                f"Excite: got {what}={described(getattr(self, what))}; expected a vector, e.g. "
                "(0, -50, 0)"
            )
        if self.seconds is not None:
            if self.impulse is not None:
                raise ValueError("Excite: got seconds beside impulse, which acts at once")
            if not (is_finite(self.seconds) and self.seconds >= SMALLEST):
                raise ValueError(
                    f"Excite: got seconds={shown(self.seconds)}; expected a time above zero [s], or "
                    "None for a force that stays"
                )
        try:
            fits = array_of(self.on).dtype.kind in "biu"
        except ValueError:  # rows of different lengths
            fits = False
        if not fits:
            raise ValueError(
                f"Excite: got on={described(self.on)}; expected a mask or indices of points"
            )

    @property
    def vector(self) -> Array:
        """The force [N] or impulse [N s] on each point, (d,)."""
        return floats_or_nan(self.force if self.impulse is None else self.impulse)

    @property
    def stays(self) -> bool:
        """Whether it is a force that acts until the next push."""
        return self.impulse is None and self.seconds is None

    def __str__(self) -> str:
        what = "impulse" if self.force is None else "force"
        how_long = "" if self.seconds is None else f" for {self.seconds:g} s"
        vector = ", ".join(f"{v:g}" for v in self.vector)
        unit = "N s" if self.force is None else "N"
        return f"{what} ({vector}) {unit}{how_long}"
