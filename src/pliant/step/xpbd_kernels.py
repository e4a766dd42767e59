# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernel of position-based dynamics."""

from functools import cache
from typing import Any

import warp as wp

from pliant.conditions import Condition, edge_types
from pliant.energies import TERM_OPTIONS


@cache
def visit_kernel(condition: type[Condition], dim: int, dtype: Any) -> Any:
    """Return the kernel that satisfies the conditions order[begin:], which share no point.

    multipliers, impulses: lambda of each condition, and what it has given its points but the first,
    which ends at lambda dC. w: the inverse of mass times weight, 0 at pins. knobs: how much of the turn
    of its gradient an impulse follows in a visit, and the relaxation of conditions that pull.
    """
    points = condition.points
    edges, _, numbers = edge_types(points, dim, condition.parameters, dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    of = condition.functions(dim, dtype)
    C, dC = of.value, of.gradient  # Warp finds functions by plain names only
    straight = condition.straight
    zero, one = wp.constant(dtype(0.0)), wp.constant(dtype(1.0))

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

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
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
        impulses: wp.array(dtype=edges),
    ):
        s = order[begin + wp.tid()]
        stencil, p, last, P = stencils[s], parameters[s], multipliers[s], impulses[s]
        E = edges()
        for a in range(1, points):
            E[a - 1] = x[stencil[a]] - x[stencil[0]]
        G = dC(E, p)
        turned = knobs[0] * (last * G - P)
        miss = C(E, p) - aims[s] + inner(G, moved(turned, stencil, w))
        found = last - (k[s] * miss + last) / (one + k[s] * inner(G, moved(G, stencil, w)))
        change = turned + (found - last) * G
        if wp.static(straight):
            # The gradient is the same where the other impulses alone would put it: this is exact.
            E = E - moved(P, stencil, w)
            pull = C(E, p) - aims[s]
            if pull > zero:
                G = dC(E, p)
                found = -k[s] * pull / (one + k[s] * inner(G, moved(G, stencil, w)))
                found = last + knobs[1] * (found - last)
                change = found * G - P
        first = vec()
        for a in range(1, points):
            first += change[a - 1]
            i = stencil[a]
            x[i] = x[i] + w[i] * change[a - 1]
        x[stencil[0]] = x[stencil[0]] - w[stencil[0]] * first
        multipliers[s] = found
        impulses[s] = P + change

    return visit
