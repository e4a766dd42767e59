"""Leads strains so that distances follow the law, of bodies that turn far or hang far down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.energies import mixed_strain
from pliant.problem import StepContext

from .deflections import Deflections
from .law import Law
from .laws import Laws
from .past import anchor_gains, resampled

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

#: What a part has now and had one step ago.
Pair = tuple[float, float]


@dataclass(frozen=True)
class Unison:
    """Shapes in which all strains are a share of those at release, and where a body is among them.

    The law is one for distances, and acts on strains. Of a body that turns far the two are not in
    proportion. A curve of distances d over shares a of the strains, measured before the first step,
    tells which share the law's next distance has,

        (1 + W) (a_(n+1) - lead) = (1 + kappa) a_n - kappa a_(n-1),

    and (1 + W) lead, a share of `start`, is added to the strain that the step aims at. Where a is in
    proportion to d there is no lead. What loads have beyond their stiffness at rest is balanced by a
    force.

    start: the strains at release less those at rest, one array per energy. shares, shapes: of the
    strains, and positions [m] with them, (shares, n, d), on the host. stress: the force of the stress at
    rest [N], (n, d). Without loads there are neither. curves: of every part. pace [m]: how far the
    body goes for a strain of 1, at most, in the norm of masses. distances, strains: those that the
    law has. next: both, at the end of the step.
    """

    start: Sequence[Any]
    shares: tuple[float, ...]
    shapes: np.ndarray
    stress: np.ndarray
    curves: tuple[Deflections, ...]
    pace: float
    distances: tuple[Pair, ...]
    strains: tuple[Pair, ...]
    next: tuple[Pair, ...] = ()

    def planned(self, laws: Sequence[Law], ratio: float | None) -> Unison:
        """Within a step; ratio: how many times as long the last one was, None in the first."""
        rows = zip(laws, self.curves, self.distances, strict=True)
        distances = [(curve, _by_law(law, d, ratio)) for law, curve, d in rows]
        return replace(self, next=tuple((d, curve.strain(d)) for curve, d in distances))

    def finished(self) -> Unison:
        """After the step."""
        rows = list(zip(self.next, self.distances, self.strains, strict=True))
        distances = tuple((ahead[0], d[0]) for ahead, d, _ in rows)
        strains = tuple((ahead[1], a[0]) for ahead, _, a in rows)
        return replace(self, distances=distances, strains=strains, next=())

    def led(self, laws: Laws, now: Sequence[Any], ratio: float | None) -> list[Any]:
        """Strains from which the law leads to the strains at the end of the step."""
        gains = []
        for law, a, ahead in zip(laws.each, self.strains, self.next, strict=True):
            lead = ahead[1] - _by_law(law, a, ratio)
            gains.append(lead * (1.0 + law.W) / (1.0 + law.kappa))
        rows = zip(now, laws.of_cells(gains), self.start, strict=True)
        return [mixed_strain(1.0, s, gain, t) for s, gain, t in rows]

    def balanced(
        self,
        push: Any,
        context: StepContext,
        laws: Laws,
        ratio: float | None,
        force: Callable[[Any], Any],
    ) -> Any:
        """A push [N] so changed that a step from one of the shapes ends in the next.

            push + [(1 + W) p(X_(n+1)) - p(X_hat)]/W - p*

        p: the force of the stress at rest, at any shape X; p*: that at rest; X_hat: where inertia would
        carry the body. What is added is of second order: near rest p is in proportion to X.
        force: p/W [N].
        """
        v, points = context.vectors, laws.points.numbers
        now = self._shape([a for a, _ in self.strains], points)
        gains = np.array([anchor_gains(law, ratio, 1.0) for law in laws.each])
        home, on = gains.T[:, points, None]
        carried = now + home * (self._shape([0.0] * len(gains), points) - now)
        if ratio is not None:
            carried += on / ratio * (now - self._shape([a for _, a in self.strains], points))
        ahead = self._shape([a for _, a in self.next], points)
        terms = [(1.0 + laws.slowest.W, ahead), (-1.0, carried)]
        parts = [(share, force(v.asarray(shape))) for share, shape in terms]
        return v.extended(push, *parts, (-1.0, v.asarray(self.stress)))

    @property
    def way(self) -> float:
        """How far the body may go in this step, in the norm of masses."""
        steps = zip(self.next, self.strains, strict=True)
        return self.pace * max((abs(ahead[1] - now) for ahead, (now, _) in steps), default=0.0)

    def _shape(self, strains: Sequence[float], points: np.ndarray) -> np.ndarray:
        """The shape in which each part has this share of its strains; points: the part of each."""
        weights = _weights(self.shares)(np.asarray(strains))
        if len(strains) == 1:
            return np.asarray(np.tensordot(weights[0], self.shapes, axes=1))
        return np.asarray(np.einsum("ns,snd->nd", weights[points], self.shapes))


@lru_cache(maxsize=16)  # asked for in every step
def _weights(shares: tuple[float, ...]) -> CubicSpline:
    """The weights with which shapes at these shares make up the one at another."""
    from scipy.interpolate import CubicSpline  # brings scipy.optimize, 29 MB

    order = np.argsort(shares)
    return CubicSpline(np.asarray(shares)[order], np.eye(len(shares))[order])


def _by_law(law: Law, pair: Pair, ratio: float | None) -> float:
    """What the law makes of a departure in a step."""
    now, before = pair
    if ratio is not None and ratio != 1.0:
        near, far = resampled(law, ratio)
        before = near * now + far * before
    return ((1.0 + law.kappa) * now - law.kappa * before) / (1.0 + law.W)
