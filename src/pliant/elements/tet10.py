"""Quadratic tetrahedron."""

import numpy as np

from .element import Element
from .quadrature import conical, simplex
from .tet4 import tet4

_TET_EDGES = np.array([[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]])

tet10 = Element(
    name="tet10",
    nodes=np.concatenate([tet4.nodes, tet4.nodes[_TET_EDGES].mean(axis=1)]),
    monomials=np.array(
        [[i, j, k] for i in range(3) for j in range(3) for k in range(3) if i + j + k <= 2]
    ),
    rule=simplex(3, 2),  # strains are linear where edges are straight: their squares are exact
    mass_rule=conical(3, 4),  # N_a N_b has degree 4, det J of curved cells degree 3
    mirrored=(0, 2, 1, 3, 6, 5, 4, 7, 9, 8),
)
"""Linear-strain tetrahedron: corners, then the middles of edges 01, 12, 20, 03, 13, 23.

Bends and keeps its volume (poisson near 0.5) far better than tet4. A uniform strain is reproduced
exactly where edges are straight; where they are curved, to the order of the rule.
"""
