"""Bounces at given times: a law whose frequency changes on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import Advice, ImpossibleWishError, shown
from pliant.given import check_dt, floats_or_nan

from .law import Law, longest_swing, rounded_down

if TYPE_CHECKING:
    from scipy.interpolate import CubicHermiteSpline

#: Rounds in which the phases of beats and the frequencies there agree to rounding.
ROUNDS = 8
#: So much faster than to `within` at the end, which a last beat at rest_in would just not be below.
MARGIN = 1.002
#: Where the frequency is looked at, per beat.
SAMPLES = 32


@dataclass(frozen=True)
class Beats:
    """When each bounce ends [s], increasing, and how fast all of them vanish [1/s].

        u(t) = e^(-s t) (cos phi(t) + b sin phi(t)),   b = s/phi'(0)

    phi is a smooth monotone curve through 0 and through the phases at which u turns back on the side
    of its start: 2 pi k, and a little more or less where the frequency differs from the first.
    Any three shapes on e^(-s t) (U cos phi + V sin phi) are linearly dependent, so a step has gains

        p = e^(-s dt) sin(phi_+ - phi_-)/sin(phi - phi_-)
        q = e^(-2 s dt) sin(phi_+ - phi)/sin(phi - phi_-)

    with 1 + W = 1/(p - q), kappa = q/(p - q), which are those of `Law` if beats are even. After the
    last beat the body comes to rest without another bounce.
    """

    times: tuple[float, ...]
    decay: float

    @classmethod
    def of(cls, times: Any, rest_in: float, within: float) -> Beats:
        """The beats of a `Settle`; refused if they are no such times."""
        found = floats_or_nan(times)
        row = np.concatenate([[0.0], found.ravel()])
        if found.ndim != 1 or not len(found) or not (np.diff(row) > 0.0).all() or row[-1] > rest_in:
            raise ValueError(
                f"Settle: got beats={shown(times)}; expected increasing seconds > 0, the last not after "
                f"rest_in={rest_in:g}, e.g. beats=[{0.3 * rest_in:.3g}, {0.7 * rest_in:.3g}]"
            )
        return cls(tuple(found.tolist()), -MARGIN * math.log(within) / rest_in)

    @property
    def last(self) -> float:
        """The last beat [s]."""
        return self.times[-1]

    @property
    def shortest(self) -> float:
        """The shortest bounce [s]."""
        return float(np.diff((0.0, *self.times)).min())

    @cached_property
    def _phase(self) -> CubicHermiteSpline:
        from scipy.interpolate import CubicHermiteSpline  # brings scipy.optimize, 29 MB

        t = np.array((0.0, *self.times))
        phases = 2.0 * math.pi * np.arange(len(t))
        for _ in range(ROUNDS):
            rates = _slopes(t, phases)
            b = self.decay / rates[0]
            turns = np.arctan2(b * rates - self.decay, rates + self.decay * b)
            phases = 2.0 * math.pi * np.arange(len(t)) + turns
        return CubicHermiteSpline(t, phases, _slopes(t, phases))

    def phase(self, t: float) -> float:
        """phi(t); beyond the ends it goes on as fast as there."""
        inside = min(max(t, 0.0), self.last)
        return float(self._phase(inside)) + (t - inside) * self.rate(inside)

    def rate(self, t: float) -> float:
        """phi'(t) [1/s]."""
        return float(self._phase(min(max(t, 0.0), self.last), 1))

    def gains(self, t: float, dt: float, decay: float) -> Law | None:
        """The law of the step from t on; None if it is too long. decay [1/s]: in place of its own."""
        before, now, after = (self.phase(t + k * dt) for k in (-1, 0, 1))
        fall, last, whole = math.exp(-decay * dt), now - before, after - before
        if not 0.0 < whole < math.pi:
            return None
        p = fall * math.sin(whole) / math.sin(last)
        q = fall**2 * math.sin(after - now) / math.sin(last)
        room = p - q
        if room <= 0.0 or room >= 1.0:
            return None
        return Law(q / room, 1.0 / room - 1.0, decay * dt, self.rate(t) * dt)

    def first(self, dt: float) -> Law:
        """The law of the first step. Raises ImpossibleWishError, naming the longest step that can."""
        law = self.gains(0.0, check_dt("Settle", dt), self.decay) if dt <= self.longest_dt else None
        if law is None:
            limit = f"{rounded_down(self.longest_dt):g}"
            raise ImpossibleWishError(
                Advice(
                    f"beats as near as {self.shortest:g} s cannot be drawn with dt={dt:g} s; the "
                    f"longest admissible step is dt={limit} s: ",
                    f"scene.run(dt={limit}), or ask for beats farther apart",
                    f"set dt = {limit} in [run], or ask for beats farther apart",
                )
            )
        return law

    @cached_property
    def longest_dt(self) -> float:
        """The longest step that can draw them [s], as `law.longest_dt`."""
        t = np.linspace(0.0, self.last, SAMPLES * len(self.times) + 1)
        return longest_swing(self.decay, float(self._phase(t, 1).max()))


def _slopes(t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slopes at the points of a monotone curve: harmonic means of both sides, at the ends the one."""
    secants = np.diff(y) / np.diff(t)
    inner = 2.0 * secants[1:] * secants[:-1] / (secants[1:] + secants[:-1])
    return np.concatenate([secants[:1], inner, secants[-1:]])
