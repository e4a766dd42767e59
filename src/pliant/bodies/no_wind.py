"""Bodies whose equations are solved beforehand take no load that answers to velocity."""

from __future__ import annotations

import numpy as np

from pliant.energies import Load


def refuse_wind(name: str, load: Load, points: np.ndarray, *, instead: str) -> Load:
    """The load, unless it is wind; instead: what the body of this name takes."""
    if not load.patterns(points):
        raise ValueError(f"{name}: got wind, which answers to velocity; expected {instead}")
    return load
