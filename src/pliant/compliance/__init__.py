"""How the surface of a body answers to forces on a few of its points: what a probe asks of a body.

`Compliance` is the one interface. Finite elements (`CondensedCompliance`), boundary elements and any
other body whose matrix is known (`DenseCompliance`) fill it.
"""

from .base import Compliance as Compliance
from .condensed import (
    CondensedCompliance as CondensedCompliance,
    point_normals as point_normals,
)
from .dense import DenseCompliance as DenseCompliance
