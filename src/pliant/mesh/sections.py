"""Places along a curve, with frames that turn no more than the curve does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pliant.errors import LARGEST, Advice, described
from pliant.given import floats_or_nan, unit_vectors

from .arrays import Floats

#: Lengths along a curve are sums over so many straight pieces for each section.
PIECES = 16
#: Ends that are nearer to each other than this share of the length are one place.
SAME = 1e-9


@runtime_checkable
class Path(Protocol):
    """A curve as generators need it: `pl.shape.Bezier`, `BSpline`, `Nurbs`, or one of your own."""

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last parameter."""

    def __call__(self, t: Any, /) -> Any:
        """Positions [m] at parameters (k,), (k, d)."""


@dataclass(frozen=True)
class Sections:
    """Places (k, d) [m], their directions and lengths along the curve from 0 to 1, (k,).

    closed: the last place is the first, and is left out.
    """

    places: Floats
    tangents: Floats
    shares: Floats
    closed: bool

    def frames(self, first: Floats) -> Floats:
        """A unit vector across the curve at each place (k, 3), which turns about it as little as can be.

        It begins as near to `first` as it can. Of a closed curve what is missing at the end is spread
        evenly. By double reflection; source: [wang2008].
        """
        t, x = self.tangents, self.places
        across = np.zeros_like(x)
        across[0] = unit_vectors(first - (first @ t[0]) * t[0])
        if not across[0].any():
            across[0] = unit_vectors(np.cross(t[0], np.eye(3)[np.abs(t[0]).argmin()]))
        count = len(x)
        for i in range(count - (not self.closed)):
            j = (i + 1) % count
            reflected = across[i], t[i]
            step = x[j] - x[i]
            reflected = tuple(v - 2.0 * (step @ v) / (step @ step) * step for v in reflected)
            turn = t[j] - reflected[1]
            size = turn @ turn
            found = (
                reflected[0]
                if size < 1e-30
                else reflected[0] - 2.0 * (turn @ reflected[0]) / size * turn
            )
            if j:
                across[j] = found
            else:
                missing = np.arctan2(np.cross(found, across[0]) @ t[0], found @ across[0])
                across = _turned(across, t, missing * np.arange(count) / count)
        return across

    def require_slender(self, call: str, reach: Floats) -> None:
        """Refuse what folds where the curve bends; reach: how far it goes across the curve [m], (k,)."""
        after = np.arange(len(self.places))[1:]
        if self.closed:
            after = np.append(after, 0)
        before = np.arange(len(after))
        length = np.linalg.norm(self.places[after] - self.places[before], axis=1)
        bend = np.linalg.norm(self.tangents[after] - self.tangents[before], axis=1)
        widest = np.maximum(reach[after], reach[before])
        worst = int(np.argmax(widest * bend - length))
        if widest[worst] * bend[worst] >= length[worst]:
            raise ValueError(
                Advice(
                    f"it reaches {widest[worst]:.4g} m across the curve, which bends with a radius of "
                    f"{length[worst] / bend[worst]:.4g} m at {self.shares[worst]:.2g} of its length, so "
                    "that it folds; expected less",
                    f", as in {call}",
                )
            )


def sections_of(call: str, curve: Any, count: int) -> Sections:
    """So many steps of equal length along a curve; points (k, d) are taken as they are."""
    if isinstance(curve, Path):
        low, high = curve.domain
        fine = np.linspace(low, high, PIECES * count + 1)
        lengths = _lengths(_accepted(call, curve(fine)))
        t = np.interp(np.linspace(0.0, lengths[-1], count + 1), lengths, fine)
        t[0], t[-1] = low, high
        step = 1e-6 * (high - low)
        places = _accepted(call, curve(t))
        before, after = np.maximum(t - step, low), np.minimum(t + step, high)
        slopes = np.asarray(curve(after)) - np.asarray(curve(before))
    else:
        places = _accepted(call, curve)
        slopes = np.gradient(places, axis=0)
    total = _lengths(places)
    closed = len(places) > 3 and np.linalg.norm(places[-1] - places[0]) <= SAME * total[-1]
    if closed:
        if not isinstance(curve, Path):
            slopes[0] = slopes[-1] = places[1] - places[-2]
        elif unit_vectors(slopes[0]) @ unit_vectors(slopes[-1]) > 0.0:
            slopes[0] = slopes[-1] = unit_vectors(slopes[0]) + unit_vectors(slopes[-1])
        places, slopes = places[:-1], slopes[:-1]
    tangents = unit_vectors(slopes)
    return Sections(places, tangents, total[: len(places)] / total[-1], bool(closed))


def _lengths(places: Floats) -> Floats:
    """Lengths from the first place to each [m], (k,); they must grow."""
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    whole = steps.sum()
    if not (steps > 1e-14 * whole).all():
        worst = int(steps.argmin())
        raise ValueError(
            f"the curve stands still between places {worst} and {worst + 1}; expected one that moves on"
        )
    return np.append(0.0, np.cumsum(steps))


def _accepted(call: str, places: Any) -> Floats:
    """Places of a curve, (k, d)."""
    found = floats_or_nan(places)
    if found.ndim != 2 or found.shape[1] not in (2, 3) or len(found) < 2:
        raise ValueError(
            Advice(
                f"curve is {described(places)}; expected a curve, or points of shape (k, 2) "
                "or (k, 3) [m]",
                f", as in {call}",
            )
        )
    if not (np.abs(found) <= LARGEST).all():
        raise ValueError(
            Advice("curve has places that are not finite; expected metres", f", as in {call}")
        )
    return found


def _turned(vectors: Floats, axes: Floats, angles: Floats) -> Floats:
    """Vectors (k, 3) turned about axes by angles; they are at right angles to them."""
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    return np.asarray(c * vectors + s * np.cross(axes, vectors))
