"""Trilinear hexahedron."""

import numpy as np

from .element import Element
from .quadrature import cube

_SQUARE = [[-1, -1], [1, -1], [1, 1], [-1, 1]]

hex8 = Element(
    name="hex8",
    nodes=np.array([[x, y, z] for z in (-1.0, 1.0) for x, y in _SQUARE]),
    monomials=np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 1)]),
    rule=cube(3, 2),
    mass_rule=cube(3, 3),  # det J is quadratic in each variable, N_a N_b too
    mirrored=(0, 3, 2, 1, 4, 7, 6, 5),
)
"""Brick: bottom face counter-clockwise seen from above, then the top face."""
