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

    def moved(self, x: Any, step: float, p: Any) -> Any:
        """A new array x + step p."""
        ...

    def negated(self, a: Any) -> Any:
        """A new array -a."""
        ...


class HostVectors:
    """`Vectors` as numpy arrays."""

    def dot(self, a: np.ndarray, b: np.ndarray) -> float:
        """The sum of a . b, on one thread: at these lengths BLAS threads cost more than they bring."""
        return float(np.einsum("ij,ij->", a, b))

    def largest(self, a: np.ndarray) -> float:
        """The largest entry of |a|; nan if there is one."""
        return float(max(a.max(initial=0.0), -a.min(initial=0.0)))

    def apart(self, a: np.ndarray, b: np.ndarray) -> float:
        """The largest entry of |a - b|."""
        return self.largest(a - b)

    def moved(self, x: np.ndarray, step: float, p: np.ndarray) -> np.ndarray:
        """A new array x + step p."""
        return x + p if step == 1.0 else x + step * p

    def negated(self, a: np.ndarray) -> np.ndarray:
        """A new array -a."""
        return -a


def norm(vectors: Vectors, a: Any) -> float:
    """The root of the sum of squares."""
    return math.sqrt(vectors.dot(a, a))
