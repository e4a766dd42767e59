"""Rods that carry waves and collide."""

from .impact import ImpactRods

__all__ = ["ImpactRods"]
