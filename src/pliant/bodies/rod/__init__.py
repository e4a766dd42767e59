"""Thin rods: a curve with a cross-section."""

from .rod import Rod

__all__ = ["Rod"]
