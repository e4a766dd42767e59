"""Points and springs between them."""

from pliant.bodies.springs.springs import Springs

__all__ = ["Springs"]
