"""Bodies that keep distances, areas and volumes."""

from pliant.bodies.preserving.preserving import Preserving

__all__ = ["Preserving"]
