"""A damping of another package."""

from typing import Annotated

from pliant.control import PointDamping
from pliant.declared import Quantity


class Honey(PointDamping):
    """Drag of a thick fluid: that of a point in proportion to the viscosity."""

    def __init__(
        self,
        viscosity: Annotated[
            float, Quantity("of the fluid", "Pa s", above=0.0, at_most=1e4, example=2.0)
        ],
        *,
        size: Annotated[float, Quantity("of a point", "m", above=0.0)] = 0.01,
    ):
        self.viscosity, self.size = float(viscosity), float(size)
        super().__init__(18.8 * self.viscosity * self.size)
