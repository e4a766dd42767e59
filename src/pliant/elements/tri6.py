"""Quadratic triangle."""

import numpy as np

from .element import Element
from .quadrature import conical, simplex

tri6 = Element(
    name="tri6",
    nodes=np.array([[0.0, 0], [1, 0], [0, 1], [0.5, 0], [0.5, 0.5], [0, 0.5]]),
    monomials=np.array([[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]),
    rule=simplex(2, 2),  # strains are linear where edges are straight: their squares are exact
    mass_rule=conical(2, 4),  # N_a N_b has degree 4, det J of curved cells degree 2
    mirrored=(0, 2, 1, 5, 4, 3),
)
"""Linear-strain triangle: corners counter-clockwise, then the middles of edges 01, 12, 20."""
