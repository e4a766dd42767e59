# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of energies of the deformation gradient: a law for it, carried to the points of cells.

`order` is the share of the cells that a launch visits. A law is a Warp function of F, the numbers of
the cell c and of its quadrature point q, and k, a Warp struct of what it needs to know of all cells.
"""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, Ints2, Ints3, kernel_types

from .term_kernels import TERM_OPTIONS


@cache
def cell_arrays(dim: int, dtype: Any) -> Any:
    """Return the Warp struct of the cells of a body."""
    of = kernel_types(dim, dtype)

    @wp.struct
    class Cells:
        nodes: wp.array2d(dtype=wp.int32)  # (cells, nodes)
        grads: wp.array3d(dtype=of.vec)  # dN/dX at quadrature points, (cells, q, nodes)
        weights: wp.array2d(dtype=dtype)  # volumes of quadrature points, (cells, q)

    return Cells


@cache
def deformation_gradient(dim: int, nodes: int, dtype: Any) -> Any:
    """Return the Warp function F = sum_a (x_a - x_0) grad N_a^T of one quadrature point.

    Relative to node 0 because the gradients sum to zero: far from the origin float32 would
    otherwise lose the strain in the positions.
    """
    of = kernel_types(dim, dtype)
    mat = of.mat
    Cells = cell_arrays(dim, dtype)

    @wp.func(module="unique")
    def deformation(x: of.Vecs, cells: Cells, c: int, q: int):
        F = mat()
        x0 = x[cells.nodes[c, 0]]
        for a in range(1, nodes):
            F += wp.outer(x[cells.nodes[c, a]] - x0, cells.grads[c, q, a])
        return F

    return deformation


def value_kernel(constants: Any, density: Any, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel   energies[c] = sum_q w_q density(F_q, c, q, k)   [J], in float64."""
    of = kernel_types(dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def cell_values(order: Ints, x: of.Vecs, cells: Cells, k: constants, energies: Doubles):
        c = order[wp.tid()]
        total = wp.float64(0.0)
        for q in range(quads):
            F = deformation(x, cells, c, q)
            total += wp.float64(cells.weights[c, q] * density(F, c, q, k))
        energies[c] = total

    return cell_values


def gradient_kernel(
    constants: Any, stress: Any, dim: int, nodes: int, quads: int, dtype: Any
) -> Any:
    """Return the kernel   g_a += sum_q w_q P grad N_a,   P = stress(F_q, c, q, k)   [N]."""
    of = kernel_types(dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def add_cell_gradients(order: Ints, x: of.Vecs, cells: Cells, k: constants, g: of.Vecs):
        c = order[wp.tid()]
        for q in range(quads):
            P = cells.weights[c, q] * stress(deformation(x, cells, c, q), c, q, k)
            for a in range(nodes):
                wp.atomic_add(g, cells.nodes[c, a], P @ cells.grads[c, q, a])

    return add_cell_gradients


@cache
def tangent_scatter(dim: int, nodes: int, dtype: Any) -> Any:
    """Return the Warp function that adds the blocks of one quadrature point.

        H_ab[i, k] += w gradN_a[j] A[ij, kl] gradN_b[l],    A = dP/dF, symmetric

    The gradients sum to zero, so the blocks of node 0 are minus the sum of the others.
    """
    of = kernel_types(dim, dtype)
    mat = of.mat
    n = dim * dim
    big = wp.types.matrix(shape=(n, n), dtype=dtype)
    flat = wp.types.matrix(shape=(dim, n), dtype=dtype)
    Vecs3 = wp.array3d(dtype=of.vec)

    @wp.func(module="unique")
    def add(H: mat, a: int, b: int, slots: Ints2, blocks: of.Mats):
        slot = slots[a, b]
        if slot >= 0:
            wp.atomic_add(blocks, slot, H)

    @wp.func(module="unique")
    def scatter(A: big, weight: dtype, grads: Vecs3, slots: Ints3, blocks: of.Mats, c: int, q: int):
        corner = mat()
        for b in range(1, nodes):
            gb = weight * grads[c, q, b]
            Ab = flat()  # A contracted with node b; whole rows, which the compiler vectorises
            for k in range(dim):
                row = gb[0] * A[k * dim]
                for l in range(1, dim):
                    row += gb[l] * A[k * dim + l]
                Ab[k] = row
            edge = mat()
            for a in range(1, nodes):
                ga = grads[c, q, a]
                H = mat()
                for k in range(dim):
                    for i in range(dim):
                        entry = dtype(0.0)
                        for j in range(dim):
                            entry += ga[j] * Ab[k, i * dim + j]
                        H[i, k] = entry
                add(H, a, b, slots[c], blocks)
                edge += H
            add(-edge, 0, b, slots[c], blocks)
            add(-wp.transpose(edge), b, 0, slots[c], blocks)
            corner += edge
        add(corner, 0, 0, slots[c], blocks)

    return scatter


def hessian_kernel(
    constants: Any, tangent: Any, dim: int, nodes: int, quads: int, dtype: Any
) -> Any:
    """Return the kernel   H_ab[i, k] += sum_q w_q gradN_a[j] A[ij, kl] gradN_b[l]   [N/m].

    A = tangent(F_q, c, q, k, project).
    """
    of = kernel_types(dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)
    scatter = tangent_scatter(dim, nodes, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def add_cell_hessians(
        order: Ints,
        x: of.Vecs,
        cells: Cells,
        k: constants,
        project: int,
        slots: Ints3,
        blocks: of.Mats,
    ):
        c = order[wp.tid()]
        for q in range(quads):
            A = tangent(deformation(x, cells, c, q), c, q, k, project)
            scatter(A, cells.weights[c, q], cells.grads, slots, blocks, c, q)

    return add_cell_hessians


@cache
def deformation_kernel(dim: int, nodes: int, dtype: Any) -> Any:
    """Return the kernel that writes F of every quadrature point, shape (cells, q)."""
    of = kernel_types(dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_deformation(order: Ints, x: of.Vecs, cells: Cells, out: wp.array2d(dtype=of.mat)):
        c = order[wp.tid()]
        for q in range(out.shape[1]):
            out[c, q] = deformation(x, cells, c, q)

    return solid_deformation


@cache
def upright_kernel(dim: int, nodes: int, dtype: Any) -> Any:
    """Return the kernel that sets `found` where a cell is crushed flat or inside out."""
    of = kernel_types(dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_upright(x: of.Vecs, cells: Cells, found: Ints):
        c, q = wp.tid()
        if not (wp.determinant(deformation(x, cells, c, q)) > dtype(0.0)):
            found[0] = 1

    return solid_upright
