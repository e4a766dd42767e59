# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Curvature and torsion, which with its length say all about the shape of a curve in space."""

from functools import cache
from typing import Any

import warp as wp

from pliant.conditions import cross_matrix

from .base import Form, FormFunctions, jet_types


class Curvature(Form):
    """Curvature of a curve in space:  k = |x' x x''| / |x'|^3  [1/m], never negative.

    Vectors: x', x''. A straight curve has no direction to bend to: it and its derivatives are zero
    there. For curves that are bent at rest; `Binormal` is for straight ones.
    Source: [terzopoulos1987].
    """

    vectors, measures, dims = 2, 1, (3,)

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        jet, numbers, slopes, square = jet_types(2, 1, 3, dtype)
        long = wp.types.vector(length=6, dtype=dtype)
        area, area_slope, area_bend = _area(dtype)
        zero = wp.constant(dtype(0.0))

        @wp.func(module="unique")
        def measure(D: jet):
            s = numbers()
            a, m = wp.dot(D[0], D[0]), area(D[0], D[1])
            if a > zero:
                s[0] = wp.sqrt(m) / (a * wp.sqrt(a))
            return s

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            a, m = wp.dot(D[0], D[0]), area(D[0], D[1])
            if a > zero and m > zero:
                k = wp.sqrt(m) / (a * wp.sqrt(a))
                dm = area_slope(D[0], D[1])
                for i in range(6):
                    J[0, i] = dtype(0.5) * k / m * dm[i]
                for i in range(3):
                    J[0, i] -= dtype(3.0) * k / a * D[0, i]
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            K = square()
            a, m = wp.dot(D[0], D[0]), area(D[0], D[1])
            if a > zero and m > zero:
                k = w[0] * wp.sqrt(m) / (a * wp.sqrt(a))
                dm, da = area_slope(D[0], D[1]), long()
                for i in range(3):
                    da[i] = dtype(2.0) * D[0, i]
                # k = m^1/2 a^-3/2: its second derivatives in m and a, by the chain rule
                K = dtype(0.5) * k / m * area_bend(D[0], D[1])
                K -= dtype(0.25) * k / (m * m) * wp.outer(dm, dm)
                K += dtype(3.75) * k / (a * a) * wp.outer(da, da)
                both = wp.outer(dm, da)
                K -= dtype(0.75) * k / (m * a) * (both + wp.transpose(both))
                for i in range(3):
                    K[i, i] -= dtype(3.0) * k / a
            return K

        return FormFunctions(measure, jacobian, curvature)


class Torsion(Form):
    """Torsion of a curve in space:  t = x' . (x'' x x''') / |x' x x''|^2  [1/m].

    Vectors: x', x'', x'''. How fast the plane of the bend turns; a straight curve has none, and zero
    is returned. Source: [terzopoulos1987].
    """

    vectors, measures, dims = 3, 1, (3,)

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        jet, numbers, slopes, square = jet_types(3, 1, 3, dtype)
        long = wp.types.vector(length=9, dtype=dtype)
        area, area_slope, area_bend = _area(dtype)
        cross = cross_matrix(dtype)
        zero = wp.constant(dtype(0.0))

        @wp.func(module="unique")
        def measure(D: jet):
            s = numbers()
            m = area(D[0], D[1])
            if m > zero:
                s[0] = wp.dot(D[0], wp.cross(D[1], D[2])) / m
            return s

        @wp.func(module="unique")
        def volume_slope(D: jet):
            a, b, c = wp.cross(D[1], D[2]), wp.cross(D[2], D[0]), wp.cross(D[0], D[1])
            g = long()
            for i in range(3):
                g[i] = a[i]
                g[3 + i] = b[i]
                g[6 + i] = c[i]
            return g

        @wp.func(module="unique")
        def padded(D: jet):
            g, short = long(), area_slope(D[0], D[1])
            for i in range(6):
                g[i] = short[i]
            return g

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            m = area(D[0], D[1])
            if m > zero:
                t = wp.dot(D[0], wp.cross(D[1], D[2])) / m
                g = (volume_slope(D) - t * padded(D)) / m
                for i in range(9):
                    J[0, i] = g[i]
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            K = square()
            m = area(D[0], D[1])
            if m > zero:
                t = wp.dot(D[0], wp.cross(D[1], D[2])) / m
                dV, dm = volume_slope(D), padded(D)
                both = wp.outer(dV, dm)
                K = (dtype(2.0) * t * wp.outer(dm, dm) - both - wp.transpose(both)) / (m * m)
                bend = area_bend(D[0], D[1])
                for i in range(6):
                    for j in range(6):
                        K[i, j] -= t / m * bend[i, j]
                A, B, C = cross(D[0]), cross(D[1]), cross(D[2])
                for i in range(3):
                    for j in range(3):
                        K[i, 3 + j] -= C[i, j] / m
                        K[3 + j, i] -= C[i, j] / m
                        K[i, 6 + j] += B[i, j] / m
                        K[6 + j, i] += B[i, j] / m
                        K[3 + i, 6 + j] -= A[i, j] / m
                        K[6 + j, 3 + i] -= A[i, j] / m
                K = w[0] * K
            return K

        return FormFunctions(measure, jacobian, curvature)


@cache
def _area(dtype: Any) -> tuple[Any, Any, Any]:
    """m = |a x b|^2 with its first and second derivatives in (a, b)."""
    vec = wp.types.vector(length=3, dtype=dtype)
    long = wp.types.vector(length=6, dtype=dtype)
    square = wp.types.matrix(shape=(6, 6), dtype=dtype)
    two = wp.constant(dtype(2.0))

    @wp.func(module="unique")
    def area(a: vec, b: vec):
        N = wp.cross(a, b)
        return wp.dot(N, N)

    @wp.func(module="unique")
    def slope(a: vec, b: vec):
        N, g = wp.cross(a, b), long()
        first, second = wp.cross(b, N), wp.cross(N, a)
        for i in range(3):
            g[i] = two * first[i]
            g[3 + i] = two * second[i]
        return g

    @wp.func(module="unique")
    def bend(a: vec, b: vec):
        H = square()
        for i in range(3):
            H[i, i] = two * wp.dot(b, b)
            H[3 + i, 3 + i] = two * wp.dot(a, a)
            H[i, 3 + i] = -two * wp.dot(a, b)
            H[3 + i, i] = -two * wp.dot(a, b)
        for i in range(3):
            for j in range(3):
                H[i, j] -= two * b[i] * b[j]
                H[3 + i, 3 + j] -= two * a[i] * a[j]
                mixed = two * (two * a[i] * b[j] - b[i] * a[j])
                H[i, 3 + j] += mixed
                H[3 + j, i] += mixed
        return H

    return area, slope, bend
