"""Strain about a point of a solid, and how it changes from there."""

from functools import cache
from typing import Any

from .base import Form, FormFunctions
from .metric import COMPONENTS
from .products import product_functions

#: Components of a symmetric tensor: (i, j) of each, the first three on its diagonal.
PAIRS = COMPONENTS[3]
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
        # The measures as (m, a, b) of d_a . d_b / 2, two of them for each beta.
        products = [(m, i, j, 0.5) for m, (i, j) in enumerate(PAIRS)]
        for k in range(3):
            for m, (i, j) in enumerate(PAIRS, start=6 * (k + 1)):
                products += [(m, SECOND[i][k], j, 0.5), (m, i, SECOND[j][k], 0.5)]
        return product_functions(cls, products, dim, dtype)
