# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Strain about a point of a solid, and how it changes from there."""

from functools import cache
from typing import Any

import warp as wp

from .base import Form, FormFunctions, jet_types

#: Components of a symmetric tensor: (i, j) of each, the first three on its diagonal.
PAIRS = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
#: Where x,ij is among the vectors of the jet, which begins with x,1 x,2 x,3.
SECOND = tuple(tuple(3 + PAIRS.index((min(i, j), max(i, j))) for j in range(3)) for i in range(3))


class Taylor(Form):
    """Green's strain about a point to first order: alpha, and its derivatives beta^k.

        alpha_ij = x,i . x,j / 2,    beta^k_ij = (x,ik . x,j + x,i . x,jk) / 2

    Vectors: x,1 x,2 x,3, then x,11 x,22 x,33 x,23 x,13 x,12. Measures: the six alpha (11 22 33 23 13
    12), then six of each beta^k; strain is what they are more than at rest. Source: [martin2010],
    where the strain is Cauchy's: its derivative at rest is the derivative of this one.
    """

    vectors, measures = 9, 24

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        jet, numbers, slopes, square = jet_types(cls.vectors, cls.measures, dim, dtype)
        # The measures as (m, a, b) of d_a . d_b / 2, two of them for each beta.
        products = [(m, i, j) for m, (i, j) in enumerate(PAIRS)]
        for k in range(3):
            for m, (i, j) in enumerate(PAIRS, start=6 * (k + 1)):
                products += [(m, SECOND[i][k], j), (m, i, SECOND[j][k])]
        count = len(products)
        table = wp.types.matrix(shape=(count, 3), dtype=wp.int32)
        which = wp.constant(table(*(entry for product in products for entry in product)))
        half = wp.constant(dtype(0.5))

        @wp.func(module="unique")
        def measure(D: jet):
            s = numbers()
            for q in range(count):
                s[which[q, 0]] += half * wp.dot(D[which[q, 1]], D[which[q, 2]])
            return s

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            for q in range(count):
                m, a, b = which[q, 0], which[q, 1], which[q, 2]
                for i in range(dim):
                    J[m, a * dim + i] += half * D[b, i]
                    J[m, b * dim + i] += half * D[a, i]
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            K = square()
            for q in range(count):
                m, a, b = which[q, 0], which[q, 1], which[q, 2]
                for i in range(dim):
                    K[a * dim + i, b * dim + i] += half * w[m]
                    K[b * dim + i, a * dim + i] += half * w[m]
            return K

        return FormFunctions(measure, jacobian, curvature)
