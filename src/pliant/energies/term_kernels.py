# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of a sum of terms, made of a law for one of them.

`order` is the share of the terms that a launch visits. A law is Warp functions of positions x, the
points s of a term, its number t, and c, a Warp struct of what the law needs to know of all terms.
"""

from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, Ints3, kernel_types

# No adjoints, and loops left as loops: the compiler sees a tenth of the code, and is not slower.
TERM_OPTIONS = {"enable_backward": False, "max_unroll": 2}


def term_kernels(
    constants: Any, dim: int, dtype: Any, *, value: Any, gradient: Any, hessian: Any
) -> Any:
    """Return value, gradient and Hessian kernels, and the type of the constants, as attributes.

    value(x, s, t, c) -> W_t [J]; gradient(x, s, t, c, g) adds to g, and
    hessian(x, s, t, c, project, slots, blocks) to blocks, at the slots (k, k) of the term.
    """
    of = kernel_types(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def add_hessians(
        order: Ints,
        x: of.Vecs,
        stencils: Ints2,
        c: constants,
        project: int,
        slots: Ints3,
        blocks: of.Mats,
    ):
        t = order[wp.tid()]
        hessian(x, stencils[t], t, c, project, slots[t], blocks)

    return SimpleNamespace(
        constants=constants,
        value=each_kernel(constants, dim, dtype, value, wp.float64),
        gradient=gradient_kernel(constants, dim, dtype, gradient),
        hessian=add_hessians,
    )


def gradient_kernel(constants: Any, dim: int, dtype: Any, gradient: Any) -> Any:
    """Return the kernel that adds the gradients gradient(x, s, t, c, g) of all terms to g."""
    of = kernel_types(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def add_gradients(order: Ints, x: of.Vecs, stencils: Ints2, c: constants, g: of.Vecs):
        t = order[wp.tid()]
        gradient(x, stencils[t], t, c, g)

    return add_gradients


def each_kernel(constants: Any, dim: int, dtype: Any, measure: Any, kind: Any) -> Any:
    """Return the kernel that writes measure(x, s, t, c) of every term, as the type `kind`."""
    of = kernel_types(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def measure_terms(
        order: Ints, x: of.Vecs, stencils: Ints2, c: constants, out: wp.array(dtype=kind)
    ):
        t = order[wp.tid()]
        out[t] = kind(measure(x, stencils[t], t, c))

    return measure_terms
