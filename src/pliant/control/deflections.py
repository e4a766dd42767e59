"""How far a body is from rest where all its strains are a share of those at release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

#: From the start on the distance falls by at least so much of its size for the whole of the strain.
#: A body that is rolled up is not farthest away where it is most deformed.
LEAST_SLOPE = 0.3
#: A curve of distances that rises by less than this is none.
FLAT = 1e-3


@dataclass(frozen=True)
class Deflections:
    """Distances of a part over shares of its strains, both signed and 1 at release."""

    strains: tuple[float, ...]
    distances: tuple[float, ...]

    @classmethod
    def through(cls, strains: Sequence[float], distances: np.ndarray) -> Deflections | None:
        """Through measured distances [m], made monotone; None if that cannot be.

        strains: falling from 1, without 0. The unit is the largest distance on the way home.
        """
        s = np.asarray(strains, dtype=float)
        d = np.copysign(distances, s)
        largest = float(d.max())
        if not (largest > 0.0 and np.isfinite(d).all()):
            return None
        d = np.where(s == 1.0, 1.0, np.minimum(d / largest, 1.0 - LEAST_SLOPE * (1.0 - s)))
        order = np.argsort(np.append(s, 0.0))
        s, d = np.append(s, 0.0)[order], np.append(d, 0.0)[order]
        if (np.diff(d) < FLAT * np.diff(s)).any():
            return None
        return cls(tuple(s.tolist()), tuple(d.tolist()))

    @cached_property
    def _inverse(self) -> PchipInterpolator:
        from scipy.interpolate import PchipInterpolator  # brings scipy.optimize, 29 MB

        return PchipInterpolator(self.distances, self.strains)

    def strain(self, distance: float) -> float:
        """The share of the strains with which a part is so far from rest."""
        low, high = self.distances[0], self.distances[-1]
        if distance < low:
            return self.strains[0] * distance / low
        return float(self._inverse(min(distance, high)))
