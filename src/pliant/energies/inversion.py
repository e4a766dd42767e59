# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""How far points may move before a simplex is crushed flat."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, kernel_types
from pliant.materials import invariants

from .cell_kernels import cell_arrays, deformation_gradient
from .term_kernels import TERM_OPTIONS

LONGEST_STEP = 1e6
"""Steps longer than this many dx are not looked at: no line search takes them."""


@cache
def inversion_kernel(dim: int, nodes: int, dtype: Any) -> Any:
    """Return the kernel   limit[0] = min over cells of the first t > 0 with det(F + t dF) = 0.

        3D:  det F + t cof F : dF + t^2 F : cof dF + t^3 det dF        (2D: without the third term)

    Source: [smith2015], except for the root: between neighbouring extrema the cubic is monotone, so
    the first sign change brackets the first root and bisection cannot miss it; the closed form
    of the cubic can, near double roots. Dimensionless.
    """
    of = kernel_types(dim, dtype)
    double = wp.types.matrix(shape=(dim, dim), dtype=wp.float64)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)
    cofactor = invariants(dim, wp.float64).cofactor

    rounding = wp.constant(wp.float64(1e-14))

    @wp.func(module="unique")
    def at(p: wp.vec4d, t: wp.float64):
        return p[0] + t * (p[1] + t * (p[2] + t * p[3]))

    @wp.func(module="unique")
    def bisect(p: wp.vec4d, low: wp.float64, high: wp.float64):
        # Returns the lower end: never past the root.
        lo, hi = low, high
        for _i in range(80):
            mid = wp.float64(0.5) * (lo + hi)
            if at(p, mid) > wp.float64(0.0):
                lo = mid
            else:
                hi = mid
        return lo

    @wp.func(module="unique")
    def flat(p: wp.vec4d, t: wp.float64):
        # A double root touches zero without crossing it, so rounding counts as zero.
        size = p[0] + t * (wp.abs(p[1]) + t * (wp.abs(p[2]) + t * wp.abs(p[3])))
        return at(p, t) <= rounding * size

    @wp.func(module="unique")
    def first_root(p: wp.vec4d, far: wp.float64):
        # The extrema solve 3 p3 t^2 + 2 p2 t + p1 = 0, here in the form without cancellation.
        # Extrema that do not exist are NaN or infinite, fail the comparisons and are passed over.
        root = wp.sqrt(p[2] * p[2] - wp.float64(3.0) * p[3] * p[1])
        if p[2] < wp.float64(0.0):
            root = -root
        s = -(p[2] + root)
        e1 = s / (wp.float64(3.0) * p[3])
        e2 = p[1] / s
        low = wp.float64(0.0)
        for i in range(3):
            high = wp.min(e1, e2)
            if i == 1:
                high = wp.max(e1, e2)
            if i == 2:
                high = far
            if high > low and high <= far:
                if flat(p, high):
                    return bisect(p, low, high)
                low = high
        return far

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def solid_inversion(x: of.Vecs, dx: of.Vecs, cells: Cells, limit: Doubles):
        c = wp.tid()
        F = double(deformation(x, cells, c, 0))
        dF = double(deformation(dx, cells, c, 0))
        p = wp.vec4d()
        p[0] = wp.determinant(F)
        p[1] = wp.ddot(cofactor(F), dF)
        if wp.static(dim == 2):
            p[2] = wp.determinant(dF)
        else:
            p[2] = wp.ddot(F, cofactor(dF))
            p[3] = wp.determinant(dF)
        if p[0] <= wp.float64(0.0):
            wp.atomic_min(limit, 0, wp.float64(0.0))
        else:
            # Only a root before the smallest so far matters.
            wp.atomic_min(limit, 0, first_root(p, limit[0]))

    return solid_inversion
