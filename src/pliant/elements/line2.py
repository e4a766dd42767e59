"""Linear line."""

import numpy as np

from .element import Element
from .quadrature import cube

line2 = Element(
    name="line2",
    nodes=np.array([[-1.0], [1]]),
    monomials=np.array([[0], [1]]),
    rule=cube(1, 1),  # constant strain: one point is exact
    mass_rule=cube(1, 2),
    mirrored=(1, 0),
)
"""Line between two points: rods, springs and the edges of plane cells. Not for solids."""
