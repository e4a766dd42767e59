# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Measures that are sums of inner products of derivative vectors."""

from collections.abc import Sequence
from typing import Any

import warp as wp

from .base import Form, FormFunctions, jet_types


def product_functions(
    form: type[Form], products: Sequence[tuple[int, int, int, float]], dim: int, dtype: Any
) -> FormFunctions:
    """Return the functions of   s_m = sum over products (m, a, b, factor) of factor d_a . d_b."""
    jet, numbers, slopes, square = jet_types(form.vectors, form.measures, dim, dtype)
    count = len(products)
    table = wp.types.matrix(shape=(count, 3), dtype=wp.int32)
    which = wp.constant(table(*(entry for product in products for entry in product[:3])))
    factors = wp.constant(wp.types.vector(count, dtype)(*(product[3] for product in products)))

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

    return FormFunctions(measure, jacobian, curvature)
