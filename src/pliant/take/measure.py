"""When a body is at rest, and how it bounced: the one meaning that all of pliant shares.

`docs/rest-on-cue.md` explains it under "What counts as rest". Takes, pages, films, the stage, the
laboratory and the command line all call these functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from pliant.errors import shown
from pliant.problem import STILL

if TYPE_CHECKING:
    from .track import Track

#: What is said wherever a time to rest is shown.
AT_REST = (
    "At rest: the distance to the rest shape, rms by mass and without rigid motion that nothing holds, "
    "stays below `within` of its largest value since the last change of pins, loads or positions; "
    "with bounces its fitted envelope does."
)
#: How far a part is from rest: the root mean square by mass over its points, or the farthest of them.
Measure = Literal["rms", "farthest"]


def check_measure(measure: Any) -> None:
    """Refuse what is no `Measure`."""
    if not isinstance(measure, str) or measure not in get_args(Measure):
        raise ValueError(
            f"measure: got {shown(measure)}; expected one of {list(get_args(Measure))}"
        )


def distances(
    u: np.ndarray, masses: np.ndarray, labels: np.ndarray, measure: Measure = "rms"
) -> np.ndarray:
    """How far each part is from rest [m], (parts,).

    u: displacements from the rest shape [m], (n, d). labels: the part of each point, (n,), from 0.
    """
    squares = np.einsum("pd,pd->p", u, u)
    if measure == "farthest":
        farthest = np.zeros(int(labels.max()) + 1)
        np.maximum.at(farthest, labels, squares)
        return np.asarray(np.sqrt(farthest))
    out = np.sqrt(np.bincount(labels, masses * squares) / np.bincount(labels, masses))
    return out


def rest_times_of(
    track: Track, distances: np.ndarray, within: float, *, begin: int | None = None
) -> np.ndarray:
    """The rest times of a track that belong to distances of its parts, (frames, parts).

    begin: the frame to count from; by default that in which the clock started.
    """
    wish = {k: track.asked.get(k) for k in ("rest_in", "bounces")}
    if track.lands or track.asked.get("beats"):  # hops have no envelope, and beats no period
        wish["bounces"] = None
    since = track.since if begin is None else float(track.times[begin])
    begin = track.begin if begin is None else begin
    times, out = track.times[begin:], np.zeros(distances.shape[1])
    loose = _cut_loose(track)
    for part, d in enumerate(distances[begin:].T):
        if d.max() > STILL * track.size:
            own = wish | {"bounces": None} if part in loose else wish
            found = when_at_rest(times, d, within=within, **own)
            out[part] = found + times[0] - since
    return out


def _cut_loose(track: Track) -> set[int]:
    """The parts that were cut off from what pins hold: they land, and hops have no envelope."""
    if len(track.topologies) == 1 or not track.pinned.any():
        return set()
    held = track.components[track.pinned].tolist()
    return set(track.components.tolist()) - set(held)


def when_at_rest(
    times: np.ndarray,
    distance: np.ndarray,
    *,
    within: float,
    rest_in: float | None = None,
    bounces: int | None = None,
) -> float:
    """When one part came to rest [s], counted from `times[0]`; inf if it did not.

    times, distance: since the last change. With bounces, which need `rest_in` as well, the fitted
    envelope counts, which needs a record of the whole of `rest_in`.
    """
    times = np.asarray(times) - times[0]
    if not bounces or rest_in is None:
        return rest_time(times, distance, within)
    if times[-1] < rest_in * (1.0 - 1e-9):
        return float("inf")
    return ring_of(times, distance, rest_in / bounces, until=rest_in, within=within).rest_time(
        within
    )


def rest_time(times: np.ndarray, distance: np.ndarray, within: float) -> float:
    """The time after which the distance stays below `within` of its largest; inf if it never does.

    Between frames the decay is taken as exponential.
    """
    largest = np.max(distance)
    if largest <= 0.0:
        return 0.0
    d = np.asarray(distance) / largest
    last = np.flatnonzero(d > within)[-1]
    if last == len(d) - 1:
        return float("inf")
    if d[last + 1] <= 0.0:
        return float(times[last + 1])
    share = np.log(d[last] / within) / np.log(d[last] / d[last + 1])
    return float(times[last] + share * (times[last + 1] - times[last]))


def amplitude(u: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The share of the start shape in each frame, u . M u_0 / u_0 . M u_0; u: (frames, n, d)."""
    weighted = masses[:, None] * u[0]
    return np.asarray(np.tensordot(u, weighted, axes=([1, 2], [0, 1])) / np.vdot(u[0], weighted))


def crossings(times: np.ndarray, signal: np.ndarray) -> np.ndarray:
    """The times at which a signal changes sign, between frames by linear interpolation."""
    i = np.flatnonzero(signal[:-1] * signal[1:] < 0.0)
    share = signal[i] / (signal[i] - signal[i + 1])
    return np.asarray(times[i] + share * (times[i + 1] - times[i]))


@dataclass(frozen=True)
class Ring:
    """The envelope size * exp(-rate t) of a damped oscillation, and its period."""

    size: float  # of the envelope at t = 0, as a share of the largest distance
    rate: float  # the envelope falls as exp(-rate t) [1/s]
    period: float  # [s]

    def rest_time(self, within: float) -> float:
        """When the envelope reaches `within` [s]; inf if it does not fall."""
        if self.rate <= 0.0:
            return float("inf")
        return max(0.0, float(np.log(self.size / within) / self.rate))


def ring_of(
    times: np.ndarray, distance: np.ndarray, period: float, *, until: float, within: float
) -> Ring:
    """The ring that fits a distance from `times[0]` for `until` seconds, its largest being 1."""
    times = np.asarray(times) - times[0]
    near = times <= until * (1.0 + 1e-9)
    rate = -np.log(within) / min(until, times[-1])
    return fit_ring(times[near], (distance / np.max(distance))[near], period=period, rate=rate)


def fit_ring(times: np.ndarray, signal: np.ndarray, *, period: float, rate: float) -> Ring:
    """Fit a damped oscillation, starting the search from an expected period and rate.

    signal: a distance, or a signed amplitude. Whatever moves as e^(-rate t) (U cos wt + V sin wt), U
    and V being any two shapes, has the squared distance

        d^2 = e^(-2 rate t) (a + b cos 2wt + c sin 2wt),

    so d^2 is fitted: no sign is needed, and the envelope is sqrt(a + |(b, c)|) e^(-rate t). For a
    given rate and w the rest is linear. Squares are weighed by e^(2 rate t), so that all frames count
    alike: what is left near the end says when the envelope gets there.
    """

    from scipy.optimize import least_squares

    weight = np.exp(2.0 * rate * times)
    squares = weight * np.asarray(signal) ** 2

    def fitted(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        falls = weight * np.exp(-2.0 * rate * p[0] * times)
        turn = 4.0 * np.pi / period * p[1] * times
        columns = np.stack([falls, falls * np.cos(turn), falls * np.sin(turn)], axis=1)
        factors = np.linalg.lstsq(columns, squares, rcond=None)[0]
        return columns @ factors - squares, factors

    found = least_squares(
        lambda p: fitted(p)[0], np.ones(2), bounds=([-2.0, 0.2], [8.0, 5.0]), xtol=1e-14, ftol=1e-14
    ).x
    a, b, c = fitted(found)[1]
    size = float(np.sqrt(max(a + np.hypot(b, c), 0.0)))
    return Ring(size, float(rate * found[0]), float(period / found[1]))
