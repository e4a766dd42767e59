"""Shapes laid on each other without their rigid motion."""

from __future__ import annotations

import numpy as np

from pliant.mesh import Mesh

from .rigid import Part


class Alignment:
    """Moves the connected parts of a body rigidly, as far as their pins allow."""

    def __init__(self, mesh: Mesh, *, pinned: np.ndarray, masses: np.ndarray):
        labels = mesh.components
        parts = [
            Part(np.flatnonzero(labels == c), pinned, masses, mesh.points)
            for c in range(labels.max() + 1)
        ]
        self._movable = [part for part in parts if part.rank]

    def __call__(self, shape: np.ndarray, x: np.ndarray) -> np.ndarray:
        """`shape` moved to lie closest to x."""
        for part in self._movable:
            shape = part.align(shape, x)
        return shape
