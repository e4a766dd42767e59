"""`pl.fit_wish`: which `rest_in` and `bounces` a recorded motion has, to ask for the same.

Whatever follows the law of `Settle` moves as

    x(t) = c + e^(-s t) (U cos(omega t) + V sin(omega t)),

c, U and V being any shapes (omega = 0: U + V t; without inertia: U alone). Shapes are linear in this, so
only s and omega are searched, and rest_in follows from the distance |x - c|. A motion of another
simulator has other modes as well; what is found is the law that is nearest to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq, least_squares

from pliant.control import Release, Settle
from pliant.errors import is_finite, shown
from pliant.take import Take, Track

from .targets import PointTracks, read_target

#: Shapes that vary together are kept up to this share of the largest.
_KEPT = 1e-8
#: The motion has begun when it has gone this share of the farthest way.
_BEGUN = 0.005
#: Starts of the search for omega: oscillations within the record.
_OSCILLATIONS = (0.7, 1.0, 1.5, 2.0, 3.0, 4.5, 6.5, 9.0, 13.0, 19.0)
_FEWEST = 8
#: Bodies bend: what is left below this share of the motion is no reason for a law with more freedom.
_NEAR = 0.03


@dataclass(frozen=True)
class FoundWish:
    """The wish that a motion has.

    rest_in [s] and bounces as `pl.Settle` takes them; oscillations: their number before it was rounded;
    since [s]: when the motion began in the record; missed: the root mean square of what the law leaves
    of the motion, as a share of it.
    """

    rest_in: float
    bounces: int | None
    oscillations: float
    since: float
    missed: float
    within: float

    @property
    def damping(self) -> Settle:
        """The damping that asks for the same."""
        return Settle(rest_in=self.rest_in, bounces=self.bounces, within=self.within)

    def __str__(self) -> str:
        many = {None: "without inertia", 0: "no bounce", 1: "1 bounce"}
        how = many.get(self.bounces, f"{self.bounces} bounces")
        return (
            f"rests in {self.rest_in:.3g} s, {how}; the law leaves {self.missed:.2g} of the motion"
        )


def fit_wish(
    motion: Take | Track | PointTracks | str | Path,
    *,
    since: float | None = None,
    within: float = 0.01,
) -> FoundWish:
    """Find the `rest_in` and `bounces` of a recorded motion: a take, `pl.PointTracks`, or a file.

    since [s]: when it began; by default when the first point moves. within: as of `pl.Settle`. The body
    must be held somewhere, unless it is a take of pliant, of which rigid motion is left out.
    """
    times, x = _seen(motion)
    if not (is_finite(within) and 0.0 < within < 1.0):
        raise ValueError(f"fit_wish: got within={shown(within)}; expected a share, e.g. 0.01")
    begin = _begin(x) if since is None else int(np.searchsorted(times, since))
    times, x = times[begin:], x[begin:]
    if len(times) < _FEWEST:
        raise ValueError(
            f"fit_wish: got {len(times)} frames of a motion; expected at least {_FEWEST} since it began"
        )
    return _best(times - times[0], x, float(times[0]), within)


def _best(t: np.ndarray, x: np.ndarray, since: float, within: float) -> FoundWish:
    """The law that leaves least, where one with more freedom must leave clearly less."""
    y, whole = _leading(x)
    if whole == 0.0:
        raise ValueError("fit_wish: nothing moves; expected a motion")
    first, critical = (_decaying(t, y, linear) for linear in (False, True))
    ringing = _ringing(t, y)
    tried = [(first, None), (critical, 0), (ringing, 1)]

    def worth(law: _Shapes) -> float:  # of Bayes, with as many numbers as there are shapes
        noise = max(law.left / whole, _NEAR)
        return len(t) * 2.0 * math.log(noise) + law.columns * math.log(len(t))

    law, bounces = min(tried, key=lambda pair: worth(pair[0]))
    rest_in = law.rest_in(within)
    oscillations = rest_in * law.omega / (2.0 * math.pi)
    if bounces and round(oscillations) == 0:  # it does not come to a whole one
        law, bounces, oscillations = critical, 0, oscillations
        rest_in = law.rest_in(within)
    if bounces:
        bounces = round(oscillations)
    return FoundWish(rest_in, bounces, oscillations, since, law.left / whole, within)


@dataclass(frozen=True)
class _Shapes:
    """A law that was fitted: decay s and frequency omega [1/s], shapes, and what it leaves."""

    s: float
    omega: float
    shapes: np.ndarray  # (columns, k): c first, then U and V
    linear: bool
    left: float

    @property
    def columns(self) -> int:
        return len(self.shapes) + 1 + (self.omega > 0.0)

    def rest_in(self, within: float) -> float:
        """When the distance to c, of bounces its envelope, is `within` of its largest [s]."""
        if not self.linear and not self.omega:
            return math.log(1.0 / within) / self.s
        u, v = self.shapes[1], self.shapes[2] * (self.omega or 1.0) - self.s * self.shapes[1]
        release = Release(float(u @ u), float(u @ v), float(v @ v))
        grid = np.linspace(0.0, 20.0 / self.s, 20_000)
        far = release.distances(self.s, self.omega, grid)
        largest = float(far.max())
        if self.omega:
            return math.log(release.envelope(self.s, self.omega) / (within * largest)) / self.s
        last = int(np.flatnonzero(far > within * largest)[-1])

        def above(time: float) -> float:
            return float(release.distances(self.s, 0.0, time)) - within * largest

        return float(brentq(above, grid[last], grid[last + 1]))


def _fitted(t: np.ndarray, y: np.ndarray, columns: Sequence[np.ndarray]) -> tuple[Any, np.ndarray]:
    """The shapes of a law whose curves are these, and what is left, (frames, k)."""
    B = np.stack([np.ones_like(t), *columns], axis=1)
    shapes = np.linalg.lstsq(B, y, rcond=None)[0]
    return shapes, y - B @ shapes


def _decaying(t: np.ndarray, y: np.ndarray, linear: bool) -> _Shapes:
    """e^(-s t) U, or e^(-s t) (U + V t)."""

    def curves(p: np.ndarray) -> list[np.ndarray]:
        fall = np.exp(-np.exp(p[0]) * t)
        return [fall, t * fall] if linear else [fall]

    p = _searched(t, y, curves, [[math.log(k / t[-1])] for k in (1.0, 3.0, 6.0, 12.0)])
    shapes, left = _fitted(t, y, curves(p))
    return _Shapes(math.exp(p[0]), 0.0, shapes, linear, float(np.linalg.norm(left)))


def _ringing(t: np.ndarray, y: np.ndarray) -> _Shapes:
    """e^(-s t) (U cos(omega t) + V sin(omega t))."""

    def curves(p: np.ndarray) -> list[np.ndarray]:
        fall, turn = np.exp(-np.exp(p[0]) * t), np.exp(p[1]) * t
        return [fall * np.cos(turn), fall * np.sin(turn)]

    starts = [[math.log(4.0 / t[-1]), math.log(2 * math.pi * n / t[-1])] for n in _OSCILLATIONS]
    p = _searched(t, y, curves, starts)
    shapes, left = _fitted(t, y, curves(p))
    return _Shapes(math.exp(p[0]), math.exp(p[1]), shapes, True, float(np.linalg.norm(left)))


def _searched(t: np.ndarray, y: np.ndarray, curves: Any, starts: Sequence[Sequence[float]]) -> Any:
    """The logarithms of s and omega that leave least, from several starts."""

    def left(p: np.ndarray) -> np.ndarray:
        return _fitted(t, y, curves(np.clip(p, -30.0, 30.0)))[1].ravel()

    found = [least_squares(left, start, xtol=1e-12, ftol=1e-14) for start in starts]
    return np.clip(min(found, key=lambda one: one.cost).x, -30.0, 30.0)


def _seen(motion: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times and positions of a motion, (frames,) and (frames, flat)."""
    if isinstance(motion, (str, Path)):
        motion = read_target(motion)
    if isinstance(motion, Take):
        if len(motion.tracks) != 1:
            raise ValueError(
                f"fit_wish: the take has {len(motion.tracks)} bodies; expected one of take.tracks"
            )
        motion = motion.tracks[0]
    if isinstance(motion, Track):
        x = motion.positions if motion.rests is None else motion.displacements()
        return motion.times - motion.times[0], x.reshape(len(x), -1)
    if isinstance(motion, PointTracks) and motion.times is not None:
        whole = np.isfinite(motion.positions).all(axis=(0, 2))
        if not whole.any():
            raise ValueError("fit_wish: no point was seen all the time; expected one at least")
        return motion.times, motion.positions[:, whole].reshape(len(motion.times), -1)
    raise TypeError(
        f"fit_wish: got {shown(motion)}; expected a take of a motion, or pl.PointTracks with times"
    )


def _begin(x: np.ndarray) -> int:
    """The last frame before anything moves."""
    away = np.linalg.norm(x - x[0], axis=1)
    moved = np.flatnonzero(away > _BEGUN * away.max())
    return int(max(moved[0] - 1, 0)) if len(moved) else 0


def _leading(x: np.ndarray) -> tuple[np.ndarray, float]:
    """The motion in the few shapes that it has, (frames, k), and its size."""
    centred = x - x.mean(axis=0)
    U, s, _ = np.linalg.svd(centred, full_matrices=False)
    kept = s > _KEPT * max(s[0], 1e-300)
    return U[:, kept] * s[kept], float(np.linalg.norm(s))
