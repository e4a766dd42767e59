# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""What a solid is made of, as functions of the deformation gradient at a quadrature point."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.backend import kernel_types
from pliant.materials import Material, plastic_functions, plastic_tangent, projected_tangent


class SolidLaw(NamedTuple):
    """A material, and whether it flows. Kernels are made for such a law; it is their key.

    Functions of a law take (F, c, q, k): the deformation gradient, the numbers of the cell and of its
    quadrature point, and k, a Warp struct of what the law knows of all cells (`law_constants`).
    """

    material: type[Material]
    flows: bool = False


class LawFunctions(NamedTuple):
    """density -> psi [J/m^3]; stress -> P [Pa]."""

    density: Callable[..., Any]
    stress: Callable[..., Any]


@cache
def law_constants(law: SolidLaw, dim: int, dtype: Any) -> Any:
    """Return the Warp struct of what a law knows of all cells.

    Of one that flows: the yield stress, hardening [Pa] and most of each cell, and at each quadrature
    point the equivalent plastic `strain` so far and the elastic stretch `across` the plane in 2D.
    """
    first = law.material.lam_type(dim, dtype)

    if not law.flows:

        @wp.struct
        class Solid:
            lam: wp.array(dtype=first)
            mu: wp.array(dtype=dtype)

        return Solid

    @wp.struct
    class PlasticSolid:
        lam: wp.array(dtype=first)
        mu: wp.array(dtype=dtype)
        yield_stress: wp.array(dtype=dtype)
        hardening: wp.array(dtype=dtype)
        most: wp.array(dtype=dtype)
        strain: wp.array2d(dtype=dtype)
        across: wp.array2d(dtype=dtype)

    return PlasticSolid


@cache
def law_functions(law: SolidLaw, dim: int, dtype: Any) -> LawFunctions:
    """Return energy density and stress of a law."""
    mat, Solid = kernel_types(dim, dtype).mat, law_constants(law, dim, dtype)

    if not law.flows:
        psi, first, _ = law.material.functions(dim, dtype)

        @wp.func(module="unique")
        def density(F: mat, c: int, q: int, k: Solid):
            return psi(F, k.lam[c], k.mu[c])

        @wp.func(module="unique")
        def stress(F: mat, c: int, q: int, k: Solid):
            return first(F, k.lam[c], k.mu[c])

        return LawFunctions(density, stress)

    own = plastic_functions(law.material, dim, dtype)
    w, w_stress = own.psi, own.stress

    @wp.func(module="unique")
    def plastic_density(F: mat, c: int, q: int, k: Solid):
        a, H = k.strain[c, q], k.hardening[c]
        sigma, left = k.yield_stress[c] + H * a, k.most[c] - a
        return w(F, k.across[c, q], k.lam[c], k.mu[c], sigma, H, left)

    @wp.func(module="unique")
    def plastic_stress(F: mat, c: int, q: int, k: Solid):
        a, H = k.strain[c, q], k.hardening[c]
        sigma, left = k.yield_stress[c] + H * a, k.most[c] - a
        return w_stress(F, k.across[c, q], k.lam[c], k.mu[c], sigma, H, left)

    return LawFunctions(plastic_density, plastic_stress)


@cache
def law_tangent(law: SolidLaw, dim: int, dtype: Any, project: bool) -> Callable[..., Any]:
    """Return dP/dF of a law, or its positive semi-definite part."""
    mat, Solid = kernel_types(dim, dtype).mat, law_constants(law, dim, dtype)

    if not law.flows:
        material = law.material
        own = projected_tangent(material, dim, dtype) if project else material.tangent(dim, dtype)

        @wp.func(module="unique")
        def tangent(F: mat, c: int, q: int, k: Solid):
            return own(F, k.lam[c], k.mu[c])

        return tangent

    flowing = plastic_tangent(law.material, dim, dtype, project)

    @wp.func(module="unique")
    def plastic(F: mat, c: int, q: int, k: Solid):
        a, H = k.strain[c, q], k.hardening[c]
        sigma, left = k.yield_stress[c] + H * a, k.most[c] - a
        return flowing(F, k.across[c, q], k.lam[c], k.mu[c], sigma, H, left)

    return plastic
