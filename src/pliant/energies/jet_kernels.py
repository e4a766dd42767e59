# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of 1/2 (s - s0)^T C (s - s0). `order` is the share of the terms that a launch visits."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.condition_projection import definite_test
from pliant.energies.solid_kernels import OPTIONS
from pliant.forms import Form
from pliant.forms.base import jet_types


def part_types(vectors: int, dim: int, dtype: Any) -> tuple[Any, Any]:
    """The Warp types of what one vector of a jet has to do with all, and of an operator's column.

    Entry (b, i * dim + j) of the first of vector a is d2W / (d_ai d_bj): so blocks of a Hessian are
    products of columns with this matrix, which the compiler makes fast.
    """
    return (
        wp.types.matrix(shape=(vectors, dim * dim), dtype=dtype),
        wp.types.vector(length=vectors, dtype=dtype),
    )


@cache
def jet_kernels(form: type[Form], dim: int, dtype: Any) -> Any:
    """Return the kernels of s itself, value, gradient, and of the Hessian in two stages."""
    p, m, n = form.vectors, form.measures, form.vectors * dim
    jet, numbers, slopes, square = jet_types(p, m, dim, dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    part, weights = part_types(p, dim, dtype)
    of = form.functions(dim, dtype)
    measure, jacobian, curvature = of.measure, of.jacobian, of.curvature  # Warp needs plain names
    definite = definite_test(n, dtype)
    zero = wp.constant(dtype(0.0))

    @wp.func(module="unique")
    def jet_of(
        x: wp.array(dtype=vec), stencil: wp.array(dtype=wp.int32), L: wp.array2d(dtype=dtype)
    ):
        D = jet()
        for i in range(stencil.shape[0]):
            y = x[stencil[i]]
            for a in range(p):
                D[a] += L[a, i] * y
        return D

    @wp.func(module="unique")
    def times(C: wp.array2d(dtype=dtype), e: numbers):
        w = numbers()
        for i in range(m):
            for j in range(m):
                w[i] += C[i, j] * e[j]
        return w

    @wp.kernel(module="unique", module_options=OPTIONS)
    def jet_measures(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        L: wp.array3d(dtype=dtype),
        C: wp.array3d(dtype=dtype),
        rest: wp.array(dtype=numbers),
        out: wp.array(dtype=numbers),
    ):
        t = order[wp.tid()]
        out[t] = measure(jet_of(x, stencils[t], L[t]))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def jet_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        L: wp.array3d(dtype=dtype),
        C: wp.array3d(dtype=dtype),
        rest: wp.array(dtype=numbers),
        energies: wp.array(dtype=wp.float64),
    ):
        t = order[wp.tid()]
        e = measure(jet_of(x, stencils[t], L[t])) - rest[t]
        energies[t] = wp.float64(dtype(0.5) * wp.dot(e, times(C[t], e)))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def jet_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        L: wp.array3d(dtype=dtype),
        C: wp.array3d(dtype=dtype),
        rest: wp.array(dtype=numbers),
        g: wp.array(dtype=vec),
    ):
        t = order[wp.tid()]
        D = jet_of(x, stencils[t], L[t])
        w, J = times(C[t], measure(D) - rest[t]), jacobian(D)
        G = jet()
        for s in range(m):
            for a in range(p):
                for i in range(dim):
                    G[a, i] += w[s] * J[s, a * dim + i]
        for i in range(stencils.shape[1]):
            force = vec()
            for a in range(p):
                force += L[t, a, i] * G[a]
            wp.atomic_add(g, stencils[t, i], force)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def jet_curvature(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        L: wp.array3d(dtype=dtype),
        C: wp.array3d(dtype=dtype),
        rest: wp.array(dtype=numbers),
        project: int,
        second: wp.array2d(dtype=part),
    ):
        t = order[wp.tid()]
        D = jet_of(x, stencils[t], L[t])
        J = jacobian(D)
        K = curvature(D, times(C[t], measure(D) - rest[t]))
        pushed = slopes()  # C J
        for i in range(m):
            for j in range(m):
                c = C[t, i, j]
                if c != zero:
                    for k in range(n):
                        pushed[i, k] += c * J[j, k]
        A = square()
        for s in range(m):
            for i in range(n):
                slope = J[s, i]
                if slope != zero:  # measures are of few of the vectors
                    for j in range(n):
                        A[i, j] += slope * pushed[s, j]
        if project == 0 or definite(A + K):
            A += K
        for a in range(p):
            S = part()
            for i in range(dim):
                for b in range(p):
                    for j in range(dim):
                        S[b, i * dim + j] = A[a * dim + i, b * dim + j]
            second[t, a] = S

    @wp.kernel(module="unique", module_options=OPTIONS)
    def jet_scatter(
        order: wp.array(dtype=wp.int32),
        second: wp.array2d(dtype=part),
        columns: wp.array2d(dtype=weights),
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        # One point of one stencil: stencils are long, and a device has threads for all of them.
        points = columns.shape[1]
        at = order[wp.tid()]
        t = at // points
        i = at - t * points
        own = columns[t, i]
        T = part()
        for a in range(p):
            T += own[a] * second[t, a]
        for j in range(i, points):
            entries = columns[t, j] @ T
            B = mat()
            for k in range(dim):
                for l in range(dim):
                    B[k, l] = entries[k * dim + l]
            here, there = slots[t, i, j], slots[t, j, i]
            if here >= 0:
                wp.atomic_add(blocks, here, B)
            if j > i and there >= 0:
                wp.atomic_add(blocks, there, wp.transpose(B))

    return SimpleNamespace(
        measures=jet_measures,
        value=jet_value,
        gradient=jet_gradient,
        curvature=jet_curvature,
        scatter=jet_scatter,
    )
