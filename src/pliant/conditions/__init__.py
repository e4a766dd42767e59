"""Scalar conditions C(x) of a few points: distance, area, volume, stretch, shear, bend.

A condition is a class with its value and its first and second derivatives, as functions of Warp
that kernels are made of. `energies` makes k/2 C^2 of it, XPBD a constraint, and `ConditionDamping`
a damping.
"""

from pliant.conditions.area import Area
from pliant.conditions.base import Condition, ConditionFunctions
from pliant.conditions.bend import Bend
from pliant.conditions.distance import Distance
from pliant.conditions.shear import Shear
from pliant.conditions.stretch import Stretch
from pliant.conditions.volume import Volume

from .base import edge_types
from .blocks import cross_matrix, put_block
from .plane import derivatives

__all__ = [
    "Area",
    "Bend",
    "Condition",
    "ConditionFunctions",
    "Distance",
    "Shear",
    "Stretch",
    "Volume",
    "cross_matrix",
    "derivatives",
    "edge_types",
    "put_block",
]
