"""Solids whose stiff cells are softer for a while: a way to an equilibrium of a body with both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from .solid import SolidEnergy


def contrast(solids: Sequence[SolidEnergy]) -> float:
    """The ratio of the largest and the smallest shear modulus; 1 without solids."""
    each = [np.abs(solid.moduli[1].numpy()) for solid in solids if len(solid.stencils)]
    least = min((float(mu.min()) for mu in each), default=0.0)
    return max(float(mu.max()) for mu in each) / least if least > 0.0 else 1.0


@contextmanager
def softened(solids: Sequence[SolidEnergy], most: float) -> Iterator[None]:
    """Solids with no cell more than `most` times as stiff as the softest, until the context is left."""
    kept = [solid.cells.weights.numpy().copy() for solid in solids]
    each = [np.abs(solid.moduli[1].numpy()) for solid in solids]
    least = min(float(mu.min()) for mu in each if len(mu))
    try:
        for solid, weights, mu in zip(solids, kept, each, strict=True):
            factors = np.minimum(1.0, most * least / mu)
            solid.cells.weights.assign(weights * factors[:, None])
        yield
    finally:
        for solid, weights in zip(solids, kept, strict=True):
            solid.cells.weights.assign(weights)
