"""Arrays of the host: numpy's, (points, dim)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .exchange import to_host
from .host_groups import HostGroups
from .labels import Labels
from .space import norm


class HostSpace:
    """`Space` of numpy arrays. masses [kg], (n,), and free, (n,), only for what needs them."""

    on_host = True

    def __init__(self, masses: np.ndarray | None = None, free: np.ndarray | None = None):
        self.masses = np.ones(0) if masses is None else masses
        self.free = np.ones(len(self.masses), dtype=bool) if free is None else free
        self._pins = np.flatnonzero(~self.free)
        self._wrapped: tuple[np.ndarray, Any] | None = None

    def asarray(self, a: Any, *, keep: bool = False) -> np.ndarray:
        """`a`, or what came of it from a device."""
        return to_host(a)

    def empty_like(self, a: np.ndarray) -> np.ndarray:
        """A new array of anything."""
        return np.empty_like(a)

    def zeros_like(self, a: np.ndarray) -> np.ndarray:
        """A new array of zeros."""
        return np.zeros_like(a)

    def copy(self, a: np.ndarray) -> np.ndarray:
        """A new array like a."""
        return np.asarray(a.copy())

    def dot(self, a: np.ndarray, b: np.ndarray) -> float:
        """The sum of a . b, on one thread: at these lengths BLAS threads cost more than they bring."""
        return float(np.einsum("ij,ij->", a, b))

    def largest(self, a: np.ndarray) -> float:
        """The largest entry of |a|; nan if there is one."""
        return float(max(a.max(initial=0.0), -a.min(initial=0.0)))

    def longest(self, a: np.ndarray) -> float:
        """The length of the longest vector of a."""
        return float(np.linalg.norm(a, axis=1).max(initial=0.0))

    def apart(self, a: np.ndarray, b: np.ndarray) -> float:
        """The largest entry of |a - b|."""
        return self.largest(a - b)

    def norms(self, g: np.ndarray, x: np.ndarray, origin: np.ndarray) -> tuple[float, float, float]:
        """The norm of g, its largest entry, and how far x is from its origin."""
        return norm(self, g), self.largest(g), self.apart(x, origin)

    def rest_products(
        self, x: np.ndarray, rest: np.ndarray, g: np.ndarray
    ) -> tuple[float, float, float]:
        """The sums of m |x - rest|^2, of (x - rest) . g and of |g|^2."""
        u = x - rest
        return self._square(u), self.dot(u, g), self.dot(g, g)

    def moved(self, x: np.ndarray, step: float, p: np.ndarray) -> np.ndarray:
        """A new array x + step p."""
        return x + p if step == 1.0 else x + step * p

    def negated(self, a: np.ndarray) -> np.ndarray:
        """A new array -a."""
        return -a

    def mixed(self, s: float, a: np.ndarray, t: float, b: np.ndarray) -> np.ndarray:
        """A new array s a + t b."""
        return s * a + t * b

    def weighted(self, a: np.ndarray, b: np.ndarray) -> float:
        """The sum of m |a - b|^2."""
        return self._square(a - b)

    def weighted_both(self, x: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
        """The sums of m |x - a|^2 and of m |x - b|^2."""
        return self._square(x - a), self._square(x - b)

    def force_norm(self, force: np.ndarray) -> float:
        """The norm of a force over masses, sqrt(sum |f|^2 / m)."""
        return math.sqrt((np.einsum("ij,ij->i", force, force) / self.masses).sum())

    def momentum(self, a: np.ndarray) -> float:
        """The norm of m a."""
        return math.sqrt(float(self.masses**2 @ np.einsum("ij,ij->i", a, a)))

    def exceeds(self, a: np.ndarray, bounds: np.ndarray) -> bool:
        """Whether any entry of |a| is above its bound, or not a number."""
        return not bool((np.abs(a) <= bounds).all())

    def led(
        self, x: np.ndarray, share: float, to: np.ndarray, step: float, v: np.ndarray
    ) -> np.ndarray:
        """A new array x + share (to - x) + step v."""
        moved = self.moved(x, step, v) if step or not share else x
        return moved + share * (to - x) if share else moved

    def led_each(
        self, x: np.ndarray, gains: np.ndarray, groups: Labels, to: np.ndarray, v: np.ndarray
    ) -> np.ndarray:
        """The same with a share and a step of its own for each group of points; gains: (groups, 2)."""
        share, step = gains[groups.numbers].T[:, :, None]
        moved: np.ndarray = x + step * v + share * (to - x)
        return moved

    def extended(self, x: np.ndarray, *terms: tuple[float, np.ndarray]) -> np.ndarray:
        """A new array x + the sum of s a for at most three terms (s, a)."""
        for step, a in terms:
            x = self.moved(x, step, a)
        return x

    def inertia(self, weight: float, x: np.ndarray, anchor: np.ndarray, load: np.ndarray) -> float:
        """weight/2 sum m |x - anchor|^2 - load . (x - anchor)."""
        # Measured from the anchor: far from the origin the products would drown the differences.
        u = x - anchor
        return (0.5 * weight * self._square(u) if weight else 0.0) - self.dot(load, u)

    def close(
        self,
        g: np.ndarray,
        weight: float,
        x: np.ndarray,
        anchor: np.ndarray,
        load: np.ndarray,
        *,
        pins_too: bool = False,
    ) -> np.ndarray:
        """g + weight m (x - anchor) - load, in place; zero at pins unless `pins_too`."""
        g -= load
        if weight:
            g += (weight * self.masses)[:, None] * (x - anchor)
        if not pins_too:
            g[self._pins] = 0.0
        return g

    def product(
        self, pattern: Any, blocks: np.ndarray, low_rank: np.ndarray | None = None
    ) -> Callable[..., np.ndarray]:
        """The function (weight, x, anchor, out) that adds weight K (x - anchor) to out."""
        if self._wrapped is None or self._wrapped[0] is not blocks:  # most steps have the same
            self._wrapped = (blocks, pattern.matrix(blocks))
        matrix = self._wrapped[1]

        def add(weight: float, x: np.ndarray, anchor: np.ndarray, out: np.ndarray) -> np.ndarray:
            u = (x - anchor).ravel()
            image = matrix @ u
            if low_rank is not None:
                image -= low_rank @ (low_rank.T @ u)
            out += weight * image.reshape(out.shape)
            return out

        return add

    def without(self, finds: Any, removes: Any, a: np.ndarray) -> np.ndarray:
        """a less its components along `removes`, as `finds` finds them; zero at pins."""
        if finds is not None:
            rank = len(finds)
            with np.errstate(invalid="ignore", over="ignore"):  # of a search that fails in words
                found = finds.reshape(rank, -1) @ a.ravel()
                a = a - (found @ removes.reshape(rank, -1)).reshape(a.shape)
        if len(self._pins):
            a[self._pins] = 0.0
        return a

    def groups(self, members: Sequence[np.ndarray]) -> HostGroups:
        """Points that move together."""
        return HostGroups(members, self.masses, self._pins)

    def _square(self, u: np.ndarray) -> float:
        return float(self.masses @ np.einsum("ij,ij->i", u, u))
