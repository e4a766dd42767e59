# mypy: ignore-errors
"""Kernels of a Hookean energy of strain around a target that is not the rest shape."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.backend import Doubles, Doubles2, Ints, kernel_types
from pliant.materials import flattened, lever_type

from . import cell_kernels
from .cell_kernels import cell_arrays, deformation_gradient
from .solid_law import SolidLaw, law_constants, law_functions, law_tangent
from .term_kernels import TERM_OPTIONS


@cache
def hooke(first: Any, dim: int, dtype: Any) -> tuple[Any, Any, Any]:
    """Return the Warp functions of Hooke's law, with fibres if the material has them.

        A = 2 mu D + lam tr(D) I + fibre (a . D a) a x a,     T + fibre n x n,   n = d(a . D a)/dF

    (D, lam, mu) -> A [Pa]; and for fibres, else None, (T, n, fibre) -> the tangent with their part and
    lam -> a x a. `first` is the type of lam: a number, or the vector (lam, fibre, a).
    """
    mat = kernel_types(dim, dtype).mat
    big = wp.types.matrix(shape=(dim * dim, dim * dim), dtype=dtype)
    flat = flattened(dim, dtype)

    if first is dtype:

        @wp.func(module="unique")
        def plain(D: mat, lam: first, mu: dtype):
            return dtype(2.0) * mu * D + lam * wp.trace(D) * wp.identity(n=dim, dtype=dtype)

        return plain, None, None

    @wp.func(module="unique")
    def dyad(lam: first):
        M = mat()
        for i in range(dim):
            for j in range(dim):
                M[i, j] = lam[2 + i] * lam[2 + j]
        return M

    @wp.func(module="unique")
    def stress(D: mat, lam: first, mu: dtype):
        M = dyad(lam)
        A = dtype(2.0) * mu * D + lam[0] * wp.trace(D) * wp.identity(n=dim, dtype=dtype)
        return A + (lam[1] * wp.ddot(M, D)) * M

    @wp.func(module="unique")
    def stiffened(T: big, N: mat, fibre: dtype):
        n = flat(N)
        return T + wp.outer(fibre * n, n)

    return stress, stiffened, dyad


class StrainKind(NamedTuple):
    """What the kernels of a shifted strain are made for. first: the type of the first modulus."""

    measure: Callable
    first: Any
    law: SolidLaw
    dim: int
    nodes: int
    quads: int
    dtype: Any

    @property
    def cell(self) -> tuple[int, int, int, Any]:
        """What kernels of cells are made for."""
        return self[3:]


@cache
def strain_kernel(kind: StrainKind) -> Any:
    """Return the kernel that writes the strain of every quadrature point."""
    dim, nodes, _, dtype = kind.cell
    of, m = kernel_types(dim, dtype), kind.measure(dim, dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)
    frame, strain = m.frame, m.strain

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def shifted_strain(order: Ints, x: of.Vecs, cells: Cells, out: wp.array2d(dtype=of.mat)):
        c = order[wp.tid()]
        for q in range(out.shape[1]):
            F = deformation(x, cells, c, q)
            R, _L = frame(F)
            out[c, q] = strain(R, F)

    return shifted_strain


@cache
def shifted_constants(of: StrainKind) -> Any:
    """Return the Warp struct of moduli per cell, and of targets per quadrature point.

    The moduli count `scale` times, and `each` times: a number per cell, or one for all. own: what the
    functions of the solid's law take. seen: where a gradient leaves the strains, if it
    has room. load: strains whose stress is wanted by itself.
    """
    dtype, mat = of.dtype, kernel_types(of.dim, of.dtype).mat

    @wp.struct
    class Shifted:
        lam: wp.array(dtype=of.first)
        mu: wp.array(dtype=dtype)
        scale: dtype
        each: wp.array(dtype=dtype)
        own: law_constants(of.law, of.dim, dtype)
        target: wp.array2d(dtype=mat)
        seen: wp.array2d(dtype=mat)
        load: wp.array2d(dtype=mat)

    return Shifted


@cache
def _weight(of: StrainKind) -> Any:
    """Return the Warp function (c, k) -> how many times the moduli of a cell count."""
    Shifted = shifted_constants(of)

    @wp.func(module="unique")
    def weight(c: int, k: Shifted):
        return k.scale * k.each[wp.min(c, k.each.shape[0] - 1)]

    return weight


@cache
def value_kernel(of: StrainKind) -> Any:
    """Return the kernel   energies[c] = sum_q w_q (mu D:D + lam/2 tr(D)^2),  D = strain - target."""
    first, dim, dtype = of.first, of.dim, of.dtype
    mat, m, Shifted = kernel_types(dim, dtype).mat, of.measure(dim, dtype), shifted_constants(of)
    frame, strain = m.frame, m.strain
    law, weight = hooke(first, dim, dtype)[0], _weight(of)

    @wp.func(module="unique")
    def density(F: mat, c: int, q: int, k: Shifted):
        R, _L = frame(F)
        D = strain(R, F) - k.target[c, q]
        return dtype(0.5) * weight(c, k) * wp.ddot(law(D, k.lam[c], k.mu[c]), D)

    return cell_kernels.value_kernel(Shifted, density, *of.cell)


@cache
def gradient_kernel(of: StrainKind, joint: bool = False, given: bool = False) -> Any:
    """Return the kernel   g_a += sum_q w_q P grad N_a   with   P:dF = A:dstrain.

    joint: that of the solid's own energy as well, for which F is computed only once. given: A is not
    that of strain - target but of the load.
    """
    first, dim, dtype = of.first, of.dim, of.dtype
    mat, m, Shifted = kernel_types(dim, dtype).mat, of.measure(dim, dtype), shifted_constants(of)
    frame, strain, stress = m.frame, m.strain, m.stress
    law, weight = hooke(first, dim, dtype)[0], _weight(of)

    @wp.func(module="unique")
    def stress_at(F: mat, c: int, q: int, k: Shifted):
        R, L = frame(F)
        s = strain(R, F)
        if c < k.seen.shape[0]:
            k.seen[c, q] = s
        return stress(R, L, F, weight(c, k) * law(s - k.target[c, q], k.lam[c], k.mu[c]))

    @wp.func(module="unique")
    def stress_given(F: mat, c: int, q: int, k: Shifted):
        R, L = frame(F)
        return stress(R, L, F, weight(c, k) * law(k.load[c, q], k.lam[c], k.mu[c]))

    own = law_functions(of.law, dim, dtype).stress

    @wp.func(module="unique")
    def both(F: mat, c: int, q: int, k: Shifted):
        return stress_at(F, c, q, k) + own(F, c, q, k.own)

    chosen = both if joint else stress_given if given else stress_at
    return cell_kernels.gradient_kernel(Shifted, chosen, *of.cell)


@cache
def hessian_kernel(of: StrainKind, joint: bool = False) -> Any:
    """Return the kernel   H_ab += sum_q w_q grad N_a . dP/dF . grad N_b; projected, Gauss-Newton's.

    joint: that of the solid's own energy as well, which is not projected.
    """
    first, dim, dtype = of.first, of.dim, of.dtype
    mat, m, Shifted = kernel_types(dim, dtype).mat, of.measure(dim, dtype), shifted_constants(of)
    frame, strain, stress, tangent = m.frame, m.strain, m.stress, m.tangent
    law, stiffened, dyad = hooke(first, dim, dtype)
    weight, square = _weight(of), lever_type(dim, dtype)

    if first is dtype:

        @wp.func(module="unique")
        def whole(R: mat, L: square, F: mat, A: mat, w: dtype, lam: first, mu: dtype, bend: dtype):
            return tangent(R, L, F, A, w * lam, w * mu, bend)

    else:

        @wp.func(module="unique")
        def whole(R: mat, L: square, F: mat, A: mat, w: dtype, lam: first, mu: dtype, bend: dtype):
            T = tangent(R, L, F, A, w * lam[0], w * mu, bend)
            return stiffened(T, stress(R, L, F, dyad(lam)), w * lam[1])

    @wp.func(module="unique")
    def tangent_at(F: mat, c: int, q: int, k: Shifted, project: int):
        R, L = frame(F)
        D = strain(R, F) - k.target[c, q]
        w = weight(c, k)
        A = w * law(D, k.lam[c], k.mu[c])
        return whole(R, L, F, A, w, k.lam[c], k.mu[c], dtype(1 - project))

    own = law_tangent(of.law, dim, dtype, False)

    @wp.func(module="unique")
    def both(F: mat, c: int, q: int, k: Shifted, project: int):
        return tangent_at(F, c, q, k, project) + own(F, c, q, k.own)

    chosen = both if joint else tangent_at
    return cell_kernels.hessian_kernel(Shifted, chosen, *of.cell)


@cache
def weigh_kernel(dtype: Any) -> Any:
    """Return the kernel   out = s[parts]   for a number per cell."""
    Reals = wp.array(dtype=dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def weigh_cells(s: Doubles, parts: Ints, out: Reals):
        c = wp.tid()
        out[c] = dtype(s[parts[c]])

    return weigh_cells


@cache
def mix_kernel(mat: Any) -> Any:
    """Return the kernel   out = s a + t b   for matrices, vectors or numbers per quadrature point.

    s, t: of all cells; or `each` (s, t) of every part, if the cells have `parts`.
    """
    dtype = getattr(mat, "_wp_scalar_type_", mat)
    Mats2 = wp.array2d(dtype=mat)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def mix_strains(
        s: wp.float64,
        t: wp.float64,
        each: Doubles2,
        parts: Ints,
        a: Mats2,
        b: Mats2,
        out: Mats2,
    ):
        c, q = wp.tid()
        m, n = dtype(s), dtype(t)
        if parts.shape[0] > 0:
            m, n = dtype(each[0, parts[c]]), dtype(each[1, parts[c]])
        out[c, q] = m * a[c, q] + n * b[c, q]

    return mix_strains
