"""The cross-section of a rod."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.errors import shown

#: Where the three points of a node are around it; their mean is the centreline.
ANGLES = np.pi * np.array([0.5, 7 / 6, 11 / 6])


@dataclass(frozen=True)
class Section:
    """A rectangle of `width` (along d_2) and `height` (along d_3) [m], or a disc of both."""

    width: float
    height: float
    round: bool

    @classmethod
    def of(cls, width: Any, height: Any, radius: Any) -> Section:
        """The section that either both sides or the radius describe."""
        sides = (width is None) + (height is None)
        if (radius is None and sides) or (radius is not None and sides < 2):
            raise ValueError(
                f"Rod: got width={shown(width)}, height={shown(height)}, radius={shown(radius)}; "
                "expected either width= and height=, or radius= [m]"
            )
        return cls(width, height, False) if radius is None else cls(2 * radius, 2 * radius, True)

    @property
    def area(self) -> float:
        """[m^2]."""
        return (np.pi / 4 if self.round else 1.0) * self.width * self.height

    @property
    def radii(self) -> tuple[float, float]:
        """Radii of gyration along d_2 and d_3 [m]: area times their squares are its moments."""
        root = 4.0 if self.round else np.sqrt(12.0)
        return self.width / root, self.height / root

    @property
    def torsion(self) -> float:
        """Saint-Venant's torsion constant J [m^4], in which sections warp; of a disc pi r^4 / 2."""
        if self.round:
            return np.pi / 32 * self.width**4
        long, short = max(self.width, self.height), min(self.width, self.height)
        n = np.arange(1, 40, 2)
        series = (np.tanh(n * np.pi * long / (2 * short)) / n**5).sum()
        return float(long * short**3 / 3 * (1 - 192 * short / (np.pi**5 * long) * series))

    def shear(self, poisson: float) -> float:
        """Share of the area that carries shear [-]; source: [cowper1966] table 1."""
        if self.round:
            return 6 * (1 + poisson) / (7 + 6 * poisson)
        return 10 * (1 + poisson) / (12 + 11 * poisson)

    @property
    def corners(self) -> np.ndarray:
        """The three points of a node along d_2 and d_3 [m], (3, 2).

        A third of the mass at each turns as sluggishly as the section does.
        """
        around = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
        return np.asarray(np.sqrt(2.0) * np.array(self.radii) * around)

    @property
    def directors(self) -> np.ndarray:
        """Weights (2, 3) of the three points whose sums are d_2 and d_3 [1/m]."""
        return np.linalg.pinv(self.corners)

    @property
    def outline(self) -> np.ndarray:
        """The rim of the section along d_2 and d_3 [m], counter-clockwise."""
        if not self.round:
            return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [
                self.width / 2,
                self.height / 2,
            ]
        turn = 2 * np.pi * np.arange(12) / 12
        return self.width / 2 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
