# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that make one level of a Galerkin hierarchy from the next finer one."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints

from .rows import Storage, named


@cache
def galerkin_kernels(storage: Storage, source_dtype: Any) -> Any:
    """Return `coarsen` and `invert` as attributes; source_dtype: of the finer blocks."""
    dim, dtype, mat = storage.dim, storage.dtype, storage.mat
    module = storage.module(f"galerkin_{source_dtype.__name__}")
    finer_mat = wp.types.matrix((dim, dim), source_dtype)
    number = "float" if source_dtype is wp.float32 else "double"
    square = dim * dim
    small = wp.constant(dtype(1e-12 if dtype is wp.float64 else 1e-6))
    # Warp knows native functions by name and types: the loop over numbers, not over matrices.
    snippet = f"""
        {number} s[{square}];
        for (int q = 0; q < {square}; ++q) s[q] = 0;
        const int end = starts.data[u + 1];
        for (int k = starts.data[u]; k < end; ++k) {{
            const {number} w = ({number})weights.data[k];
            const {number}* a = (const {number}*)(finer.data + members.data[k]);
            for (int q = 0; q < {square}; ++q) s[q] += w * a[q];
        }}
        return wp::mat_t<{dim}, {dim}, {storage.number}>(
            {", ".join(f"({storage.number})s[{q}]" for q in range(square))});
    """
    Reals, FinerMats, Mats = wp.array(dtype=dtype), wp.array(dtype=finer_mat), wp.array(dtype=mat)

    @wp.func_native(snippet)
    def gathered_block(
        starts: Ints, members: Ints, weights: Reals, finer: FinerMats, u: int
    ) -> mat: ...

    @wp.kernel(module=module)
    def coarsen(
        starts: Ints,
        members: Ints,
        weights: Reals,
        slots: Ints,
        twins: Ints,
        finer: FinerMats,
        blocks: Mats,
    ):
        # A_IJ = sum over i, j of P_iI A_ij P_jJ, for I <= J, and A_JI by symmetry
        u = wp.tid()
        block = gathered_block(starts, members, weights, finer, u)
        blocks[slots[u]] = block
        if twins[u] != slots[u]:
            blocks[twins[u]] = wp.transpose(block)

    @wp.func(module=module)
    def positive(A: finer_mat):
        # whether the leading minors are
        good = A[0, 0] > source_dtype(0.0) and wp.determinant(A) > source_dtype(0.0)
        if wp.static(dim == 3):
            good = good and A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0] > source_dtype(0.0)
        return good

    @wp.kernel(module=module)
    def invert(diagonal: Ints, blocks: FinerMats, inverse: Mats):
        # Positive definite whatever the block is, or conjugate gradients would not see that A is not.
        i = wp.tid()
        A = blocks[diagonal[i]]
        scale = source_dtype(0.0)
        for k in range(dim):
            scale += wp.abs(A[k, k])
        if not scale > source_dtype(0.0):
            scale = source_dtype(1.0)
        for k in range(dim):
            A[k, k] += source_dtype(small) * scale
        if not positive(A):
            A = scale * wp.identity(n=dim, dtype=source_dtype)
        inverse[i] = mat(wp.inverse(A))

    return named(coarsen, invert)
