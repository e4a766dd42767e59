"""Points and springs between them."""

from .springs import Springs

__all__ = ["Springs"]
