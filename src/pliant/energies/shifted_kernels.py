# mypy: ignore-errors
"""Kernels of a Hookean energy of strain around a target that is not the rest shape."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS, deformation_gradient, tangent_scatter


def _types(dim: int, dtype: Any) -> tuple[Any, Any]:
    return wp.types.vector(length=dim, dtype=dtype), wp.types.matrix((dim, dim), dtype)


@cache
def strain_kernel(measure: Callable, dim: int, nodes: int, dtype: Any) -> Any:
    """Return the kernel that writes the strain of every quadrature point."""
    vec, mat = _types(dim, dtype)
    deformation, m = deformation_gradient(dim, nodes, dtype), measure(dim, dtype)
    frame, strain = m.frame, m.strain

    @wp.kernel(module="unique", module_options=OPTIONS)
    def shifted_strain(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        cells: wp.array2d(dtype=wp.int32),
        grads: wp.array3d(dtype=vec),
        out: wp.array2d(dtype=mat),
    ):
        c = order[wp.tid()]
        for q in range(out.shape[1]):
            F = deformation(x, cells, grads, c, q)
            out[c, q] = strain(frame(F), F)

    return shifted_strain


@cache
def value_kernel(measure: Callable, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel   energies[c] = sum_q w_q (mu D:D + lam/2 tr(D)^2),  D = strain - target."""
    vec, mat = _types(dim, dtype)
    deformation, m = deformation_gradient(dim, nodes, dtype), measure(dim, dtype)
    frame, strain = m.frame, m.strain

    @wp.kernel(module="unique", module_options=OPTIONS)
    def shifted_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        cells: wp.array2d(dtype=wp.int32),
        grads: wp.array3d(dtype=vec),
        weights: wp.array2d(dtype=dtype),
        lam: wp.array(dtype=dtype),
        mu: wp.array(dtype=dtype),
        target: wp.array2d(dtype=mat),
        energies: wp.array(dtype=wp.float64),
    ):
        c = order[wp.tid()]
        total = wp.float64(0.0)
        for q in range(quads):
            F = deformation(x, cells, grads, c, q)
            D = strain(frame(F), F) - target[c, q]
            t = wp.trace(D)
            psi = mu[c] * wp.ddot(D, D) + dtype(0.5) * lam[c] * t * t
            total += wp.float64(weights[c, q] * psi)
        energies[c] = total

    return shifted_value


@cache
def gradient_kernel(measure: Callable, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel   g_a += sum_q w_q P grad N_a   with   P:dF = A:dstrain."""
    vec, mat = _types(dim, dtype)
    deformation, m = deformation_gradient(dim, nodes, dtype), measure(dim, dtype)
    frame, strain, stress = m.frame, m.strain, m.stress

    @wp.kernel(module="unique", module_options=OPTIONS)
    def shifted_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        cells: wp.array2d(dtype=wp.int32),
        grads: wp.array3d(dtype=vec),
        weights: wp.array2d(dtype=dtype),
        lam: wp.array(dtype=dtype),
        mu: wp.array(dtype=dtype),
        target: wp.array2d(dtype=mat),
        g: wp.array(dtype=vec),
    ):
        c = order[wp.tid()]
        for q in range(quads):
            F = deformation(x, cells, grads, c, q)
            R = frame(F)
            D = strain(R, F) - target[c, q]
            A = dtype(2.0) * mu[c] * D + lam[c] * wp.trace(D) * wp.identity(n=dim, dtype=dtype)
            P = weights[c, q] * stress(R, F, A)
            for a in range(nodes):
                wp.atomic_add(g, cells[c, a], P @ grads[c, q, a])

    return shifted_gradient


@cache
def hessian_kernel(measure: Callable, dim: int, nodes: int, quads: int, dtype: Any) -> Any:
    """Return the kernel   H_ab += sum_q w_q grad N_a . dP/dF . grad N_b."""
    vec, mat = _types(dim, dtype)
    deformation, m = deformation_gradient(dim, nodes, dtype), measure(dim, dtype)
    frame, strain, tangent = m.frame, m.strain, m.tangent
    scatter = tangent_scatter(dim, nodes, dtype)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def shifted_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        cells: wp.array2d(dtype=wp.int32),
        grads: wp.array3d(dtype=vec),
        weights: wp.array2d(dtype=dtype),
        lam: wp.array(dtype=dtype),
        mu: wp.array(dtype=dtype),
        target: wp.array2d(dtype=mat),
        bend: dtype,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        c = order[wp.tid()]
        for q in range(quads):
            F = deformation(x, cells, grads, c, q)
            R = frame(F)
            D = strain(R, F) - target[c, q]
            A = dtype(2.0) * mu[c] * D + lam[c] * wp.trace(D) * wp.identity(n=dim, dtype=dtype)
            T = tangent(R, F, A, lam[c], mu[c], bend)
            scatter(T, weights[c, q], grads, slots, blocks, c, q)

    return shifted_hessian


@cache
def mix_kernel(mat: Any) -> Any:
    """Return the kernel   out = s a + t b   for matrices per quadrature point."""
    dtype = mat._wp_scalar_type_

    @wp.kernel(module="unique", module_options=OPTIONS)
    def mix_strains(
        s: wp.float64,
        a: wp.array2d(dtype=mat),
        t: wp.float64,
        b: wp.array2d(dtype=mat),
        out: wp.array2d(dtype=mat),
    ):
        c, q = wp.tid()
        out[c, q] = dtype(s) * a[c, q] + dtype(t) * b[c, q]

    return mix_strains


@cache
def scale_kernel(dtype: Any) -> Any:
    """Return the kernel   out = factor a   for a number per cell."""

    @wp.kernel(module="unique", module_options=OPTIONS)
    def scale_moduli(factor: wp.float64, a: wp.array(dtype=dtype), out: wp.array(dtype=dtype)):
        c = wp.tid()
        out[c] = dtype(factor) * a[c]

    return scale_moduli
