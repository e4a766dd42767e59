# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernel of position-based dynamics."""

from functools import cache
from typing import Any

import warp as wp

from pliant.conditions import Condition
from pliant.conditions.base import edge_types
from pliant.energies.solid_kernels import OPTIONS


@cache
def visit_kernel(condition: type[Condition], dim: int, dtype: Any) -> Any:
    """Return the kernel that puts the conditions order[begin:], which share no point, right.

    multipliers, ways: lambda and D of each condition, whose impulse on its points is lambda D; D is
    given at the points but the first. w: the inverse of mass times weight, 0 at pins. knobs: how much
    of the way from D to the gradient a visit goes, and the relaxation of conditions that pull.
    """
    points = condition.points
    edges, _, numbers = edge_types(points, dim, condition.parameters, dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    of = condition.functions(dim, dtype)
    C, dC = of.value, of.gradient  # Warp finds functions by plain names only
    straight = condition.straight
    zero, half, one = (wp.constant(dtype(v)) for v in (0.0, 0.5, 1.0))

    @wp.func(module="unique")
    def inner(A: edges, B: edges):
        total = dtype(0.0)
        for a in range(points - 1):
            total += wp.dot(A[a], B[a])
        return total

    @wp.func(module="unique")
    def moved(P: edges, stencil: wp.array(dtype=wp.int32), w: wp.array(dtype=dtype)):
        # How an impulse changes the edges: the first point gets minus the sum.
        M, first = edges(), vec()
        for a in range(points - 1):
            first += P[a]
        first = w[stencil[0]] * first
        for a in range(points - 1):
            M[a] = w[stencil[a + 1]] * P[a] + first
        return M

    @wp.kernel(module="unique", module_options=OPTIONS)
    def visit(
        order: wp.array(dtype=wp.int32),
        begin: int,
        x: wp.array(dtype=vec),
        w: wp.array(dtype=dtype),
        stencils: wp.array2d(dtype=wp.int32),
        k: wp.array(dtype=dtype),
        aims: wp.array(dtype=dtype),
        parameters: wp.array(dtype=numbers),
        knobs: wp.array(dtype=dtype),
        multipliers: wp.array(dtype=dtype),
        ways: wp.array(dtype=edges),
    ):
        s = order[begin + wp.tid()]
        stencil, p, last = stencils[s], parameters[s], multipliers[s]
        E = edges()
        for a in range(1, points):
            E[a - 1] = x[stencil[a]] - x[stencil[0]]
        P = last * ways[s]
        own = moved(P, stencil, w)
        G = dC(E, p)
        miss = C(E, p) - aims[s] - inner(G, own)  # without its own impulse, to first order
        D = ways[s] + knobs[0] * (G - ways[s])
        if last == zero or inner(D, G) < half * inner(G, G):
            D = G
        relaxation = one
        if wp.static(straight):
            # Where the others alone would have it the gradient is the same: this is exact.
            E = E - own
            pull = C(E, p) - aims[s]
            if pull > zero:
                miss = pull
                G = dC(E, p)
                D = G
                relaxation = knobs[1]
        found = -k[s] * miss / (one + k[s] * inner(G, moved(D, stencil, w)))
        found = last + relaxation * (found - last)
        change = found * D - P
        first = vec()
        for a in range(1, points):
            first += change[a - 1]
            i = stencil[a]
            x[i] = x[i] + w[i] * change[a - 1]
        x[stencil[0]] = x[stencil[0]] - w[stencil[0]] * first
        multipliers[s] = found
        ways[s] = D

    return visit
