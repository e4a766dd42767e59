"""A material of another package."""

from typing import Annotated, Any

from pliant.declared import Quantity
from pliant.materials import Linear
from pliant.materials.base import Poisson, Young


class Foam(Linear):
    """Foam: Hooke's law of small strains, made stiffer by the gas in its pores.

    lam = lam(young, poisson) + pressure
    """

    def __init__(
        self,
        *,
        young: Young = None,
        poisson: Poisson = None,
        pressure: Annotated[
            float, Quantity("of the gas in its pores", "Pa", at_least=0.0, example=2e4)
        ] = 0.0,
        lame: Any = None,
    ) -> None:
        super().__init__(young=young, poisson=poisson, lame=lame)
        self.pressure = float(pressure)
        self.lam += self.pressure
