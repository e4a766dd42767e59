# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of k/2 (C - aim)^2. `order` is the share of the stencils that a launch visits."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.conditions import Condition
from pliant.conditions.base import edge_types
from pliant.energies.condition_projection import gauss_newton, semidefinite_part
from pliant.energies.solid_kernels import OPTIONS


@cache
def condition_kernels(condition: type[Condition], dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, and that of C itself, as attributes."""
    points, m = condition.points, (condition.points - 1) * dim
    edges, _, numbers = edge_types(points, dim, condition.parameters, dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    of = condition.functions(dim, dtype)
    C, dC, ddC = of.value, of.gradient, of.hessian  # Warp finds functions by plain names only
    long = wp.types.vector(length=m, dtype=dtype)
    square = wp.types.matrix(shape=(m, m), dtype=dtype)
    if of.definite is None:
        projected = (gauss_newton if condition.gauss_newton else semidefinite_part)(m, dtype)

        @wp.func(module="unique")
        def stand_in(c: dtype, g: long, E: edges, p: numbers):
            return projected(c, g, ddC(E, p))
    else:
        definite = of.definite

        @wp.func(module="unique")
        def stand_in(c: dtype, g: long, E: edges, p: numbers):
            return wp.outer(g, g) + definite(c, E, p)

    @wp.func(module="unique")
    def edges_of(x: wp.array(dtype=vec), stencil: wp.array(dtype=wp.int32)):
        E = edges()
        for a in range(1, points):
            E[a - 1] = x[stencil[a]] - x[stencil[0]]
        return E

    @wp.kernel(module="unique", module_options=OPTIONS)
    def condition_itself(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        parameters: wp.array(dtype=numbers),
        aims: wp.array(dtype=dtype),
        out: wp.array(dtype=wp.float64),
    ):
        s = order[wp.tid()]
        out[s] = wp.float64(C(edges_of(x, stencils[s]), parameters[s]))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def condition_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        parameters: wp.array(dtype=numbers),
        aims: wp.array(dtype=dtype),
        energies: wp.array(dtype=wp.float64),
    ):
        s = order[wp.tid()]
        c = C(edges_of(x, stencils[s]), parameters[s]) - aims[s]
        energies[s] = wp.float64(dtype(0.5) * k[s] * c * c)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def condition_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        parameters: wp.array(dtype=numbers),
        aims: wp.array(dtype=dtype),
        g: wp.array(dtype=vec),
    ):
        s = order[wp.tid()]
        E, p = edges_of(x, stencils[s]), parameters[s]
        G = k[s] * (C(E, p) - aims[s]) * dC(E, p)
        for a in range(1, points):
            wp.atomic_add(g, stencils[s, a], G[a - 1])
            wp.atomic_sub(g, stencils[s, 0], G[a - 1])

    @wp.func(module="unique")
    def add(B: mat, a: int, b: int, slots: wp.array2d(dtype=wp.int32), blocks: wp.array(dtype=mat)):
        slot = slots[a, b]
        if slot >= 0:
            wp.atomic_add(blocks, slot, B)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def condition_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        parameters: wp.array(dtype=numbers),
        aims: wp.array(dtype=dtype),
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        s = order[wp.tid()]
        E, p = edges_of(x, stencils[s]), parameters[s]
        G, c = dC(E, p), C(E, p) - aims[s]
        g = long()
        for i in range(m):
            g[i] = G[i // dim, i % dim]
        A = square()
        # In edges: they see all of a stencil but where it is, so both are definite or neither.
        if project == 1:  # noqa: SIM108  (Warp would compute both)
            A = stand_in(c, g, E, p)
        else:
            A = wp.outer(g, g) + c * ddC(E, p)
        corner = mat()
        for b in range(1, points):
            edge = mat()
            for a in range(1, points):
                B = mat()
                for i in range(dim):
                    for j in range(dim):
                        B[i, j] = k[s] * A[(a - 1) * dim + i, (b - 1) * dim + j]
                add(B, a, b, slots[s], blocks)
                edge += B
            add(-edge, 0, b, slots[s], blocks)
            add(-wp.transpose(edge), b, 0, slots[s], blocks)
            corner += edge
        add(corner, 0, 0, slots[s], blocks)

    return SimpleNamespace(
        itself=condition_itself,
        value=condition_value,
        gradient=condition_gradient,
        hessian=condition_hessian,
    )
