"""The elements of which boundaries are made."""

import numpy as np

from .element import Element
from .line2 import line2
from .quad4 import quad4
from .quad9 import quad9
from .quadrature import cube
from .tri3 import tri3
from .tri6 import tri6

line3 = Element(
    name="line3",
    nodes=np.array([[-1.0], [1], [0]]),
    monomials=np.array([[0], [1], [2]]),
    rule=cube(1, 3),
    mass_rule=cube(1, 3),
    mirrored=(1, 0, 2),
)
"""Edge of a quadratic plane cell: ends, then the middle."""

quad8 = Element(
    name="quad8",
    nodes=quad9.nodes[:8],
    monomials=np.array([p for p in np.ndindex(3, 3) if p != (2, 2)]),
    rule=cube(2, 3),
    mass_rule=cube(2, 4),
    mirrored=(0, 3, 2, 1, 7, 6, 5, 4),
)
"""Face of a hex20: corners, then the middles of edges 01, 12, 23, 30."""

_FACETS = {(f.dim + 1, f.n_nodes): f for f in (line2, line3, tri3, tri6, quad4, quad8)}


def facet_element(dim: int, nodes: int) -> Element:
    """Return the element of a boundary facet with so many nodes in a space of 2 or 3 dimensions."""
    found = _FACETS.get((dim, nodes))
    if found is None:
        known = ", ".join(str(n) for d, n in _FACETS if d == dim)
        raise ValueError(f"got facets of {nodes} points in {dim}D; expected {known} points")
    return found
