# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Strain of a rod: of its centreline, of its cross-section, and how it changes across."""

from functools import cache
from typing import Any

import warp as wp

from pliant.forms.base import Form, Functions, jet_types

_X, _D2, _D3, _D2S, _D3S = range(5)
#: What each measure is made of: (measure, vector, vector, factor).
PRODUCTS = (
    (0, _X, _X, 0.5),
    (1, _D2, _D2, 0.5),
    (2, _D3, _D3, 0.5),
    (3, _D2, _D3, 1.0),
    (4, _X, _D3, 1.0),
    (5, _X, _D2, 1.0),
    (6, _X, _D2S, 1.0),
    (7, _X, _D3S, 1.0),
    (8, _D2S, _D3, 0.5),
    (8, _D3S, _D2, -0.5),
    (9, _D2S, _D3, 1.0),
    (9, _D3S, _D2, 1.0),
    (10, _D2S, _D2, 1.0),
    (11, _D3S, _D3, 1.0),
)


class RodStrains(Form):
    """Strain about the centreline of a rod, alpha + theta_2 beta^2 + theta_3 beta^3.

        alpha_ij = x,i . x,j / 2,    beta^k_ij = (x,ik . x,j + x,i . x,jk) / 2

    of x,1 and of the directors d_2 = x,2 and d_3 = x,3, which have no derivatives across. Vectors:
    x,1 d_2 d_3, then d_2,1 d_3,1. Measures: alpha_11 22 33, and doubled 23 13 12 [-]; then [1/m] the
    bends beta^2_11 and beta^3_11, the twist (d_2,1 . d_3 - d_3,1 . d_2)/2, and how the shear and the
    two sizes of the section change along the rod: (d_2 . d_3),1  d_2,1 . d_2  d_3,1 . d_3.
    Source: [liulecture] (resultants), with inner products in place of their derivatives at rest.
    """

    vectors, measures = 5, 12

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (measure, jacobian, curvature)."""
        jet, numbers, slopes, square = jet_types(cls.vectors, cls.measures, dim, dtype)
        count = len(PRODUCTS)
        table = wp.types.matrix(shape=(count, 3), dtype=wp.int32)
        which = wp.constant(table(*(entry for product in PRODUCTS for entry in product[:3])))
        factors = wp.constant(wp.types.vector(count, dtype)(*(p[3] for p in PRODUCTS)))

        @wp.func(module="unique")
        def measure(D: jet):
            s = numbers()
            for q in range(count):
                s[which[q, 0]] += factors[q] * wp.dot(D[which[q, 1]], D[which[q, 2]])
            return s

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            for q in range(count):
                m, a, b = which[q, 0], which[q, 1], which[q, 2]
                for i in range(dim):
                    J[m, a * dim + i] += factors[q] * D[b, i]
                    J[m, b * dim + i] += factors[q] * D[a, i]
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            K = square()
            for q in range(count):
                a, b = which[q, 1], which[q, 2]
                entry = factors[q] * w[which[q, 0]]
                for i in range(dim):
                    K[a * dim + i, b * dim + i] += entry
                    K[b * dim + i, a * dim + i] += entry
            return K

        return Functions(measure, jacobian, curvature)
