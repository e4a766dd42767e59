"""Thin rods: a curve with a cross-section."""

from pliant.bodies.rod.rod import Rod

__all__ = ["Rod"]
