"""Shape functions and quadrature: an element is a small table.

One file has one element: its corners, shape functions, quadrature and faces. Mass, volumes and
gradients in a mesh follow from the table. An element knows neither material nor energy.
"""

from pliant.elements.element import Element
from pliant.elements.facets import facet_element
from pliant.elements.geometry import shape_gradients
from pliant.elements.hex8 import hex8
from pliant.elements.hex20 import hex20
from pliant.elements.line2 import line2
from pliant.elements.mass import consistent_mass, lumped_mass, nodal_volumes
from pliant.elements.quad4 import quad4
from pliant.elements.quad9 import quad9
from pliant.elements.quadrature import Rule
from pliant.elements.tet4 import tet4
from pliant.elements.tet10 import tet10
from pliant.elements.tri3 import tri3
from pliant.elements.tri6 import tri6
from pliant.errors import shown

ELEMENTS = {e.name: e for e in (line2, tri3, tri6, quad4, quad9, tet4, tet10, hex8, hex20)}
SHORT_NAMES = {"line": "line2", "tri": "tri3", "quad": "quad4", "tet": "tet4", "hex": "hex8"}


def by_name(kind: str | Element) -> Element:
    """Return the element of that name: a key of ELEMENTS, or of SHORT_NAMES for the linear one."""
    if isinstance(kind, Element):
        return kind
    found = ELEMENTS.get(SHORT_NAMES.get(kind, kind))
    if found is None:
        names = ", ".join([*ELEMENTS, *SHORT_NAMES])
        raise ValueError(f"got cell kind {shown(kind)}; expected one of {names}")
    return found


__all__ = [
    "ELEMENTS",
    "SHORT_NAMES",
    "Element",
    "Rule",
    "by_name",
    "consistent_mass",
    "facet_element",
    "hex8",
    "hex20",
    "line2",
    "lumped_mass",
    "nodal_volumes",
    "quad4",
    "quad9",
    "shape_gradients",
    "tet4",
    "tet10",
    "tri3",
    "tri6",
]
