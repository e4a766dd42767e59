"""Shape functions and quadrature: an element is a small table.

One file has one element: its corners, shape functions, quadrature and faces. Mass, volumes and
gradients in a mesh follow from the table. An element knows neither material nor energy.
"""

from pliant.errors import shown

from .element import Element as Element
from .facets import facet_element as facet_element
from .geometry import shape_gradients as shape_gradients
from .hex8 import hex8 as hex8
from .hex20 import hex20 as hex20
from .line2 import line2 as line2
from .mass import (
    consistent_mass as consistent_mass,
    lumped_mass as lumped_mass,
    nodal_volumes as nodal_volumes,
)
from .quad4 import quad4 as quad4
from .quad9 import quad9 as quad9
from .quadrature import Rule as Rule
from .tet4 import tet4 as tet4
from .tet10 import tet10 as tet10
from .tri3 import tri3 as tri3
from .tri6 import tri6 as tri6

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
