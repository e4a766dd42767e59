# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of what plastic flow leaves behind."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, kernel_types
from pliant.materials import plastic_functions

from .cell_kernels import cell_arrays, deformation_gradient
from .solid_law import SolidLaw, law_constants
from .term_kernels import TERM_OPTIONS


@cache
def flow_kernel(law: SolidLaw, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel of the flow at x:  Fp^-1 <- Fp^-1 D,  Fe = F Fp^-1 D,  strain += g.

    most[c]: the largest g of the cell.
    """
    of, Solid = kernel_types(dim, dtype), law_constants(law, dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)
    flowed = plastic_functions(law.material, dim, dtype).flowed
    Mats2, Reals2 = wp.array2d(dtype=of.mat), wp.array2d(dtype=dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_flow(
        order: Ints,
        x: of.Vecs,
        cells: Cells,
        k: Solid,
        before: Mats2,
        inverse: Mats2,
        strain: Reals2,
        across: Reals2,
        largest: Doubles,
    ):
        c = order[wp.tid()]
        H = k.hardening[c]
        top = dtype(0.0)
        for q in range(quads):
            a = k.strain[c, q]
            F = deformation(x, cells, c, q)
            D, beyond, g = flowed(
                F,
                k.across[c, q],
                k.lam[c],
                k.mu[c],
                k.yield_stress[c] + H * a,
                H,
                k.most[c] - a,
            )
            inverse[c, q] = before[c, q] @ D
            strain[c, q] = a + g
            across[c, q] = beyond
            top = wp.max(top, g)
        largest[c] = wp.float64(top)

    return solid_flow


@cache
def anneal_kernel(dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel   Fp^-1 <- Fp^-1 F_e^-1 = F^-1:   the shape at x is without stress."""
    of, Mats2 = kernel_types(dim, dtype), wp.array2d(dtype=kernel_types(dim, dtype).mat)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_anneal(order: Ints, x: of.Vecs, cells: Cells, before: Mats2, inverse: Mats2):
        c = order[wp.tid()]
        for q in range(quads):
            inverse[c, q] = before[c, q] @ wp.inverse(deformation(x, cells, c, q))

    return solid_anneal


@cache
def slopes_kernel(dim: int, nodes: int, dtype: Any) -> Any:
    """Return the kernel   slopes_a = Fp^-T grad N_a,   with which F is that of the elastic part."""
    of = kernel_types(dim, dtype)
    Vecs3, Mats2 = wp.array3d(dtype=of.vec), wp.array2d(dtype=of.mat)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_slopes(inverse: Mats2, grads: Vecs3, out: Vecs3):
        c, q = wp.tid()
        G = wp.transpose(inverse[c, q])
        for a in range(nodes):
            out[c, q, a] = G @ grads[c, q, a]

    return solid_slopes
