"""The law of `Settle`: one curve in time, and the gains with which steps of any length sample it.

Each departure u from the rest shape follows

    u(t) = e^(-s t) (u_0 cos(omega t) + (v_0 + s u_0) sin(omega t)/omega)

with v_0 the velocity at release and omega = 2 pi bounces/rest_in. For a mode with eigenvalue lambda
the controlled step is

    (1 + W) z^2 - (1 + kappa) z + kappa = 0,      W = w dt^2 lambda.

It has the roots e^((-s +- i omega) dt) if 1 + W = 1/(p - q), kappa = q/(p - q), with
p = 2 e^(-s dt) cos(omega dt) and q = e^(-2 s dt); and it is that curve from the first step on if the
step before the release lies on it as well. Source: [young2007] (5.4), with the roots placed as in
`docs/theory.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pliant.errors import Advice, ImpossibleWishError
from pliant.given import check_dt

#: Steps to rest up to which the roots of the law differ from 1 by more than rounding.
MOST_TO_REST = 1e12
#: Samples of a curve per rest_in in which its largest value is looked for; 1e-5 of it is missed.
SAMPLES = 400
#: A release is at rest if its velocity would cover less than this share of the departure in rest_in.
SLOW = 0.02


@dataclass(frozen=True)
class Law:
    """Gains of the step, and the curve that it samples: decay = s dt, theta = omega dt."""

    kappa: float
    W: float
    decay: float
    theta: float

    @property
    def r(self) -> float:
        """The factor of the envelope in a step."""
        return math.exp(-self.decay)

    def amplitude(self, k: np.ndarray) -> np.ndarray:
        """Amplitude after k steps of a mode released from rest with amplitude 1."""
        k = np.asarray(k, dtype=float)
        if not self.kappa:
            return np.exp(-self.decay * k)
        along, across = self._parts(k)
        return along + self.decay * across

    def envelope(self, k: np.ndarray) -> np.ndarray:
        """The bound that the amplitude touches once in every half oscillation."""
        if not self.theta:
            return self.amplitude(k)
        out: np.ndarray = np.exp(-self.decay * np.asarray(k, dtype=float))
        return math.hypot(1.0, self.decay / self.theta) * out

    def before(self, k: float = 1.0) -> tuple[float, float]:
        """Shares of u and of dt v, at some time, that make up what u was k steps earlier."""
        along, across = self._parts(-k)
        return float(along + self.decay * across), float(across)

    def _parts(self, k: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """e^(-s t) cos(omega t) and e^(-s t) sin(omega t)/omega after k steps, t in steps."""
        fall, turn = np.exp(-self.decay * np.asarray(k)), self.theta * np.asarray(k)
        return fall * np.cos(turn), fall * k * np.sinc(turn / np.pi)


@dataclass(frozen=True)
class Release:
    """How a body was let go, in the norm of masses: u.u, u.v and v.v of departure and velocity."""

    uu: float = 1.0
    uv: float = 0.0
    vv: float = 0.0

    def moves(self, rest_in: float) -> bool:
        """Whether the velocity counts for a body that is to rest in so many seconds."""
        return self.vv * rest_in**2 > SLOW**2 * self.uu

    def push(self, s: float) -> tuple[float, float]:
        """u.w and w.w of w = v + s u, the velocity of u e^(s t)."""
        return self.uv + s * self.uu, self.vv + 2.0 * s * self.uv + s**2 * self.uu

    def distances(self, s: float, omega: float, t: np.ndarray | float) -> np.ndarray:
        """|u(t)| of the law with this decay s [1/s] and frequency omega [1/s]."""
        t = np.asarray(t, dtype=float)
        along, across = np.cos(omega * t), t * np.sinc(omega * t / np.pi)
        uw, ww = self.push(s)
        squares = self.uu * along**2 + 2.0 * uw * along * across + ww * across**2
        return np.exp(-s * t) * np.sqrt(np.maximum(squares, 0.0))

    def envelope(self, s: float, omega: float) -> float:
        """The largest |u e^(s t)|: half the longer axis of the ellipse that it goes round."""
        uw, ww = self.push(s)
        uw, ww = uw / omega, ww / omega**2
        return math.sqrt(0.5 * (self.uu + ww) + math.hypot(0.5 * (self.uu - ww), uw))

    @classmethod
    def through(cls, now: float, then: float, both: float, law: Law) -> Release:
        """How a body moves that was at two shapes a step apart; time is counted in steps.

        now, then, both: the squares of the later and the earlier departure, and their product.
        """
        keep, share = law.before()  # u_before = keep u + share v
        uv = (both - keep * now) / share
        vv = max(then - 2.0 * keep * both + keep**2 * now, 0.0) / share**2
        return cls(now, uv, vv)


AT_REST = Release()


def solve_law(
    rest_in: float, dt: float, bounces: int | None, within: float, release: Release = AT_REST
) -> Law:
    """The gains that bring one mode to `within` of its largest amplitude after `rest_in` seconds.

    bounces None: no inertia at all, [young2007] (2.22). 0: critical. m > 0: m full oscillations.
    Raises ImpossibleWishError, naming the longest admissible dt, where the step is too long.
    """
    dt = check_dt("Settle", dt)
    n = rest_in / dt
    if n < 1.0 - 1e-9:
        raise ImpossibleWishError(
            Advice(
                f"rest_in={rest_in:g} s is shorter than one step of dt={dt:g} s; the longest "
                f"admissible step is dt={rest_in:g} s: ",
                f"scene.run(dt={rest_in:g})",
                f"set dt = {rest_in:g} in [run]",
            )
        )
    if n > MOST_TO_REST:
        raise ImpossibleWishError(
            Advice(
                f"rest_in={rest_in:g} s are {n:.1e} steps of dt={dt:g} s; expected at most "
                f"{MOST_TO_REST:.0e}",
                "; to be undamped over so short a time, body.damping = None",
                "; to be undamped over so short a time, leave settle out",
            )
        )
    s = decay_rate(rest_in, bounces, within, release)
    if bounces is None:
        return descending(s * dt)
    law = sampled(s * dt, 2.0 * math.pi * bounces * dt / rest_in)
    if law is None and release is not AT_REST:
        law = sampled(decay_rate(rest_in, bounces, within) * dt, 2.0 * math.pi * bounces / n)
    if law is None:
        limit = rounded_down(longest_dt(rest_in, bounces, within))
        raise ImpossibleWishError(
            Advice(
                f"{bounces} bounces in rest_in={rest_in:g} s cannot be drawn with dt={dt:g} s; "
                f"the longest admissible step is dt={limit:g} s: ",
                f"scene.run(dt={limit:g}), or ask for fewer bounces",
                f"set dt = {limit:g} in [run], or ask for fewer bounces",
            )
        )
    return law


def longest_dt(rest_in: float, bounces: int | None, within: float) -> float:
    """The longest step at which the wish can be met [s]."""
    if not bounces:
        return rest_in
    return longest_swing(decay_rate(rest_in, bounces, within), 2.0 * math.pi * bounces / rest_in)


def longest_swing(s: float, omega: float) -> float:
    """The longest step [s] that can draw a swing of a decay and a frequency [1/s]: there p = q."""
    from scipy.optimize import brentq

    def room(dt: float) -> float:
        return 2.0 * math.cos(omega * dt) - math.exp(-s * dt)

    return float(brentq(room, 0.0, 0.5 * math.pi / omega, rtol=1e-12))


@lru_cache(maxsize=256)  # asked for in every step
def decay_rate(
    rest_in: float, bounces: int | None, within: float, release: Release = AT_REST
) -> float:
    """s [1/s], with which the law comes to rest in time.

    At rest the distance stays below `within` of its largest value; with bounces, its envelope does.
    """

    from scipy.optimize import brentq

    if bounces is None:
        return -math.log(within) / rest_in
    if release.moves(rest_in):
        return _decay_from(release, rest_in, bounces, within)

    def miss(x: float) -> float:
        above = 0.5 * math.log1p((x / (2.0 * math.pi * bounces)) ** 2) if bounces else math.log1p(x)
        return above - x - math.log(within)

    # x >= 2 ln(1 + x) from x = 2.6 on
    return float(brentq(miss, 1e-12, 3.0 - 2.0 * math.log(within), xtol=1e-15)) / rest_in


def _decay_from(release: Release, rest_in: float, bounces: int, within: float) -> float:
    """The same for a body that is let go in motion: the largest s at which the wish is just met."""

    from scipy.optimize import brentq

    omega = 2.0 * math.pi * bounces / rest_in
    t = np.linspace(0.0, 3.0 * rest_in, 3 * SAMPLES + 1)

    def miss(s: float) -> float:
        d = release.distances(s, omega, t)
        if bounces:
            left = release.envelope(s, omega) * math.exp(-s * rest_in)
        else:
            left = float(d[SAMPLES:].max())
        return math.log(left / (within * float(d.max())))

    fast, factor = (8.0 - 3.0 * math.log(within)) / rest_in, 1.1
    slow = fast / factor
    while miss(slow) < 0.0 and slow * rest_in > 1e-6:
        fast, slow = slow, slow / factor
    return float(brentq(miss, slow, fast, rtol=1e-10)) if miss(slow) > 0.0 else slow


def descending(decay: float) -> Law:
    """The gains without inertia: in a step the amplitude falls by e^(-decay)."""
    return Law(0.0, math.expm1(decay), decay, 0.0)


def sampled(decay: float, theta: float) -> Law | None:
    """The gains whose roots are e^(-decay +- i theta); None if no step has them."""
    if theta >= 0.5 * math.pi:
        return None
    q = math.exp(-2.0 * decay)
    room = 2.0 * math.exp(-decay) * math.cos(theta) - q
    if room <= 0.0:
        return None
    # 1 - (p - q) = (1 - e^-decay)^2 + 4 e^-decay sin^2(theta/2), without cancellation
    W = (math.expm1(-decay) ** 2 + 4.0 * math.exp(-decay) * math.sin(0.5 * theta) ** 2) / room
    return Law(q / room, W, decay, theta)


def rounded_down(value: float) -> float:
    """Four significant digits, never more than the value: what an error may promise."""
    unit = 10.0 ** (np.floor(np.log10(value)) - 3)
    return float(f"{np.floor(value / unit) * unit:.4g}")
