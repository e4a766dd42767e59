"""Biquadratic quadrilateral."""

import numpy as np

from .element import Element
from .quad4 import quad4
from .quadrature import cube

quad9 = Element(
    name="quad9",
    nodes=np.concatenate([quad4.nodes, [[0, -1], [1, 0], [0, 1], [-1, 0], [0, 0]]]),
    monomials=np.array([[i, j] for j in range(3) for i in range(3)]),
    rule=cube(2, 3),
    mass_rule=cube(2, 4),  # N_a N_b has degree 4 in each variable, det J of curved cells 3
    mirrored=(0, 3, 2, 1, 7, 6, 5, 4, 8),
)
"""Quadrilateral: corners counter-clockwise, middles of edges 01, 12, 23, 30, and the centre."""
