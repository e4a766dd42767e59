# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of a solid: those of cells, with the functions of a material as their law."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import kernel_types
from pliant.materials import Material, projected_tangent

from . import cell_kernels


@cache
def solid_constants(material: type[Material], dim: int, dtype: Any) -> Any:
    """Return the Warp struct of what the functions of a material take, per cell."""

    @wp.struct
    class Solid:
        lam: wp.array(dtype=material.lam_type(dim, dtype))
        mu: wp.array(dtype=dtype)

    return Solid


@cache
def value_kernel(material: type[Material], dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel of the energy of each cell [J]."""
    mat = kernel_types(dim, dtype).mat
    psi, Solid = material.functions(dim, dtype).psi, solid_constants(material, dim, dtype)

    @wp.func(module="unique")
    def density(F: mat, c: int, q: int, k: Solid):
        return psi(F, k.lam[c], k.mu[c])

    return cell_kernels.value_kernel(Solid, density, dim, nodes, quads, dtype)


@cache
def gradient_kernel(material: type[Material], dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel that adds the gradient [N]."""
    mat = kernel_types(dim, dtype).mat
    stress, Solid = material.functions(dim, dtype).stress, solid_constants(material, dim, dtype)

    @wp.func(module="unique")
    def stress_at(F: mat, c: int, q: int, k: Solid):
        return stress(F, k.lam[c], k.mu[c])

    return cell_kernels.gradient_kernel(Solid, stress_at, dim, nodes, quads, dtype)


@cache
def hessian_kernel(
    material: type[Material], dim: int, nodes: int, quads: int, dtype: Any, project: bool
) -> Any:
    """Return the kernel that adds the Hessian [N/m].

    There is one that projects and one that does not: the former is long to compile.
    """
    mat = kernel_types(dim, dtype).mat
    choose = projected_tangent if project else _plain_tangent
    tangent, Solid = choose(material, dim, dtype), solid_constants(material, dim, dtype)

    @wp.func(module="unique")
    def tangent_at(F: mat, c: int, q: int, k: Solid, project: int):
        return tangent(F, k.lam[c], k.mu[c])

    return cell_kernels.hessian_kernel(Solid, tangent_at, dim, nodes, quads, dtype)


def _plain_tangent(material: type[Material], dim: int, dtype: Any) -> Any:
    return material.tangent(dim, dtype)
