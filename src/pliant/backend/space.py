"""What minimisers, objectives and rigid motion do with arrays of vectors, wherever they live."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from .labels import Labels


class Space(Protocol):
    """Arrays of one vector per point, of one kind, and arithmetic on them.

    Points have masses m, for the sums that are weighted by them, and may be pinned.
    """

    on_host: bool  # whether its arrays are numpy's

    # --- there and back ---------------------------------------------------------------------

    def asarray(self, a: Any, *, keep: bool = False) -> Any:
        """Returns `a` as an array of this space, which it may be already.

        keep: remember the copy, for an array that will be asked for again.
        """

    def empty_like(self, a: Any) -> Any:
        """A new array of the size of a, not initialised."""

    def zeros_like(self, a: Any) -> Any:
        """A new array of zeros, of the size of a."""

    def copy(self, a: Any) -> Any:
        """A new array like a."""

    # --- arithmetic -------------------------------------------------------------------------

    def dot(self, a: Any, b: Any) -> float:
        """The sum of a . b."""

    def largest(self, a: Any) -> float:
        """The largest entry of |a|."""

    def longest(self, a: Any) -> float:
        """The length of the longest vector of a."""

    def apart(self, a: Any, b: Any) -> float:
        """The largest entry of |a - b|."""

    def norms(self, g: Any, x: Any, origin: Any) -> tuple[float, float, float]:
        """The norm of g, its largest entry, and the largest entry of |x - origin|, in one launch."""

    def rest_products(self, x: Any, rest: Any, g: Any) -> tuple[float, float, float]:
        """The sums of m |x - rest|^2, of (x - rest) . g and of |g|^2, in one launch."""

    def moved(self, x: Any, step: float, p: Any) -> Any:
        """A new array x + step p."""

    def negated(self, a: Any) -> Any:
        """A new array -a."""

    def mixed(self, s: float, a: Any, t: float, b: Any) -> Any:
        """A new array s a + t b."""

    def led(self, x: Any, share: float, to: Any, step: float, v: Any) -> Any:
        """A new array x + share (to - x) + step v, exactly x where `to` is x and v is zero."""

    def led_each(self, x: Any, gains: np.ndarray, groups: Labels, to: Any, v: Any) -> Any:
        """The same with a share and a step of its own for each group of points; gains: (groups, 2)."""

    def extended(self, x: Any, *terms: tuple[float, Any]) -> Any:
        """A new array x + the sum of s a for at most three terms (s, a)."""

    def weighted(self, a: Any, b: Any) -> float:
        """The sum of m |a - b|^2."""

    def weighted_both(self, x: Any, a: Any, b: Any) -> tuple[float, float]:
        """The sums of m |x - a|^2 and of m |x - b|^2, in one launch."""

    def force_norm(self, force: Any) -> float:
        """The norm of a force over masses, sqrt(sum |f|^2 / m)."""

    def momentum(self, a: Any) -> float:
        """The norm of m a."""

    def exceeds(self, a: Any, bounds: Any) -> bool:
        """Whether any entry of |a| is above its bound."""

    # --- of an objective --------------------------------------------------------------------

    def inertia(self, weight: float, x: Any, anchor: Any, load: Any) -> float:
        """weight/2 sum m |x - anchor|^2 - load . (x - anchor)."""

    def close(
        self, g: Any, weight: float, x: Any, anchor: Any, load: Any, *, pins_too: bool = False
    ) -> Any:
        """g + weight m (x - anchor) - load, in place; zero at pins unless `pins_too`."""

    def product(self, pattern: Any, blocks: Any, low_rank: Any = None) -> Callable[..., Any]:
        """The function (weight, x, anchor, out) that adds weight K (x - anchor) to out.

        K: blocks in the order of a `BlockPattern`, less U U^T; low_rank: U.
        """

    # --- of rigid motion --------------------------------------------------------------------

    def without(self, finds: Any, removes: Any, a: Any) -> Any:
        """a less its components along `removes`, as `finds` finds them; zero at pins.

        finds, removes: (k, points), zero at pins, or None. a itself may be used for the answer.
        """

    def groups(self, members: Sequence[np.ndarray]) -> Groups:
        """Points, by their indices, that move together as rigid bodies."""


class Groups(Protocol):
    """Sums over groups of points, and rigid motion of groups, for arrays of one space.

    A table has a row of numbers for each group. pivots: the mass of a group that turns about its
    centre of mass, or 0 and the point (3,) about which it turns. carries: centre (3,), centre_new (3,),
    rotation by rows (9,), spin (3,). Planar points lie in the plane z = 0.
    """

    def table(self, rows: Any) -> Any:
        """Rows of numbers as the methods here take them."""

    def sums(self, x: Any, v: Any, load: Any, dt: float, pivots: Any) -> np.ndarray:
        """Sums by group, (groups, 21): of m x, m v and f; and, with r from the centre, of m r, m r r^T
        (its upper half) and r x (m v + dt f). v and load may be None if their sums are not needed.
        """

    def covariance(self, x: Any, shape: Any, pivots: Any, others: Any) -> np.ndarray:
        """Sums by group, (groups, 21): of m x and m a for the points a of the shape; and, from 9 to 18,
        of m b a^T with b and a from their centres. `others`: the pivots of the shape.
        """

    def place(self, carries: Any, x: Any, pins: Any) -> Any:
        """centre_new + rotation (x - centre); pins as in `pins`, or moved as well if that is None."""

    def turn(self, carries: Any, v: Any) -> Any:
        """rotation v; zero at pins."""

    def spin(self, carries: Any, shape: Any) -> Any:
        """- m omega x (omega x r), r from centre_new."""

    def motions(self, columns: Sequence[Sequence[float]], x: Any) -> tuple[Any, Any]:
        """Motions t + w x r of groups, and m times them, (columns, points), zero at pins.

        columns: rows of group, centre (3,), t (3,), w (3,).
        """


def norm(space: Space, a: Any) -> float:
    """The root of the sum of squares."""
    return math.sqrt(space.dot(a, a))
