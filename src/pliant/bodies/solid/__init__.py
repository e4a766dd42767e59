"""Solids of a material: finite elements in two and three dimensions, and bars."""

from .body import Body, Density, Thickness

__all__ = ["Body", "Density", "Thickness"]
