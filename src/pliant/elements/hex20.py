"""Serendipity hexahedron."""

import numpy as np

from .element import Element
from .hex8 import hex8
from .quadrature import cube

_QUAD_RING = [[0, 1], [1, 2], [2, 3], [3, 0]]
_HEX_EDGES = np.array([*_QUAD_RING, [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]])

hex20 = Element(
    name="hex20",
    nodes=np.concatenate([hex8.nodes, hex8.nodes[_HEX_EDGES].mean(axis=1)]),
    # Superlinear degree at most two: the degree without the variables that occur linearly.
    monomials=np.array([p for p in np.ndindex(3, 3, 3) if sum(i for i in p if i > 1) <= 2]),
    rule=cube(3, 3),
    mass_rule=cube(3, 5),  # N_a N_b has degree 4 in each variable, det J of curved cells 5
    mirrored=(0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17),
)
"""Brick with a node on every edge: corners as hex8, edges of the bottom, of the top, upright ones.

Of full order where cells are parallelepipeds; strongly skewed ones lose an order.
"""
