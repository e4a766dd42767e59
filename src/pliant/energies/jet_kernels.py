# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of 1/2 (s - s0)^T C (s - s0)."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, Ints3, kernel_types
from pliant.forms import Form, jet_types

from .condition_projection import definite_test
from .flowing_kernels import BARELY, yielding
from .term_kernels import TERM_OPTIONS, each_kernel, gradient_kernel


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
    of = kernel_types(dim, dtype)
    vec, mat = of.vec, of.mat
    part, weights = part_types(p, dim, dtype)
    law = form.functions(dim, dtype)
    measure, jacobian, curvature = (
        law.measure,
        law.jacobian,
        law.curvature,
    )  # Warp needs plain names
    definite = definite_test(n, dtype)
    zero, barely = wp.constant(dtype(0.0)), wp.constant(dtype(BARELY))
    held, work, softened = yielding(dtype)

    @wp.struct
    class Jets:
        L: wp.array3d(dtype=dtype)
        C: wp.array3d(dtype=dtype)
        rest: wp.array(dtype=numbers)
        offset: wp.array(dtype=numbers)
        limit: wp.array(dtype=dtype)
        first: int

    Reals2, Parts2 = wp.array2d(dtype=dtype), wp.array2d(dtype=part)

    @wp.func(module="unique")
    def jet_of(x: of.Vecs, s: Ints, L: Reals2):
        D = jet()
        for i in range(s.shape[0]):
            y = x[s[i]]
            for a in range(p):
                D[a] += L[a, i] * y
        return D

    @wp.func(module="unique")
    def times(C: Reals2, e: numbers):
        w = numbers()
        for i in range(m):
            for j in range(m):
                w[i] += C[i, j] * e[j]
        return w

    @wp.func(module="unique")
    def measures(x: of.Vecs, s: Ints, t: int, c: Jets):
        return measure(jet_of(x, s, c.L[t]))

    @wp.func(module="unique")
    def flowing_part(e: numbers, w: numbers, first: int):
        # How far the measures that flow are from rest, in the norm of the energy [sqrt(J)].
        n = zero
        for i in range(m):
            if i >= first:
                n += e[i] * w[i]
        return wp.sqrt(wp.max(n, zero))

    @wp.func(module="unique")
    def yielded(w: numbers, n: dtype, limit: dtype, first: int):
        # The stress of e, of which the part that flows is held back.
        if n > limit:
            share = held(n, limit) / n
            for i in range(m):
                if i >= first:
                    w[i] = share * w[i]
        return w

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Jets):
        e = measure(jet_of(x, s, c.L[t])) - c.rest[t] - c.offset[t]
        w = times(c.C[t], e)
        n = flowing_part(e, w, c.first)
        return dtype(0.5) * (wp.dot(e, w) - n * n) + work(n, c.limit[t])

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Jets, g: of.Vecs):
        D = jet_of(x, s, c.L[t])
        e = measure(D) - c.rest[t] - c.offset[t]
        w, J = times(c.C[t], e), jacobian(D)
        w = yielded(w, flowing_part(e, w, c.first), c.limit[t], c.first)
        G = jet()
        for r in range(m):
            for a in range(p):
                for i in range(dim):
                    G[a, i] += w[r] * J[r, a * dim + i]
        for i in range(s.shape[0]):
            force = vec()
            for a in range(p):
                force += c.L[t, a, i] * G[a]
            wp.atomic_add(g, s[i], force)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def jet_curvature(
        order: Ints, x: of.Vecs, stencils: Ints2, c: Jets, project: int, second: Parts2
    ):
        t = order[wp.tid()]
        D = jet_of(x, stencils[t], c.L[t])
        J = jacobian(D)
        e = measure(D) - c.rest[t] - c.offset[t]
        w = times(c.C[t], e)
        norm, limit = flowing_part(e, w, c.first), c.limit[t]
        share = dtype(1.0)
        rate = zero
        if norm > limit:
            share = held(norm, limit) / norm
            rate = (softened(norm, limit) - share) / (norm * norm)
        K = curvature(D, yielded(w, norm, limit, c.first))
        pushed = slopes()  # C J
        for i in range(m):
            for j in range(m):
                entry = c.C[t, i, j]
                if i >= c.first and j >= c.first:
                    entry = share * entry + rate * w[i] * w[j]
                if entry != zero:
                    for k in range(n):
                        pushed[i, k] += entry * J[j, k]
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

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def jet_scatter(
        order: Ints,
        second: Parts2,
        columns: wp.array2d(dtype=weights),
        slots: Ints3,
        blocks: of.Mats,
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

    Reals, Numbers = wp.array(dtype=dtype), wp.array(dtype=numbers)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def jet_flow(
        order: Ints,
        x: of.Vecs,
        stencils: Ints2,
        c: Jets,
        before: Reals,
        offset: Numbers,
        limit: Reals,
        gone: Reals,
    ):
        t = order[wp.tid()]
        e = measure(jet_of(x, stencils[t], c.L[t])) - c.rest[t] - c.offset[t]
        n = flowing_part(e, times(c.C[t], e), c.first)
        elastic = held(n, c.limit[t])
        p = c.offset[t]
        if n - elastic <= barely * n:
            elastic = n
        else:
            for i in range(m):
                if i >= c.first:
                    p[i] += (dtype(1.0) - elastic / n) * e[i]
        offset[t] = p
        limit[t] = wp.max(c.limit[t], elastic)
        gone[t] = before[t] + (n - elastic)

    @wp.func(module="unique")
    def departure(x: of.Vecs, s: Ints, t: int, c: Jets):
        return measure(jet_of(x, s, c.L[t])) - c.rest[t]

    return SimpleNamespace(
        flow=jet_flow,
        departure=each_kernel(Jets, dim, dtype, departure, numbers),
        constants=Jets,
        measures=each_kernel(Jets, dim, dtype, measures, numbers),
        value=each_kernel(Jets, dim, dtype, value, wp.float64),
        gradient=gradient_kernel(Jets, dim, dtype, gradient),
        curvature=jet_curvature,
        scatter=jet_scatter,
    )
