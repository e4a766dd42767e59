# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of k/2 (C - aim)^2."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types
from pliant.conditions import Condition, edge_types

from .condition_projection import gauss_newton, semidefinite_part
from .flowing_kernels import scalar_flow_kernel, yielding
from .term_kernels import each_kernel, term_kernels


@cache
def condition_kernels(condition: type[Condition], dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, and that of C itself, as attributes."""
    points, m = condition.points, (condition.points - 1) * dim
    edges, _, numbers = edge_types(points, dim, condition.parameters, dtype)
    of = kernel_types(dim, dtype)
    mat, law = of.mat, condition.functions(dim, dtype)
    C, dC, ddC = law.value, law.gradient, law.hessian  # Warp finds functions by plain names only
    held, work, slope = yielding(dtype)
    long = wp.types.vector(length=m, dtype=dtype)
    square = wp.types.matrix(shape=(m, m), dtype=dtype)
    if law.definite is None:
        projected = (gauss_newton if condition.gauss_newton else semidefinite_part)(m, dtype)

        @wp.func(module="unique")
        def stand_in(c: dtype, g: long, E: edges, p: numbers):
            return projected(c, g, ddC(E, p))
    else:
        definite = law.definite

        @wp.func(module="unique")
        def stand_in(c: dtype, g: long, E: edges, p: numbers):
            return wp.outer(g, g) + definite(c, E, p)

    @wp.struct
    class Conditions:
        scale: dtype  # of all k
        k: wp.array(dtype=dtype)
        parameters: wp.array(dtype=numbers)
        aims: wp.array(dtype=dtype)
        offset: wp.array(dtype=dtype)
        limit: wp.array(dtype=dtype)

    @wp.func(module="unique")
    def edges_of(x: of.Vecs, s: Ints):
        E = edges()
        for a in range(1, points):
            E[a - 1] = x[s[a]] - x[s[0]]
        return E

    @wp.func(module="unique")
    def itself(x: of.Vecs, s: Ints, t: int, c: Conditions):
        return C(edges_of(x, s), c.parameters[t])

    @wp.func(module="unique")
    def departure(x: of.Vecs, s: Ints, t: int, c: Conditions):
        return C(edges_of(x, s), c.parameters[t]) - c.aims[t] - c.offset[t]

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Conditions):
        return c.scale * c.k[t] * work(wp.abs(departure(x, s, t, c)), c.limit[t])

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Conditions, g: of.Vecs):
        E, p = edges_of(x, s), c.parameters[t]
        off = C(E, p) - c.aims[t] - c.offset[t]
        G = (c.scale * c.k[t]) * wp.sign(off) * held(wp.abs(off), c.limit[t]) * dC(E, p)
        for a in range(1, points):
            wp.atomic_add(g, s[a], G[a - 1])
            wp.atomic_sub(g, s[0], G[a - 1])

    @wp.func(module="unique")
    def add(B: mat, a: int, b: int, slots: Ints2, blocks: of.Mats):
        slot = slots[a, b]
        if slot >= 0:
            wp.atomic_add(blocks, slot, B)

    @wp.func(module="unique")
    def hessian(
        x: of.Vecs, s: Ints, t: int, c: Conditions, project: int, slots: Ints2, blocks: of.Mats
    ):
        E, p = edges_of(x, s), c.parameters[t]
        G, off = dC(E, p), C(E, p) - c.aims[t] - c.offset[t]
        softened = wp.sqrt(slope(wp.abs(off), c.limit[t]))
        off = wp.sign(off) * held(wp.abs(off), c.limit[t])
        g = long()
        for i in range(m):
            g[i] = softened * G[i // dim, i % dim]
        A = square()
        # In edges: they see all of a stencil but where it is, so both are definite or neither.
        if project == 1:  # noqa: SIM108  (Warp would compute both)
            A = stand_in(off, g, E, p)
        else:
            A = wp.outer(g, g) + off * ddC(E, p)
        corner = mat()
        for b in range(1, points):
            edge = mat()
            for a in range(1, points):
                B = mat()
                for i in range(dim):
                    for j in range(dim):
                        B[i, j] = c.scale * c.k[t] * A[(a - 1) * dim + i, (b - 1) * dim + j]
                add(B, a, b, slots, blocks)
                edge += B
            add(-edge, 0, b, slots, blocks)
            add(-wp.transpose(edge), b, 0, slots, blocks)
            corner += edge
        add(corner, 0, 0, slots, blocks)

    run = term_kernels(Conditions, dim, dtype, value=value, gradient=gradient, hessian=hessian)
    run.itself = each_kernel(Conditions, dim, dtype, itself, wp.float64)
    run.flow = scalar_flow_kernel(Conditions, departure, dim, dtype)
    run.departure = each_kernel(Conditions, dim, dtype, itself, dtype)
    return run
