"""Scalar conditions C(x) of a few points: distance, area, volume, stretch, shear, bend.

A condition is a class with its value and its first and second derivatives, as functions of Warp
that kernels are made of. `energies` makes k/2 C^2 of it, XPBD a constraint, and `ConditionDamping`
a damping.
"""

from .area import Area as Area
from .base import (
    Condition as Condition,
    ConditionFunctions as ConditionFunctions,
    edge_types as edge_types,
)
from .bend import Bend as Bend
from .blocks import cross_matrix as cross_matrix, put_block as put_block
from .distance import Distance as Distance
from .plane import derivatives as derivatives
from .shear import Shear as Shear
from .stretch import Stretch as Stretch
from .volume import Volume as Volume
