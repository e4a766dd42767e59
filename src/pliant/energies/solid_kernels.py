# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of a solid: those of cells, with the functions of its law."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import kernel_types

from . import cell_kernels
from .solid_law import SolidLaw, law_constants, law_functions, law_tangent


@cache
def value_kernel(law: SolidLaw, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel of the energy of each cell [J]."""
    density, Solid = law_functions(law, dim, dtype).density, law_constants(law, dim, dtype)
    return cell_kernels.value_kernel(Solid, density, dim, nodes, quads, dtype)


@cache
def gradient_kernel(law: SolidLaw, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel that adds the gradient [N]."""
    stress, Solid = law_functions(law, dim, dtype).stress, law_constants(law, dim, dtype)
    return cell_kernels.gradient_kernel(Solid, stress, dim, nodes, quads, dtype)


@cache
def hessian_kernel(
    law: SolidLaw, dim: int, nodes: int, quads: int, dtype: Any, project: bool
) -> Any:
    """Return the kernel that adds the Hessian [N/m].

    There is one that projects and one that does not: the former is long to compile.
    """
    mat, Solid = kernel_types(dim, dtype).mat, law_constants(law, dim, dtype)
    tangent = law_tangent(law, dim, dtype, project)

    @wp.func(module="unique")
    def tangent_at(F: mat, c: int, q: int, k: Solid, project: int):
        return tangent(F, c, q, k)

    return cell_kernels.hessian_kernel(Solid, tangent_at, dim, nodes, quads, dtype)
