"""Scalar conditions C(x) of a few points: distance, area, volume."""

from pliant.conditions.area import Area
from pliant.conditions.base import Condition, Functions
from pliant.conditions.distance import Distance
from pliant.conditions.volume import Volume

__all__ = ["Area", "Condition", "Distance", "Functions", "Volume"]
