"""Cloth: sheets that resist stretch, shear and bend."""

from .cloth import Cloth

__all__ = ["Cloth"]
