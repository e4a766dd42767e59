"""Bilinear quadrilateral."""

import numpy as np

from .element import Element
from .quadrature import cube

quad4 = Element(
    name="quad4",
    nodes=np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]),
    monomials=np.array([[0, 0], [1, 0], [0, 1], [1, 1]]),
    rule=cube(2, 2),
    mass_rule=cube(2, 2),  # N_a N_b det J is cubic in each variable
    mirrored=(0, 3, 2, 1),
)
"""Quadrilateral, counter-clockwise; must be convex."""
