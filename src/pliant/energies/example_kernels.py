# mypy: ignore-errors
"""Kernels of strains that are compared with, and blended from, those of example poses."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles2, Ints

from .shifted_kernels import hooke
from .term_kernels import TERM_OPTIONS


@cache
def products_kernel(dim: int, dtype: Any) -> Any:
    """Return the kernel   products[c, i] = sum_q w_q (now - base) : C : example_i."""
    mat = wp.types.matrix((dim, dim), dtype)
    law, _, _ = hooke(dtype, dim, dtype)
    Mats2, Reals = wp.array2d(dtype=mat), wp.array(dtype=dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def example_products(
        order: Ints,
        now: Mats2,
        base: Mats2,
        weights: wp.array2d(dtype=dtype),
        lam: Reals,
        mu: Reals,
        examples: wp.array3d(dtype=mat),
        products: Doubles2,
    ):
        c = order[wp.tid()]
        for i in range(examples.shape[0]):
            products[c, i] = wp.float64(0.0)
        for q in range(weights.shape[1]):
            A = weights[c, q] * law(now[c, q] - base[c, q], lam[c], mu[c])
            for i in range(examples.shape[0]):
                products[c, i] += wp.float64(wp.ddot(A, examples[i, c, q]))

    return example_products


@wp.kernel(module="unique", module_options=TERM_OPTIONS)
def sum_products(
    region: wp.array(dtype=wp.int32),
    products: wp.array2d(dtype=wp.float64),
    sums: wp.array2d(dtype=wp.float64),
):
    """sums[r, i] = sum of products[c, i] over the cells c of region r."""
    c = wp.tid()
    for i in range(products.shape[1]):
        wp.atomic_add(sums, region[c], i, products[c, i])


@cache
def blend_kernel(mat: Any) -> Any:
    """Return the kernel   out[c, q] = base[c, q] + sum_i w[region_c, i] example_i[c, q]."""
    dtype = mat._wp_scalar_type_
    Mats2 = wp.array2d(dtype=mat)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def blend_examples(
        region: Ints, weights: Doubles2, examples: wp.array3d(dtype=mat), base: Mats2, out: Mats2
    ):
        c, q = wp.tid()
        total = base[c, q]
        for i in range(examples.shape[0]):
            total += dtype(weights[region[c], i]) * examples[i, c, q]
        out[c, q] = total

    return blend_examples
