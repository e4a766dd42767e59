"""Rods that carry waves and collide."""

from pliant.bodies.impact.impact import ImpactRods

__all__ = ["ImpactRods"]
