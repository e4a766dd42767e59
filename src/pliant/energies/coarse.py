# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The stiffness of solids on the cells of a regular grid, for the multigrid preconditioner."""

from functools import cache
from typing import TYPE_CHECKING, Any

import warp as wp

from pliant.backend import Ints, Ints2
from pliant.materials import nearest_rotation

from .cell_kernels import cell_arrays, deformation_gradient
from .solid_law import SolidLaw, law_constants, law_tangent
from .term_kernels import TERM_OPTIONS

if TYPE_CHECKING:
    from pliant.solvers import Multigrid

    from .solid import SolidEnergy


def add_coarse_stiffness(
    solid: "SolidEnergy", x: Any, holders: Any, multigrid: "Multigrid"
) -> None:
    """Add the stiffness of a solid at positions x to `multigrid.cells` [N/m].

        B_IJ += w_q g_I . A(S) . g_J,   g_I = sum_a W_aI grad N_a,   S = R^T F

    A is the positive semi-definite part of dP/dF, taken without the rotation R of the cell: the
    grid lives in the frame of the undeformed body. W_aI are the weights of the corners of one grid
    cell at the nodes of a mesh cell, and `holders` says which grid cell that is.
    """
    kernel = _coarse_kernel(solid.law, *solid.shape, multigrid.dtype)
    grid = [holders, multigrid.coordinates, multigrid.lattice, multigrid.free]
    inputs = [x, solid.cells, solid.known, *grid, multigrid.cells]
    wp.launch(kernel, len(solid.stencils), inputs=inputs, device=solid.device)


@cache
def _coarse_kernel(
    law: SolidLaw, dim: int, nodes: int, quads: int, dtype: Any, grid_dtype: Any
) -> Any:
    vec, mat = wp.types.vector(dim, dtype), wp.types.matrix((dim, dim), dtype)
    grid_vec, grid_mat = wp.types.vector(dim, grid_dtype), wp.types.matrix((dim, dim), grid_dtype)
    corners, square = 2**dim, dim * dim
    thin = wp.types.matrix((square, dim), dtype)
    shares = wp.types.matrix((nodes, corners), dtype)
    slopes = wp.types.matrix((corners, dim), dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)
    tangent, Solid = law_tangent(law, dim, dtype, True), law_constants(law, dim, dtype)
    rotation = nearest_rotation(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_coarse(
        x: wp.array(dtype=vec),
        cells: Cells,
        known: Solid,
        holders: Ints,
        coordinates: wp.array(dtype=grid_vec),
        lattice: Ints2,
        free: wp.array(dtype=grid_dtype),
        blocks: wp.array3d(dtype=grid_mat),
    ):
        c = wp.tid()
        holder = holders[c]
        W = shares()
        for a in range(nodes):
            point = cells.nodes[c, a]
            at = coordinates[point]
            for I in range(corners):
                share = dtype(free[point])
                for k in range(dim):
                    t = dtype(at[k]) - dtype(lattice[holder, k])
                    if (I >> (dim - 1 - k)) & 1 == 1:
                        share *= t
                    else:
                        share *= dtype(1.0) - t
                W[a, I] = share
        for q in range(quads):
            F = deformation(x, cells, c, q)
            A = cells.weights[c, q] * tangent(wp.transpose(rotation(F)) @ F, c, q, known)
            G = slopes()
            for a in range(nodes):
                for I in range(corners):
                    for k in range(dim):
                        G[I, k] += W[a, I] * cells.grads[c, q, a][k]
            for J in range(corners):
                AJ = thin()  # A contracted with corner J
                for r in range(square):
                    for k in range(dim):
                        for l in range(dim):
                            AJ[r, k] += A[r, k * dim + l] * G[J, l]
                for I in range(J + 1):
                    B = mat()
                    for i in range(dim):
                        for k in range(dim):
                            for j in range(dim):
                                B[i, k] += G[I, j] * AJ[i * dim + j, k]
                    wp.atomic_add(blocks, holder, I, J, grid_mat(B))

    return solid_coarse
