"""What shells and rods ask of the matter they are made of."""

from __future__ import annotations

from typing import Any

from pliant.errors import is_finite


def check_matter(who: str, young: Any, poisson: Any, density: Any) -> None:
    """Refuse moduli and densities that no matter has."""
    check_size(who, "young", young, "Pa")
    check_size(who, "density", density, "kg/m^3")
    if not (is_finite(poisson) and -1.0 < poisson <= 0.5):
        raise ValueError(f"{who}: got poisson={poisson!r}; expected more than -1 and up to 0.5")


def check_size(who: str, what: str, value: Any, unit: str = "m") -> None:
    """Refuse a size that is not a number above zero."""
    if not (is_finite(value) and value > 0.0):
        raise ValueError(f"{who}: got {what}={value!r}; expected more than 0 [{unit}]")
