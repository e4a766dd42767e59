"""What a body of boundary elements does at rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class SurfaceAnswer:
    """A static answer.

    displacements [m], (m, 3), of the points of the surface. tractions [Pa], (t, 3), of its triangles: of
    those that are held they are found, of the others they were given. forces [N], (t, 3): tractions
    times areas.
    """

    displacements: np.ndarray
    tractions: np.ndarray
    forces: np.ndarray
