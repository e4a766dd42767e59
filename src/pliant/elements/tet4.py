"""Linear tetrahedron."""

import numpy as np

from .element import Element
from .quadrature import simplex

tet4 = Element(
    name="tet4",
    nodes=np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    monomials=np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    rule=simplex(3, 1),  # constant strain: one point is exact
    mass_rule=simplex(3, 2),
    mirrored=(0, 2, 1, 3),
)
"""Constant-strain tetrahedron; locks in volume as poisson nears 0.5."""
