# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The two fundamental forms, which together say all about the shape of a surface in space."""

from functools import cache
from typing import Any

import warp as wp

from pliant.conditions import cross_matrix, put_block

from .base import Form, FormFunctions, jet_types


class SurfaceForms(Form):
    """First and second fundamental form of a surface:  G_ij = x,i . x,j,   B_ij = n . x,ij.

        n = x,1 x x,2 / |x,1 x x,2|

    Vectors: x,1 x,2, then x,11 x,22 x,12. Measures: G_11 G_22 G_12 [-], then B_11 B_22 B_12 [1/m].
    A surface without area has no normal, and its B and the derivatives of it are zero.
    Source: [terzopoulos1987] (3), (4); [koiter1966].
    """

    vectors, measures = 5, 6

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        jet, numbers, slopes, square = jet_types(cls.vectors, cls.measures, dim, dtype)
        vec = wp.types.vector(length=3, dtype=dtype)
        cross, put = cross_matrix(dtype), put_block(5, 3, dtype)
        zero = wp.constant(dtype(0.0))

        @wp.func(module="unique")
        def measure(D: jet):
            a, b = D[0], D[1]
            s = numbers(wp.dot(a, a), wp.dot(b, b), wp.dot(a, b), zero, zero, zero)
            n = wp.normalize(wp.cross(a, b))  # zero where there is none
            for c in range(3):
                s[3 + c] = wp.dot(n, D[2 + c])
            return s

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            a, b = D[0], D[1]
            N = wp.cross(a, b)
            size = wp.length(N)
            for i in range(3):
                J[0, i] = dtype(2.0) * a[i]
                J[1, 3 + i] = dtype(2.0) * b[i]
                J[2, i] = b[i]
                J[2, 3 + i] = a[i]
            if size > zero:
                n = N / size
                for c in range(3):
                    d = D[2 + c]
                    q = (d - wp.dot(n, d) * n) / size  # what B answers to N by
                    to_a, to_b = wp.cross(b, q), wp.cross(q, a)
                    for i in range(3):
                        J[3 + c, i] = to_a[i]
                        J[3 + c, 3 + i] = to_b[i]
                        J[3 + c, 6 + 3 * c + i] = n[i]
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            K = square()
            a, b = D[0], D[1]
            N = wp.cross(a, b)
            size = wp.length(N)
            one = wp.identity(n=3, dtype=dtype)
            aa, bb, ab = dtype(2.0) * w[0] * one, dtype(2.0) * w[1] * one, w[2] * one
            if size > zero:
                n = N / size
                d = vec()  # all B at once: w . B = n . d
                for c in range(3):
                    d += w[3 + c] * D[2 + c]
                height = wp.dot(n, d)
                P = (one - wp.outer(n, n)) / size
                q = P @ d
                both = wp.outer(n, q)
                M = -(both + wp.transpose(both) + height * P) / size  # d2(n . d)/dN2
                A, B = cross(a), cross(b)  # N changes by -[b] da + [a] db
                aa -= B @ M @ B
                bb -= A @ M @ A
                ab += B @ M @ A - cross(q)
                for c in range(3):
                    K = put(K, 0, 2 + c, w[3 + c] * (B @ P))
                    K = put(K, 1, 2 + c, -w[3 + c] * (A @ P))
            K = put(K, 0, 0, dtype(0.5) * (aa + wp.transpose(aa)))
            K = put(K, 1, 1, dtype(0.5) * (bb + wp.transpose(bb)))
            return put(K, 0, 1, ab)

        return FormFunctions(measure, jacobian, curvature)
