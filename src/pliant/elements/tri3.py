"""Linear triangle."""

import numpy as np

from .element import Element
from .quadrature import simplex

tri3 = Element(
    name="tri3",
    nodes=np.array([[0.0, 0], [1, 0], [0, 1]]),
    monomials=np.array([[0, 0], [1, 0], [0, 1]]),
    rule=simplex(2, 1),  # constant strain: one point is exact
    mass_rule=simplex(2, 2),
    mirrored=(0, 2, 1),
)
"""Constant-strain triangle, counter-clockwise; too stiff in bending when the mesh is coarse."""
