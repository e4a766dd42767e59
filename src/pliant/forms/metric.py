"""The first fundamental form: lengths and angles of a curve, a surface or a solid."""

from functools import cache
from typing import Any

from .base import Form, FormFunctions
from .products import product_functions

#: The components (i, j) of G by how many directions there are, those of its diagonal first.
COMPONENTS = {
    1: ((0, 0),),
    2: ((0, 0), (1, 1), (0, 1)),
    3: ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)),
}


class Metric(Form):
    """The first fundamental form  G_ij = x,i . x,j,   dl^2 = sum_ij G_ij da_i da_j.

    Vectors: x,1 .. x,k. Measures: 11, then 22 and 12, or 22 33 23 13 12. Two shapes with the same G
    everywhere have the same lengths. Source: [terzopoulos1987].
    """

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        pairs = COMPONENTS[cls.vectors]
        return product_functions(
            cls, [(m, i, j, 1.0) for m, (i, j) in enumerate(pairs)], dim, dtype
        )


class CurveMetric(Metric):
    """G of a curve, x' . x': the square of its stretch."""

    vectors, measures, dims = 1, 1, (2, 3)


class SurfaceMetric(Metric):
    """G of a surface, or of a plane body: 11, 22, 12."""

    vectors, measures, dims = 2, 3, (2, 3)


class SolidMetric(Metric):
    """G of a solid: 11, 22, 33, 23, 13, 12."""

    vectors, measures, dims = 3, 6, (3,)
