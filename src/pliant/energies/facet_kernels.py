# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of loads that follow a surface."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import OPTIONS, Ints


@cache
def facet_kernels(dim: int) -> Any:
    """Return the kernels and the struct `Facets` of facets of one kind, as attributes.

    `press` adds  -p integral N_a n dA  to f. `orient` writes, for each point a of each facet, the unit
    normal and rho C A/2 across and along it, with its share of the area A. `blow` adds the force of
    wind that is felt at velocity u to f.
    """
    vec = wp.types.vector(length=dim, dtype=wp.float64)
    pair = wp.types.vector(length=2, dtype=wp.float64)
    zero, tiny = (wp.constant(wp.float64(v)) for v in (0.0, 1e-300))

    @wp.struct
    class Facets:
        points: wp.array2d(dtype=wp.int32)  # (facets, k)
        slopes: wp.array2d(dtype=pair)  # dN_a/d(xi, eta) at quadrature points, (q, k)
        shape: wp.array2d(dtype=wp.float64)  # N_a there, (q, k)
        weights: wp.array(dtype=wp.float64)  # (q,)
        shares: wp.array(dtype=wp.float64)  # of the area, (k,)
        thickness: wp.float64

    Vecs, Pairs = wp.array(dtype=vec), wp.array(dtype=pair)

    @wp.func(module="unique")
    def normal(x: Vecs, c: Facets, f: int, q: int):
        """n dA at a quadrature point, outward."""
        s, t = vec(), vec()
        for a in range(c.points.shape[1]):
            p, slope = x[c.points[f, a]], c.slopes[q, a]
            s += slope[0] * p
            t += slope[1] * p
        if wp.static(dim == 2):  # noqa: SIM108
            n = vec(c.thickness * s[1], -c.thickness * s[0])
        else:
            n = wp.cross(s, t)
        return c.weights[q] * n

    @wp.kernel(module="unique", module_options=OPTIONS)
    def press(x: Vecs, c: Facets, pressure: wp.float64, f: Vecs):
        i = wp.tid()
        for q in range(c.weights.shape[0]):
            n = normal(x, c, i, q)
            for a in range(c.points.shape[1]):
                wp.atomic_sub(f, c.points[i, a], pressure * c.shape[q, a] * n)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def orient(x: Vecs, c: Facets, half: pair, first: int, normals: Vecs, law: Pairs):
        i = wp.tid()
        n = vec()
        for q in range(c.weights.shape[0]):
            n += normal(x, c, i, q)
        area = wp.length(n)
        n /= wp.max(area, tiny)
        count = c.points.shape[1]
        for a in range(count):
            t = first + i * count + a
            normals[t] = n
            law[t] = area * c.shares[a] * half

    @wp.kernel(module="unique", module_options=OPTIONS)
    def blow(points: Ints, normals: Vecs, law: Pairs, u: Vecs, one_sided: int, f: Vecs):
        t = wp.tid()
        p, n = points[t], normals[t]
        across = wp.dot(n, u[p])
        felt = across
        if one_sided == 1:
            felt = wp.min(across, zero)
        push = law[t][0] * wp.abs(felt) * felt * n
        if law[t][1] > zero:
            along = u[p] - across * n
            push += law[t][1] * wp.length(along) * along
        wp.atomic_add(f, p, push)

    return SimpleNamespace(Facets=Facets, press=press, orient=orient, blow=blow)
