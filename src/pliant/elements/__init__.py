"""Shape functions and quadrature: an element is a small table."""

from pliant.elements.element import Element
from pliant.elements.geometry import shape_gradients
from pliant.elements.hex8 import hex8
from pliant.elements.mass import consistent_mass, lumped_mass
from pliant.elements.quad4 import quad4
from pliant.elements.quadrature import Rule
from pliant.elements.tet4 import tet4
from pliant.elements.tri3 import tri3

ELEMENTS = {e.name: e for e in (tri3, quad4, tet4, hex8)}
SHORT_NAMES = {"tri": "tri3", "quad": "quad4", "tet": "tet4", "hex": "hex8"}


def by_name(kind: str | Element) -> Element:
    """Return the element of that name: a key of ELEMENTS, or of SHORT_NAMES for the linear one."""
    if isinstance(kind, Element):
        return kind
    found = ELEMENTS.get(SHORT_NAMES.get(kind, kind))
    if found is None:
        names = ", ".join([*ELEMENTS, *SHORT_NAMES])
        raise ValueError(f"got cell kind {kind!r}; expected one of {names}")
    return found


__all__ = [
    "ELEMENTS",
    "SHORT_NAMES",
    "Element",
    "Rule",
    "by_name",
    "consistent_mass",
    "hex8",
    "lumped_mass",
    "quad4",
    "shape_gradients",
    "tet4",
    "tri3",
]
