"""Strain of a rod: of its centreline, of its cross-section, and how it changes across."""

from functools import cache
from typing import Any

from .base import Form, FormFunctions
from .products import product_functions

_X, _A2, _A3, _B2, _B3 = range(5)
#: What each measure is made of: (measure, vector, vector, factor).
PRODUCTS = (
    (0, _X, _X, 0.5),
    (1, _A2, _A2, 0.5),
    (2, _A3, _A3, 0.5),
    (3, _A2, _A3, 1.0),
    (4, _B2, _B2, 0.5),
    (5, _B3, _B3, 0.5),
    (6, _B2, _B3, 1.0),
    (7, _X, _A2, 0.5),
    (7, _X, _B2, 0.5),
    (8, _X, _A3, 0.5),
    (8, _X, _B3, 0.5),
    (9, _X, _B2, 1.0),
    (9, _X, _A2, -1.0),
    (10, _X, _B3, 1.0),
    (10, _X, _A3, -1.0),
    (11, _B2, _A3, 0.5),
    (11, _A2, _B3, -0.5),
)


class RodStrains(Form):
    """Strain about the centreline of a rod between two sections a and b, in the middle of them.

        alpha_11 = x,1 . x,1 / 2,   2 alpha_1k = x,1 . d_k,   beta^k_11 = x,1 . d_k,1
        twist = (d_2,1 . d_3 - d_3,1 . d_2) / 2

    with d_k the mean of the directors of a and b and d_k,1 their difference. Vectors: x,1, then d_2 and
    d_3 of a, and of b. Measures [-]: alpha_11; alpha_22, alpha_33 and twice alpha_23 of section a, and
    of b (their mean would not see directors that grow and shrink in turn); shears along d_2 and d_3;
    and over the length between a and b the bends beta^2 and beta^3 and the twist.
    Source: [liulecture] (resultants), with inner products in place of their derivatives at rest.
    """

    vectors, measures = 5, 12

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        return product_functions(cls, PRODUCTS, dim, dtype)
