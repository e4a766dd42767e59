"""Cloth: sheets that resist stretch, shear and bend."""

from pliant.bodies.cloth.cloth import Cloth

__all__ = ["Cloth"]
