"""Leads strains so that distances follow the law, of bodies that turn far or hang far down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import warp as wp

from pliant.backend import Space, to_host
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
    strains, and positions [m] with them, (n, d). stress: the force of the stress at rest [N], (n, d).
    Without loads there are neither shapes nor stress. curves: of every part. pace [m]: how far the
    body goes for a strain of 1, at most, in the norm of masses. distances, strains: those that the
    law has. next: both, at the end of the step.
    """

    start: Sequence[Any]
    shares: tuple[float, ...]
    shapes: Sequence[Any]
    stress: Any
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
        v, number = context.vectors, len(laws.each)
        now, before = (self._weights([a[k] for a in self.strains]) for k in (0, 1))
        home, on = np.array([anchor_gains(law, ratio, 1.0) for law in laws.each]).T[:, :, None]
        carried = now + home * (self._weights([0.0] * number) - now)
        if ratio is not None:
            carried += on / ratio * (now - before)
        ahead = self._weights([a for _, a in self.next])
        terms = [(1.0 + laws.slowest.W, ahead), (-1.0, carried)]
        parts = [(share, force(self._shape(v, weights, laws))) for share, weights in terms]
        return v.extended(push, *parts, (-1.0, self.stress))

    def on(self, context: StepContext) -> Unison:
        """With arrays where those of the body are now."""
        v, device, of = context.vectors, context.mechanics.device, context.mechanics.spaces.of
        new = self
        if any(a.device != device for a in self.start):
            moved: list[Any] = [
                wp.array(a.numpy(), dtype=a.dtype, device=device) for a in self.start
            ]
            new = replace(new, start=moved)
        if len(self.shapes) and of(self.shapes[0]).on_host != v.on_host:
            shapes = [v.asarray(to_host(x)) for x in self.shapes]
            new = replace(new, shapes=shapes, stress=v.asarray(to_host(self.stress)))
        return new

    @property
    def way(self) -> float:
        """How far the body may go in this step, in the norm of masses."""
        steps = zip(self.next, self.strains, strict=True)
        return self.pace * max((abs(ahead[1] - now) for ahead, (now, _) in steps), default=0.0)

    def _weights(self, strains: Sequence[float]) -> np.ndarray:
        """With what share each shape counts where parts have these strains, (parts, shares)."""
        order, curve = np.argsort(self.shares), _splines(self.shares)
        found = np.empty((len(strains), len(self.shares)))
        found[:, order] = curve(np.asarray(strains))
        return found

    def _shape(self, v: Space, weights: np.ndarray, laws: Laws) -> Any:
        """The shapes with their weights, (parts, shares), in each part its own."""
        first = self.shapes[0]
        if len(weights) > 1:
            x = v.mixed(0.0, first, 0.0, first)
            for own, shape in zip(weights.T, self.shapes, strict=True):
                x = v.led_each(x, np.stack([0.0 * own, own], axis=1), laws.points, x, shape)
            return x
        terms = list(zip(map(float, weights[0]), self.shapes, strict=True))
        x = v.mixed(terms[0][0], first, 0.0, first)
        for k in range(1, len(terms), 3):
            x = v.extended(x, *terms[k : k + 3])
        return x


@lru_cache(maxsize=16)  # asked for in every step
def _splines(shares: tuple[float, ...]) -> CubicSpline:
    """Of the share, the weights of the shapes in the order of their shares."""
    from scipy.interpolate import CubicSpline  # brings scipy.optimize, 29 MB

    return CubicSpline(np.sort(shares), np.eye(len(shares)))


def _by_law(law: Law, pair: Pair, ratio: float | None) -> float:
    """What the law makes of a departure in a step."""
    now, before = pair
    if ratio is not None and ratio != 1.0:
        near, far = resampled(law, ratio)
        before = near * now + far * before
    return ((1.0 + law.kappa) * now - law.kappa * before) / (1.0 + law.W)
