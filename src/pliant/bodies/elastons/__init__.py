"""Elastons: nodes with neighbours, for rods, shells and solids alike."""

from .elastons import Elastons

__all__ = ["Elastons"]
