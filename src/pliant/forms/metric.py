# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The first fundamental form: lengths and angles of a curve, a surface or a solid."""

from functools import cache
from typing import Any

import warp as wp

from .base import Form, FormFunctions, jet_types

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
        jet, numbers, slopes, square = jet_types(cls.vectors, cls.measures, dim, dtype)
        count = wp.constant(cls.measures)
        table = wp.types.matrix(shape=(cls.measures, 2), dtype=wp.int32)
        which = wp.constant(table(*(i for pair in COMPONENTS[cls.vectors] for i in pair)))

        @wp.func(module="unique")
        def measure(D: jet):
            s = numbers()
            for m in range(count):
                s[m] = wp.dot(D[which[m, 0]], D[which[m, 1]])
            return s

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            for m in range(count):
                a, b = which[m, 0], which[m, 1]
                for i in range(dim):
                    J[m, a * dim + i] += D[b, i]
                    J[m, b * dim + i] += D[a, i]
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            K = square()
            for m in range(count):
                a, b = which[m, 0], which[m, 1]
                for i in range(dim):
                    K[a * dim + i, b * dim + i] += w[m]
                    K[b * dim + i, a * dim + i] += w[m]
            return K

        return FormFunctions(measure, jacobian, curvature)


class CurveMetric(Metric):
    """G of a curve, x' . x': the square of its stretch."""

    vectors, measures, dims = 1, 1, (2, 3)


class SurfaceMetric(Metric):
    """G of a surface, or of a plane body: 11, 22, 12."""

    vectors, measures, dims = 2, 3, (2, 3)


class SolidMetric(Metric):
    """G of a solid: 11, 22, 33, 23, 13, 12."""

    vectors, measures, dims = 3, 6, (3,)
