"""Elastons: nodes with neighbours, for rods, shells and solids alike."""

from pliant.bodies.elastons.elastons import Elastons

__all__ = ["Elastons"]
