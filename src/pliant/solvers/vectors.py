"""What a minimiser does with arrays of vectors, wherever they live."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np


class Vectors(Protocol):
    """Arithmetic on arrays of one vector per point; a minimiser needs no more of them than this."""

    def dot(self, a: Any, b: Any) -> float:
        """The sum of a . b."""
        ...

    def largest(self, a: Any) -> float:
        """The largest entry of |a|."""
        ...

    def apart(self, a: Any, b: Any) -> float:
        """The largest entry of |a - b|."""
        ...

    def survey(self, g: Any, x: Any, origin: Any) -> tuple[float, float, float]:
        """The norm of g, its largest entry, and how far x is from its origin, in one look."""
        ...

    def outlook(self, x: Any, rest: Any, g: Any) -> tuple[float, float, float]:
        """The sums of m |x - rest|^2, of (x - rest) . g and of |g|^2, in one look."""
        ...

    def moved(self, x: Any, step: float, p: Any) -> Any:
        """A new array x + step p."""
        ...

    def negated(self, a: Any) -> Any:
        """A new array -a."""
        ...

    def like(self, a: Any) -> Any:
        """A new array of anything, of the size of a."""
        ...

    def mixed(self, s: float, a: Any, t: float, b: Any) -> Any:
        """A new array s a + t b."""
        ...

    def weighted(self, a: Any, b: Any) -> float:
        """The sum of m |a - b|^2."""
        ...

    def strength(self, force: Any) -> float:
        """The sum of |f|^2 / m."""
        ...

    def momentum(self, a: Any) -> float:
        """The norm of m a."""
        ...

    def exceeds(self, a: Any, bounds: Any) -> bool:
        """Whether any entry of |a| is above its bound."""
        ...


class HostVectors:
    """`Vectors` as numpy arrays. masses: of the points, for the sums that are weighted by them."""

    def __init__(self, masses: np.ndarray | None = None):
        self._masses = np.ones(0) if masses is None else masses

    def dot(self, a: np.ndarray, b: np.ndarray) -> float:
        """The sum of a . b, on one thread: at these lengths BLAS threads cost more than they bring."""
        return float(np.einsum("ij,ij->", a, b))

    def largest(self, a: np.ndarray) -> float:
        """The largest entry of |a|; nan if there is one."""
        return float(max(a.max(initial=0.0), -a.min(initial=0.0)))

    def apart(self, a: np.ndarray, b: np.ndarray) -> float:
        """The largest entry of |a - b|."""
        return self.largest(a - b)

    def survey(
        self, g: np.ndarray, x: np.ndarray, origin: np.ndarray
    ) -> tuple[float, float, float]:
        """The norm of g, its largest entry, and how far x is from its origin."""
        return norm(self, g), self.largest(g), self.apart(x, origin)

    def outlook(self, x: np.ndarray, rest: np.ndarray, g: np.ndarray) -> tuple[float, float, float]:
        """The sums of m |x - rest|^2, of (x - rest) . g and of |g|^2."""
        u = x - rest
        away = float(self._masses @ np.einsum("ij,ij->i", u, u))
        return away, self.dot(u, g), self.dot(g, g)

    def moved(self, x: np.ndarray, step: float, p: np.ndarray) -> np.ndarray:
        """A new array x + step p."""
        return x + p if step == 1.0 else x + step * p

    def negated(self, a: np.ndarray) -> np.ndarray:
        """A new array -a."""
        return -a

    def like(self, a: np.ndarray) -> np.ndarray:
        """A new array of anything."""
        return np.empty_like(a)

    def mixed(self, s: float, a: np.ndarray, t: float, b: np.ndarray) -> np.ndarray:
        """A new array s a + t b."""
        return s * a + t * b

    def weighted(self, a: np.ndarray, b: np.ndarray) -> float:
        """The sum of m |a - b|^2."""
        u = a - b
        return float(self._masses @ np.einsum("ij,ij->i", u, u))

    def strength(self, force: np.ndarray) -> float:
        """The sum of |f|^2 / m."""
        return float((np.einsum("ij,ij->i", force, force) / self._masses).sum())

    def momentum(self, a: np.ndarray) -> float:
        """The norm of m a."""
        return math.sqrt(float(self._masses**2 @ np.einsum("ij,ij->i", a, a)))

    def exceeds(self, a: np.ndarray, bounds: np.ndarray) -> bool:
        """Whether any entry of |a| is above its bound, or not a number."""
        return not bool((np.abs(a) <= bounds).all())


def norm(vectors: Vectors, a: Any) -> float:
    """The root of the sum of squares."""
    return math.sqrt(vectors.dot(a, a))
